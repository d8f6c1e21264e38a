// A processor with AMX for the library of scripts/nfs-lab, which is compiled with this file before it: the kernel below
// seems to have a register area of 11,008 bytes, and refuses to write less. With UNREPAIRED the library does not know
// the register area by its number, and passes everything on.
#pragma once

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

inline long amx_kernel(long number, long request, long pid, long address, void* data) {
  constexpr std::size_t amx = 11008;
  const bool gets = request == PTRACE_GETREGSET, sets = request == PTRACE_SETREGSET;
  if (address != NT_X86_XSTATE || !(gets || sets)) return syscall(number, request, pid, address, data);
  auto& given = *static_cast<iovec*>(data);
  if (sets && given.iov_len < amx) return errno = EFAULT, -1;
  const std::size_t asked = std::min(given.iov_len, amx);
  const long result = syscall(number, request, pid, address, data);
  if (result != 0 || given.iov_len >= asked) return result;
  if (gets) std::memset(static_cast<char*>(given.iov_base) + given.iov_len, 0, asked - given.iov_len);
  given.iov_len = asked;
  return result;
}

#define syscall amx_kernel
#ifdef UNREPAIRED
#undef NT_X86_XSTATE
#define NT_X86_XSTATE -1
#endif
