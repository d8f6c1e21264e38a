#include "support/uring_faults.hpp"

#include <dlfcn.h>
#include <liburing.h>

namespace {

int fault = 0, calls_left = 0, calls_refused = 0;
unsigned ring_entries = 0;

bool refuses() {
  if (calls_left == 0) return false;
  --calls_left;
  ++calls_refused;
  return true;
}

template <class F>
F* real(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

namespace edagen::testing {

UringFaults::UringFaults(int error, int calls, unsigned entries) {
  fault = error;
  calls_left = calls;
  calls_refused = 0;
  ring_entries = entries;
}
UringFaults::~UringFaults() {
  calls_left = 0;
  ring_entries = 0;
}
int UringFaults::refused() const { return calls_refused; }

}  // namespace edagen::testing

// These come before liburing's.
extern "C" {

int io_uring_queue_init_params(unsigned entries, io_uring* ring, io_uring_params* params) {
  return real<decltype(io_uring_queue_init_params)>("io_uring_queue_init_params")(
      ring_entries != 0 ? ring_entries : entries, ring, params);
}

int io_uring_submit(io_uring* ring) {
  return refuses() ? -fault : real<decltype(io_uring_submit)>("io_uring_submit")(ring);
}

int io_uring_submit_and_get_events(io_uring* ring) {
  return refuses() ? -fault : real<decltype(io_uring_submit_and_get_events)>("io_uring_submit_and_get_events")(ring);
}

int io_uring_submit_and_wait_timeout(io_uring* ring, io_uring_cqe** completion, unsigned count, __kernel_timespec* wait,
                                     sigset_t* mask) {
  if (refuses()) return -fault;
  return real<decltype(io_uring_submit_and_wait_timeout)>("io_uring_submit_and_wait_timeout")(ring, completion, count,
                                                                                              wait, mask);
}

}  // extern "C"
