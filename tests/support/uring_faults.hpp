// Makes the kernel seem to refuse what is submitted to io_uring in this process.
#pragma once

namespace edagen::testing {

/// While it lives, the next `calls` that submit to a ring return -`error` and do nothing; rings have `entries` entries
/// (0: as many as asked for). One at a time; for one thread.
class UringFaults {
 public:
  UringFaults(int error, int calls, unsigned entries = 0);
  ~UringFaults();
  UringFaults(const UringFaults&) = delete;
  UringFaults& operator=(const UringFaults&) = delete;

  static constexpr int all = 1 << 30;
  int refused() const;  ///< calls so far
};

}  // namespace edagen::testing
