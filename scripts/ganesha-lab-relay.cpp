// The relay of scripts/ganesha-lab: passes the bytes of each TCP connection on after half a round trip, both ways, so
// that a server on this machine has the round trip of a network.
//   relay NETWORK RTTS ADDRESSES PORT...
// It listens on 127.0.0.1 and on ADDRESSES addresses from 127.0.1.1 on, and connects to the same address and port in
// the network namespace NETWORK (a file of /proc), from the address and port of its client, by which servers know
// clients. RTTS are round trips in us with commas between them: of the addresses in turn, and the last one of all that
// follow.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t most_bytes_kept = 4 << 20;  // of one direction; more stay in the sender's socket

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

/// From one socket to the other.
struct Direction {
  int from = -1, to = -1;
  std::size_t in_flight = 0;  // bytes that were received and not sent
  std::string arrived;        // bytes that the receiver's socket has no room for yet
  bool ended = false;         // the sender has
  bool shut = false;          // and the receiver knows
};

struct Connection {
  Direction up, down;
  Clock::duration delay{0};
  bool dead = false;

  ~Connection() { ::close(up.from), ::close(up.to); }
  bool over() const { return dead || (up.shut && down.shut); }
};

/// What arrives later; an empty one is the end.
struct Chunk {
  Clock::time_point due;
  std::shared_ptr<Connection> connection;
  bool up = false;
  std::string bytes;
};

/// What an event of epoll is about: a listening socket, or one end of a connection.
struct Source {
  int socket = -1;
  std::shared_ptr<Connection> connection;
  bool is_client = false;
  Clock::duration delay{0};  // of the connections of a listening socket
};

class Relay {
 public:
  explicit Relay(const char* network) {
    here_ = ::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    there_ = ::open(network, O_RDONLY | O_CLOEXEC);
    if (here_ < 0 || there_ < 0) fail(network);
  }

