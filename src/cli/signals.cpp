#include "cli/signals.hpp"

#include <pthread.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include "edagen/exit_status.hpp"

namespace edagen {
namespace {

sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

}  // namespace

struct SignalWatch::Loop {
  boost::asio::io_context context;
  boost::asio::signal_set signals{context, SIGINT, SIGTERM, SIGHUP};
  Loop() { signals.add(SIGPIPE); }  // whoever reads what this writes has gone
};

SignalWatch::SignalWatch() : loop_(std::make_unique<Loop>()) {
  const sigset_t signals = ending_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // workers' system calls are not to be broken off
  ::signal(SIGXFSZ, SIG_IGN);                     // beyond the limit of file sizes writes fail, as on a full disk
  wait();
  thread_ = std::thread([this] {
    const sigset_t mine = ending_signals();
    pthread_sigmask(SIG_UNBLOCK, &mine, nullptr);
    loop_->context.run();
  });
}

void SignalWatch::wait() {
  loop_->signals.async_wait([this](const boost::system::error_code& error, int signal) {
    if (error) return;
    if (signal != SIGPIPE) {
      if (told_) ::_exit(exit_status::interrupted);
      told_ = true;
      spdlog::warn("ending the run; once more ends at once");
    }
    asked_.request_stop();
    wait();
  });
}

SignalWatch::~SignalWatch() {
  loop_->context.stop();
  thread_.join();
  loop_.reset();
  ::signal(SIGPIPE, SIG_IGN);  // what is still to be said fails instead
}

}  // namespace edagen
