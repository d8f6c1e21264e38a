// The library that scripts/nfs-lab preloads into User-Mode Linux: on kernels with register areas of several lengths,
// simulated, and on the kernel below, with this processor's.
#include <elf.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <numeric>
#include <vector>

#include "support/skip.hpp"

namespace edagen::testing {

struct Request {
  long request;
  pid_t pid;
  long address;
  void* data;
  bool operator==(const Request&) const = default;
};

/// What Linux does with the register area of a traced process (kernel/ptrace.c, arch/x86/kernel/fpu/regset.c).
class SimulatedKernel {
 public:
  static constexpr pid_t process = 4711;
  static constexpr long word = -1;

  explicit SimulatedKernel(std::size_t size) : area(size) { std::iota(area.begin(), area.end(), '\1'); }

  long operator()(const Request& request) {
    requests.push_back(request);
    if (request.pid != process) return error(ESRCH);
    const bool gets = request.request == PTRACE_GETREGSET;
    if ((gets || request.request == PTRACE_SETREGSET) && request.address == NT_X86_XSTATE) {
      auto& given = *static_cast<iovec*>(request.data);
      if (given.iov_len % 8 != 0) return error(EINVAL);
      given.iov_len = std::min(given.iov_len, area.size());
      if (gets) return std::memcpy(given.iov_base, area.data(), given.iov_len), 0;
      if (given.iov_len < area.size()) return error(EFAULT);
      return std::memcpy(area.data(), given.iov_base, given.iov_len), 0;
    }
    if (request.request == PTRACE_PEEKDATA && request.address % 8 == 0)
      return std::memcpy(request.data, &word, sizeof word), 0;
    if (request.request == PTRACE_CONT) return 0;
    return error(EIO);
  }

  std::vector<char> area;
  std::vector<Request> requests;

 private:
  static long error(int number) { return errno = number, -1; }
};

SimulatedKernel* simulated_kernel = nullptr;

/// The system call of the library under test: the simulated kernel's while there is one, otherwise the real one.
long kernel_call(long number, long request, long pid, long address, void* data) {
  EXPECT_EQ(number, SYS_ptrace);
  if (simulated_kernel != nullptr) return (*simulated_kernel)({request, static_cast<pid_t>(pid), address, data});
  return syscall(number, request, pid, address, data);
}

}  // namespace edagen::testing

extern "C" long ptrace_of_the_lab(__ptrace_request request, ...) noexcept;
#define syscall edagen::testing::kernel_call
#define ptrace ptrace_of_the_lab
#include "../../scripts/nfs-lab-xstate.cpp"
#undef ptrace
#undef syscall