  void listen(int number, std::uint16_t port, Clock::duration delay) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    const auto last = static_cast<unsigned>(number);
    address.sin_addr.s_addr = htonl(number == 0 ? INADDR_LOOPBACK : 0x7F000100u + 256 * (last / 250) + last % 250);
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(socket, 4096) != 0)
      fail("listen");
    watch(new Source{socket, nullptr, false, delay}, EPOLLIN);
  }

  void run() {
    for (;;) {
      epoll_event events[256];
      const int count = wait(events, 256);
      for (int i = 0; i < count; ++i) take(*static_cast<Source*>(events[i].data.ptr), events[i].events);
      for (std::deque<Chunk>* next = next_due(); next && next->front().due <= Clock::now(); next = next_due())
        deliver(*next);
      std::erase_if(over_, [](Source* source) { return delete source, true; });
    }
  }

 private:
  void watch(Source* source, std::uint32_t what) {
    epoll_event event{};
    event.events = what;
    event.data.ptr = source;
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, source->socket, &event) != 0) fail("epoll_ctl");
  }

  /// Those whose first is due first of all; nullptr: nothing is on the way.
  std::deque<Chunk>* next_due() {
    std::deque<Chunk>* next = nullptr;
    for (auto& [delay, chunks] : chunks_)
      if (!chunks.empty() && (next == nullptr || chunks.front().due < next->front().due)) next = &chunks;
    return next;
  }

  int wait(epoll_event* events, int most) {
    timespec time{}, *limit = nullptr;
    if (const std::deque<Chunk>* const next = next_due()) {
      const auto left = std::max(Clock::duration(0), next->front().due - Clock::now());
      time.tv_sec = left / std::chrono::seconds(1);
      time.tv_nsec = (left % std::chrono::seconds(1)).count();
      limit = &time;
    }
    const int count = ::epoll_pwait2(epoll_, events, most, limit, nullptr);
    return count < 0 ? 0 : count;
  }

  void take(Source& source, std::uint32_t what) {
    if (!source.connection) return accept(source);
    Connection& connection = *source.connection;
    Direction& out = source.is_client ? connection.down : connection.up;
    if ((what & EPOLLERR) != 0) connection.dead = true;
    if ((what & EPOLLOUT) != 0) send(source.connection, !source.is_client, out);
    if ((what & (EPOLLIN | EPOLLHUP)) != 0) receive(source.connection, source.is_client);
    if (connection.over()) forget(source);
  }

  /// Each of a connection's two sockets comes by here once: epoll reports the end of the other one, too.
  void forget(Source& source) {
    if (::epoll_ctl(epoll_, EPOLL_CTL_DEL, source.socket, nullptr) != 0) return;
    ::shutdown(source.connection->up.from, SHUT_RDWR);
    ::shutdown(source.connection->up.to, SHUT_RDWR);
    over_.push_back(&source);
  }

  /// Edge-triggered: takes all that is there.
  void receive(const std::shared_ptr<Connection>& connection, bool up) {
    Direction& way = up ? connection->up : connection->down;
    while (!way.ended && !connection->dead && way.in_flight < most_bytes_kept) {
      const ssize_t got = ::recv(way.from, buffer_, sizeof buffer_, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
      if (got < 0) connection->dead = true;
      if (got < 0) return;
      way.ended = got == 0;
      way.in_flight += static_cast<std::size_t>(got);
      chunks_[connection->delay].push_back(
          {Clock::now() + connection->delay, connection, up, std::string(buffer_, static_cast<std::size_t>(got))});
    }
  }

  void deliver(std::deque<Chunk>& chunks) {
    const Chunk chunk = std::move(chunks.front());
    chunks.pop_front();
    Direction& way = chunk.up ? chunk.connection->up : chunk.connection->down;
    way.arrived += chunk.bytes;
    if (chunk.bytes.empty()) way.shut = true;
    send(chunk.connection, chunk.up, way);
    if (way.shut && way.arrived.empty()) ::shutdown(way.to, SHUT_WR);
  }

  void send(const std::shared_ptr<Connection>& connection, bool up, Direction& way) {
    const bool was_full = way.in_flight >= most_bytes_kept;
    std::size_t done = 0;
    while (!connection->dead && done < way.arrived.size()) {
      const ssize_t sent = ::send(way.to, way.arrived.data() + done, way.arrived.size() - done, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) connection->dead = true;
      if (sent < 0) break;
      done += static_cast<std::size_t>(sent);
    }
    way.arrived.erase(0, done);
    way.in_flight -= done;
    if (was_full && way.in_flight < most_bytes_kept) receive(connection, up);
  }

  void accept(const Source& source) {
    for (;;) {
      sockaddr_in client{};
      socklen_t length = sizeof client;
      const int down =
          ::accept4(source.socket, reinterpret_cast<sockaddr*>(&client), &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (down < 0) return;
      sockaddr_in server{};
      ::getsockname(down, reinterpret_cast<sockaddr*>(&server), &length);
      const int up = connect(client, server);
      if (up < 0) {
        const linger reset{1, 0};  // the client is refused, as by the server
        ::setsockopt(down, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        ::close(down);
        continue;
      }
      const int on = 1;
      for (const int socket : {up, down}) ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      const auto made = std::make_shared<Connection>();
      made->delay = source.delay;
      made->up.from = made->down.to = down;
      made->up.to = made->down.from = up;
      for (const int socket : {up, down})
        watch(new Source{socket, made, socket == down, made->delay}, EPOLLIN | EPOLLOUT | EPOLLET);
    }
  }

  /// From the client's address and port, or from another port where that is not yet free again.
  int connect(sockaddr_in client, const sockaddr_in& server) const {
    for (const bool same_port : {true, false}) {
      if (!same_port) client.sin_port = 0;
      if (::setns(there_, CLONE_NEWNET) != 0) fail("setns");
      const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
      if (::setns(here_, CLONE_NEWNET) != 0) fail("setns");
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
      if (::bind(socket, reinterpret_cast<sockaddr*>(&client), sizeof client) == 0 &&
          ::connect(socket, reinterpret_cast<const sockaddr*>(&server), sizeof server) == 0) {
        ::fcntl(socket, F_SETFL, O_NONBLOCK);
        return socket;
      }
      ::close(socket);
    }
    return -1;
  }

  int here_ = -1, there_ = -1;
  int epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  std::map<Clock::duration, std::deque<Chunk>> chunks_;  // by delay: of those delayed alike the first is due first
  std::vector<Source*> over_;
  char buffer_[1 << 18];
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return std::fprintf(stderr, "usage: relay NETWORK RTTS_US ADDRESSES PORT...\n"), 2;
  std::signal(SIGPIPE, SIG_IGN);
  ::prctl(PR_SET_TIMERSLACK, 1);
  static Relay relay(argv[1]);
  const char* round_trip = argv[2];  // of address 1, and of 127.0.0.1
  for (int number = 0; number <= std::atoi(argv[3]); ++number) {
    const char* const comma = std::strchr(round_trip, ',');
    if (number > 1 && comma != nullptr) round_trip = comma + 1;
    const Clock::duration delay = std::chrono::nanoseconds(std::lround(500 * std::atof(round_trip)));
    for (int i = 4; i < argc; ++i) relay.listen(number, static_cast<std::uint16_t>(std::atoi(argv[i])), delay);
  }
  std::puts("ready");
  std::fflush(stdout);
  relay.run();
}
