// Readiness of the sockets of a loop, by an epoll of their own that the event loop waits for. Asio's own waits cost a
// system call each time, which is a tenth of a client's time when each wake-up brings one reply.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstdint>

namespace edagen {

class SocketWatcher {
 public:
  /// EPOLLIN, EPOLLOUT, EPOLLRDHUP, EPOLLERR, EPOLLHUP: reported when they begin, not for as long as they last.
  virtual void ready(std::uint32_t events) = 0;
  /// Sends what is queued.
  virtual void flush() = 0;

 protected:
  ~SocketWatcher() = default;
};

class SocketPoll {
 public:
  explicit SocketPoll(boost::asio::io_context& context);

  /// Returns 0 or an errno.
  int add(int socket, SocketWatcher& watcher);
  /// Before the socket is closed. Nothing that was seen before is reported any more.
  void remove(int socket, const SocketWatcher& watcher);

 private:
  void wait();
  void report();

  boost::asio::posix::stream_descriptor poll_;
  std::array<epoll_event, 256> events_;
  std::size_t count_ = 0, next_ = 0;  ///< of `events_`: those that are there, and the one to be reported next
};

}  // namespace edagen
