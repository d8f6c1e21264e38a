#include "cli/signals.hpp"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

#include "edagen/exit_status.hpp"

namespace edagen {
namespace {

/// What comes within this time is of the first signal: timeout(1) sends it to its child, and then to its group.
constexpr auto of_the_first = std::chrono::milliseconds(500);

/// For a message of a process that ends.
constexpr auto patience = std::chrono::seconds(2);

sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

}  // namespace

/// A thread for messages that is there from the start: when a signal comes, the workers of a load may be all threads
/// that this user or this container may have.
struct SignalWatch::SpareThread {
  std::shared_ptr<boost::asio::io_context> context = std::make_shared<boost::asio::io_context>();
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> stays{context->get_executor()};

  SpareThread() {
    std::thread([messages = context] { messages->run(); }).detach();
  }
};

struct SignalWatch::Loop {
  boost::asio::io_context context;
  boost::asio::signal_set signals{context, SIGINT, SIGTERM};
  boost::asio::steady_timer look_at_stdout{context};
  Loop() {
    signals.add(SIGPIPE);  // whoever reads what this writes has gone
    struct sigaction before {};
    if (::sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) return;  // nohup(1)
    signals.add(SIGHUP);
  }
};

SignalWatch::SignalWatch(std::function<void()> before_exit, bool stdout_awaited)
    : before_exit_(std::move(before_exit)), loop_(std::make_unique<Loop>()) {
  const sigset_t signals = ending_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // workers' system calls are not to be broken off
  spare_ = std::make_unique<SpareThread>();
  wait();
  if (stdout_awaited) watch_stdout();
  thread_ = std::thread([this] {
    const sigset_t ending = ending_signals();
    pthread_sigmask(SIG_UNBLOCK, &ending, nullptr);
    loop_->context.run();
  });
}

/// Runs `write` in a thread of its own, which a terminal or a pipe that nobody reads may hold up for ever.
std::future<void> SignalWatch::written_apart(std::function<void()> write) {
  const auto task = std::make_shared<std::packaged_task<void()>>(std::move(write));
  std::future<void> done = task->get_future();
  const auto work = [task] { (*task)(); };
  try {
    std::thread(work).detach();
  } catch (const std::system_error&) {  // the system refuses another thread
    boost::asio::post(*spare_->context, work);
  }
  return done;
}

void SignalWatch::wait() {
  loop_->signals.async_wait([this](const boost::system::error_code& error, int signal) {
    if (error) return;
    if (signal == SIGPIPE) {
      asked_.request_stop();
      return wait();
    }
    if (told_ && now() - *told_ < of_the_first) return wait();
    if (told_) {
      if (before_exit_) written_apart(before_exit_).wait_for(patience);
      ::_exit(exit_status::interrupted);
    }
    told_ = now();
    asked_.request_stop();  // before anything is written, which may take for ever
    message_ = written_apart([] {
      if (::isatty(STDERR_FILENO) == 1) std::fputs("\r\033[K", stderr);  // the live line with the terminal's ^C in it
      spdlog::warn("ending the run; a second signal ends it at once");
    });
    wait();
  });
}

/// Nothing is written there before the end, so that there is no SIGPIPE. (Asio would watch it, and make it not blocking
/// for all who have it.)
void SignalWatch::watch_stdout() {
  loop_->look_at_stdout.expires_after(std::chrono::milliseconds(100));
  loop_->look_at_stdout.async_wait([this](const boost::system::error_code& error) {
    pollfd reader{STDOUT_FILENO, 0, 0};
    if (error) return;
    if (::poll(&reader, 1, 0) != 1 || (reader.revents & POLLERR) == 0) return watch_stdout();
    asked_.request_stop();
    message_ = written_apart([] { spdlog::warn("nobody reads stdout any more: ending the run"); });
  });
}

SignalWatch::~SignalWatch() {
  loop_->context.stop();
  thread_.join();
  if (message_.valid()) message_.wait_for(patience);
  loop_.reset();
  ::signal(SIGPIPE, SIG_IGN);  // what is still to be said fails instead
}

}  // namespace edagen
