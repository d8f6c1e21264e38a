#include "rpc/socket_poll.hpp"

#include <cerrno>

#include "edagen/error.hpp"

namespace edagen {
namespace {

int new_poll() {
  const int poll = ::epoll_create1(EPOLL_CLOEXEC);
  if (poll < 0) throw run_error("nfs", "no descriptor is left for the sockets of a loop", "ulimit -n");
  return poll;
}

}  // namespace

SocketPoll::SocketPoll(boost::asio::io_context& context) : poll_(context, new_poll()) { wait(); }

int SocketPoll::add(int socket, SocketWatcher& watcher) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  event.data.ptr = &watcher;
  return ::epoll_ctl(poll_.native_handle(), EPOLL_CTL_ADD, socket, &event) == 0 ? 0 : errno;
}

void SocketPoll::remove(int socket, const SocketWatcher& watcher) {
  ::epoll_ctl(poll_.native_handle(), EPOLL_CTL_DEL, socket, nullptr);
  for (std::size_t i = next_; i < count_; ++i)
    if (events_[i].data.ptr == &watcher) events_[i].data.ptr = nullptr;
}

void SocketPoll::wait() {
  poll_.async_wait(boost::asio::posix::stream_descriptor::wait_read, [this](const boost::system::error_code& error) {
    if (error) return;
    report();
    wait();
  });
}

void SocketPoll::report() {
  const int ready = ::epoll_wait(poll_.native_handle(), events_.data(), static_cast<int>(events_.size()), 0);
  count_ = ready > 0 ? static_cast<std::size_t>(ready) : 0;
  for (next_ = 0; next_ < count_;) {
    const epoll_event event = events_[next_++];
    if (event.data.ptr) static_cast<SocketWatcher*>(event.data.ptr)->ready(event.events);
  }
}

}  // namespace edagen
