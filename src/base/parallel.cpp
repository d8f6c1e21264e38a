#include "base/parallel.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace edagen {

void run_in_parallel(std::size_t threads, const std::stop_token& stop,
                     const std::function<void(const std::stop_token&)>& work, const std::function<void()>& meanwhile) {
  std::stop_source halt;
  const std::stop_callback forward(stop, [&] { halt.request_stop(); });
  std::mutex mutex;
  std::condition_variable ended;
  std::size_t running = threads;
  std::exception_ptr failure;
  {
    std::vector<std::jthread> workers;
    const auto life = [&] {
      std::exception_ptr thrown;
      try {
        work(halt.get_token());
      } catch (...) {
        thrown = std::current_exception();
        halt.request_stop();
      }
      std::lock_guard lock(mutex);
      if (thrown && !failure) failure = thrown;
      --running;
      ended.notify_one();
    };
    try {
      while (workers.size() < threads) workers.emplace_back(life);
    } catch (const std::system_error&) {  // the system refuses another thread: the existing ones do all of the work
      if (workers.empty()) throw;
      std::lock_guard lock(mutex);
      running -= threads - workers.size();
    }
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, std::chrono::milliseconds(100), [&] { return running == 0; })) {
      lock.unlock();
      meanwhile();
      lock.lock();
    }
  }
  if (failure) std::rethrow_exception(failure);
  meanwhile();
}

}  // namespace edagen
