#include "target/memory_fault.hpp"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstring>

namespace edagen {
namespace {

/// Volatile, because the compiler does not see that the signal handler reads it.
thread_local sigjmp_buf* volatile way_out = nullptr;

void on_fault(int signal) {
  if (way_out != nullptr) siglongjmp(*way_out, 1);
  std::signal(signal, SIG_DFL);  // a fault outside of copies: it happens again and ends the process
}

}  // namespace

void catch_memory_faults() {
  struct sigaction action {};
  action.sa_handler = on_fault;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

bool copy_guarded(void* to, const void* from, std::size_t length) {
  sigjmp_buf here;
  if (sigsetjmp(here, 1) != 0) {
    way_out = nullptr;
    return false;
  }
  way_out = &here;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  std::memcpy(to, from, length);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  way_out = nullptr;
  return true;
}

}  // namespace edagen
