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
};

SignalWatch::SignalWatch() : loop_(std::make_unique<Loop>()) {
  const sigset_t signals = ending_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // workers' system calls are not to be broken off
  loop_->signals.async_wait([this](const boost::system::error_code& error, int) {
    if (error) return;
    spdlog::warn("ending the run; once more ends at once");
    asked_.request_stop();
    loop_->signals.async_wait([](const boost::system::error_code& second, int) {
      if (!second) ::_exit(exit_status::interrupted);
    });
  });
  thread_ = std::thread([this] {
    const sigset_t mine = ending_signals();
    pthread_sigmask(SIG_UNBLOCK, &mine, nullptr);
    loop_->context.run();
  });
}

SignalWatch::~SignalWatch() {
  loop_->context.stop();
  thread_.join();
}

}  // namespace edagen
