#include "canned_server.hpp"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <unordered_map>

namespace edagen::bench {
namespace {

constexpr std::size_t room_bytes = 256 * 1024;

/// The bytes of a connection that are not yet a whole call.
struct Peer {
  std::vector<char> rest;
};

class Server {
 public:
  Server(int listener, const std::vector<std::byte>& results) : listener_(listener), poll_(::epoll_create1(0)) {
    const std::uint32_t head[] = {htonl(0x80000000U | static_cast<std::uint32_t>(24 + results.size())), 0, htonl(1)};
    reply_.resize(28 + results.size());
    std::memcpy(reply_.data(), head, sizeof head);
    std::memcpy(reply_.data() + 28, results.data(), results.size());
    watch(listener_);
  }

  [[noreturn]] void run() {
    std::array<epoll_event, 256> events;
    for (;;) {
      const int count = ::epoll_wait(poll_, events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < count; ++i) {
        const int fd = events[static_cast<std::size_t>(i)].data.fd;
        if (fd == listener_) accept();
        else if (!serve(fd)) ::close(fd);
      }
    }
  }

 private:
  void watch(int fd) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    ::epoll_ctl(poll_, EPOLL_CTL_ADD, fd, &event);
  }

  void accept() {
    const int fd = ::accept(listener_, nullptr, nullptr);
    if (fd < 0) return;
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    peers_[fd].rest.clear();
    watch(fd);
  }

  /// Reads what is there and answers all of it in one write.
  bool serve(int fd) {
    std::vector<char>& rest = peers_[fd].rest;
    std::memcpy(room_.get(), rest.data(), rest.size());
    const ssize_t got = ::recv(fd, room_.get() + rest.size(), room_bytes - rest.size(), 0);
    if (got <= 0) return false;
    const std::size_t size = rest.size() + static_cast<std::size_t>(got);
    out_.clear();
    std::size_t at = 0;
    for (std::uint32_t mark = 0; size - at >= 8; at += 4 + mark) {
      std::memcpy(&mark, room_.get() + at, 4);
      mark = ntohl(mark) & 0x7fffffffU;
      if (size - at < 4 + mark) break;
      std::memcpy(reply_.data() + 4, room_.get() + at + 4, 4);  // the xid
      out_.insert(out_.end(), reply_.begin(), reply_.end());
    }
    rest.assign(room_.get() + at, room_.get() + size);
    for (std::size_t sent = 0; sent < out_.size();) {
      const ssize_t taken = ::send(fd, out_.data() + sent, out_.size() - sent, MSG_NOSIGNAL);
      if (taken <= 0) return false;
      sent += static_cast<std::size_t>(taken);
    }
    return true;
  }

  int listener_, poll_;
  std::vector<char> reply_, out_;
  std::unique_ptr<char[]> room_ = std::make_unique<char[]>(room_bytes);
  std::unordered_map<int, Peer> peers_;
};

}  // namespace

CannedServer::CannedServer(std::vector<std::byte> results) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener, 4096) != 0 ||
      ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("no port on loopback");
  port_ = ntohs(address.sin_port);
  child_ = ::fork();
  if (child_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    Server(listener, results).run();
  }
  ::close(listener);
}

CannedServer::~CannedServer() {
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
}

}  // namespace edagen::bench