namespace edagen::testing {
namespace {

constexpr std::size_t uml_length = 2696;  // what User-Mode Linux 6.1 writes

class NfsLabXstate : public ::testing::TestWithParam<std::size_t> {
 protected:
  NfsLabXstate() { simulated_kernel = &kernel; }
  ~NfsLabXstate() override { simulated_kernel = nullptr; }
  SimulatedKernel kernel{GetParam()};
};

TEST_P(NfsLabXstate, WhatUserModeLinuxWritesArrivesAndTheBytesBeyondKeepTheirValues) {
  std::vector<char> registers(uml_length, '\xaa');
  const std::size_t written = std::min(uml_length, kernel.area.size());
  std::vector<char> expected = kernel.area;
  std::fill_n(expected.begin(), written, '\xaa');

  iovec given = {registers.data(), registers.size()};
  ASSERT_EQ(ptrace_of_the_lab(PTRACE_SETREGSET, SimulatedKernel::process, NT_X86_XSTATE, &given), 0)
      << std::strerror(errno);
  EXPECT_EQ(kernel.area, expected);
  EXPECT_EQ(given.iov_base, registers.data());
  EXPECT_EQ(given.iov_len, written);
  EXPECT_EQ(registers, std::vector<char>(uml_length, '\xaa'));
}

TEST_P(NfsLabXstate, AWriteOfTheWholeAreaAndMoreIsPassedOnAsItIs) {
  std::vector<char> registers(GetParam() + 64, '\xaa');
  for (const std::size_t length : {GetParam(), registers.size()}) {
    iovec given = {registers.data(), length};
    EXPECT_EQ(ptrace_of_the_lab(PTRACE_SETREGSET, SimulatedKernel::process, NT_X86_XSTATE, &given), 0);
    EXPECT_EQ(kernel.requests.back(), (Request{PTRACE_SETREGSET, SimulatedKernel::process, NT_X86_XSTATE, &given}));
    EXPECT_EQ(kernel.area, std::vector<char>(GetParam(), '\xaa'));
  }
}

// 832: AVX; 2,696: AVX-512 and protection keys; 11,008: AMX.
INSTANTIATE_TEST_SUITE_P(Areas, NfsLabXstate, ::testing::Values(832, 2696, 11008), ::testing::PrintToStringParamName());

class NfsLabXstateWithAmx : public ::testing::Test {
 protected:
  NfsLabXstateWithAmx() { simulated_kernel = &kernel; }
  ~NfsLabXstateWithAmx() override { simulated_kernel = nullptr; }
  SimulatedKernel kernel{11008};
};

TEST_F(NfsLabXstateWithAmx, OtherRequestsGoToTheSystemCallOnceAndAsTheyAre) {
  char byte = 0;
  iovec given = {&byte, 0};
  EXPECT_EQ(ptrace_of_the_lab(PTRACE_CONT, SimulatedKernel::process, 1L, &byte), 0);
  EXPECT_EQ(ptrace_of_the_lab(PTRACE_GETREGSET, SimulatedKernel::process, NT_X86_XSTATE, &given), 0);
  EXPECT_EQ(ptrace_of_the_lab(PTRACE_SETREGSET, SimulatedKernel::process, NT_PRSTATUS, &given), -1);
  const std::vector<Request> expected = {{PTRACE_CONT, SimulatedKernel::process, 1, &byte},
                                         {PTRACE_GETREGSET, SimulatedKernel::process, NT_X86_XSTATE, &given},
                                         {PTRACE_SETREGSET, SimulatedKernel::process, NT_PRSTATUS, &given}};
  EXPECT_EQ(kernel.requests, expected);
}

TEST_F(NfsLabXstateWithAmx, ErrorsComeThrough) {
  std::vector<char> registers(uml_length);
  iovec given = {registers.data(), registers.size()};
  const std::vector<char> before = kernel.area;

  errno = 0;
  EXPECT_EQ(ptrace_of_the_lab(PTRACE_SETREGSET, SimulatedKernel::process + 1, NT_X86_XSTATE, &given), -1);
  EXPECT_EQ(errno, ESRCH);
  errno = 0;
  EXPECT_EQ(ptrace_of_the_lab(PTRACE_SETREGSET, SimulatedKernel::process, NT_PRSTATUS, &given), -1);
  EXPECT_EQ(errno, EIO);
  errno = 0;
  EXPECT_EQ(ptrace_of_the_lab(PTRACE_PEEKDATA, SimulatedKernel::process, 4L, nullptr), -1);
  EXPECT_EQ(errno, EIO);
  EXPECT_EQ(kernel.area, before);
}

TEST_F(NfsLabXstateWithAmx, APeekReturnsTheWordAndTellsMinusOneFromAnError) {
  errno = EIO;
  EXPECT_EQ(ptrace_of_the_lab(PTRACE_PEEKDATA, SimulatedKernel::process, 8L, nullptr), SimulatedKernel::word);
  EXPECT_EQ(errno, 0);
}

#if defined(__x86_64__)

/// A child that has stopped for its tracer, this process.
class TracedChild {
 public:
  TracedChild() : pid(::fork()) {
    if (pid == 0) {
      if (::syscall(SYS_ptrace, PTRACE_TRACEME, 0, nullptr, nullptr) == 0) ::raise(SIGSTOP);
      ::_exit(1);
    }
    int status = 0;
    stopped = pid > 0 && ::waitpid(pid, &status, 0) == pid && WIFSTOPPED(status);
  }
  ~TracedChild() {
    if (!stopped) return;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  TracedChild(const TracedChild&) = delete;
  TracedChild& operator=(const TracedChild&) = delete;

  std::vector<unsigned char> registers() const {
    std::vector<unsigned char> area(65536);
    iovec all = {area.data(), area.size()};
    if (::syscall(SYS_ptrace, PTRACE_GETREGSET, pid, NT_X86_XSTATE, &all) != 0) return {};
    area.resize(all.iov_len);
    return area;
  }

  pid_t pid;
  bool stopped;
};

TEST(NfsLabXstateHere, AShorterWriteThatTheKernelRefusesChangesTheRegistersOfARealProcess) {
  constexpr std::size_t legacy = 576;  // the FXSAVE image and the XSAVE header
  constexpr std::size_t state_bits = 512, xmm5 = 160 + 5 * 16;
  const TracedChild child;
  if (!child.stopped) EDAGEN_SKIP("no process may be traced here");
  const std::vector<unsigned char> before = child.registers();
  if (before.size() <= legacy) EDAGEN_SKIP("this processor's register area has " << before.size() << " bytes alone");

  std::vector<unsigned char> changed(before.begin(), before.begin() + legacy);
  changed[state_bits] |= 2;  // the XMM registers are in use
  changed[xmm5 + 3] = static_cast<unsigned char>(~changed[xmm5 + 3]);
  iovec given = {changed.data(), changed.size()};
  EXPECT_EQ(::syscall(SYS_ptrace, PTRACE_SETREGSET, child.pid, NT_X86_XSTATE, &given), -1);
  EXPECT_EQ(errno, EFAULT);
  EXPECT_EQ(child.registers(), before);

  given = {changed.data(), changed.size()};
  ASSERT_EQ(ptrace_of_the_lab(PTRACE_SETREGSET, child.pid, NT_X86_XSTATE, &given), 0) << std::strerror(errno);
  std::vector<unsigned char> expected = before;
  expected[state_bits] |= 2;
  expected[xmm5 + 3] = changed[xmm5 + 3];
  EXPECT_EQ(child.registers(), expected);

  // The same by another request, which knows the old registers alone.
  user_fpregs_struct old_registers{};
  ASSERT_EQ(ptrace_of_the_lab(PTRACE_GETFPREGS, child.pid, nullptr, &old_registers), 0) << std::strerror(errno);
  EXPECT_EQ(std::memcmp(old_registers.xmm_space, &changed[160], sizeof old_registers.xmm_space), 0);
}

TEST(NfsLabXstateHere, APeekReturnsTheWordOfARealProcess) {
  static const long word = -81'985'529'216'486'896;
  const TracedChild child;
  if (!child.stopped) EDAGEN_SKIP("no process may be traced here");
  EXPECT_EQ(ptrace_of_the_lab(PTRACE_PEEKDATA, child.pid, &word, nullptr), word);
  errno = 0;
  EXPECT_EQ(ptrace_of_the_lab(PTRACE_PEEKDATA, child.pid, nullptr, nullptr), -1);
  EXPECT_EQ(errno, EIO);
}

#endif

}  // namespace
}  // namespace edagen::testing
