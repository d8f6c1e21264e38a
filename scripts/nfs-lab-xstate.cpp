// Preloaded into linux.uml by scripts/nfs-lab, so that the lab starts on processors with AMX. A process has 11,008
// bytes of registers there. User-Mode Linux 6.1 writes the 2,696 that it knows (PTRACE_SETREGSET, NT_X86_XSTATE), and
// the kernel below, which wants the whole area, refuses with EFAULT. So this ptrace() reads the whole area first, puts
// the given bytes over its beginning and writes all of it. Every other request goes to the system call as it is; on
// other architectures all of them do.
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>

namespace {
long system_call(long request, long pid, long address, void* data) {
  return syscall(SYS_ptrace, request, pid, address, data);
}
}  // namespace

extern "C" long ptrace(__ptrace_request request, ...) noexcept {
  std::va_list rest;
  va_start(rest, request);
  const pid_t pid = va_arg(rest, pid_t);
  const long address = va_arg(rest, long);
  void* const data = va_arg(rest, void*);
  va_end(rest);

  if (request == PTRACE_SETREGSET && address == NT_X86_XSTATE) {
    // Not on the stack: linux.uml calls from kernel stacks of 16 KiB. It has one processor, and no two calls at a time.
    alignas(64) static char area[65536];
    const auto* const given = static_cast<const iovec*>(data);
    iovec whole = {area, sizeof area};
    if (system_call(PTRACE_GETREGSET, pid, address, &whole) == 0 && given->iov_len < whole.iov_len) {
      std::memcpy(area, given->iov_base, given->iov_len);
      return system_call(request, pid, address, &whole);
    }
  }

  // As in glibc: PEEKTEXT, PEEKDATA and PEEKUSER (1 to 3) return the word; the system call stores it where data points.
  const bool peeks = request >= 1 && request <= 3;
  long word = 0;
  const long result = system_call(request, pid, address, peeks ? static_cast<void*>(&word) : data);
  if (!peeks || result < 0) return result;
  errno = 0;
  return word;
}
