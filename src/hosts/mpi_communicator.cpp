#include "hosts/mpi_communicator.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdlib>
#include <thread>

#include "edagen/clock.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

[[noreturn]] void broken() { throw run_error("MPI", "a message could not be received"); }

/// For the library to end all ranks: it waits for a launcher that may be out of reach.
constexpr Nanos abort_within = std::chrono::seconds(3);
/// For it to come to its end. MPICH over UCX may wait for ever, over TCP: who closes a connection wants an answer, and
/// the other one has closed its own and waits for the launcher.
constexpr Nanos finish_within = std::chrono::seconds(10);

}  // namespace

MpiCommunicator::MpiCommunicator(const std::string& file) {
  // UCX would look at every munmap, of ops and of threads that end, and spin for its locks.
  ::setenv("UCX_MEM_EVENTS", "no", 0);
  // Open MPI's own plugins look for its symbols among the global ones.
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) throw usage_error(file, ::dlerror());
  const auto module_of = reinterpret_cast<const edagen_mpi* (*)()>(::dlsym(library, "edagen_mpi_module"));
  module_ = module_of != nullptr ? module_of() : nullptr;
  if (module_ == nullptr || module_->version != EDAGEN_MPI_MODULE_VERSION)
    throw usage_error(file, "is of another version of edagen");
  if (module_->begin(&rank_, &size_, &ranks_here_) != 0) throw run_error("MPI", "did not begin");
}

void MpiCommunicator::send(int to, std::string bytes) {
  if (bytes.size() > INT_MAX) throw run_error("MPI", "a message is too long");
  Sending& sending = sending_.emplace_back(Sending{to, std::move(bytes)});
  sending.begun = module_->send(to, sending.bytes.data(), static_cast<int>(sending.bytes.size()));
  if (sending.begun != nullptr) return;
  sending_.pop_back();
  throw SendError(to);
}

bool MpiCommunicator::all_sent() {
  for (auto sending = sending_.begin(); sending != sending_.end();) {
    const int sent = module_->is_sent(sending->begun), to = sending->to;
    sending = sent == 0 ? std::next(sending) : sending_.erase(sending);
    if (sent == EDAGEN_MPI_BROKEN) throw SendError(to);
  }
  return sending_.empty();
}

std::optional<Received> MpiCommunicator::poll() {
  if (!sending_.empty()) all_sent();
  Received next;
  const int bytes = module_->probe(&next.from);
  if (bytes == EDAGEN_MPI_NO_MESSAGE) return std::nullopt;
  if (bytes < 0) broken();
  next.bytes.resize(static_cast<std::size_t>(bytes));
  if (module_->receive(next.from, next.bytes.data(), bytes) != 0) broken();
  return next;
}

void MpiCommunicator::finish(int status) {
  const auto finished = std::make_shared<std::atomic<bool>>(false);
  std::thread([status, finished] {
    std::this_thread::sleep_for(finish_within);
    if (!*finished) ::_exit(status);
  }).detach();
  module_->end();
  *finished = true;
}

void MpiCommunicator::abort(int status) {
  std::thread([status] {
    std::this_thread::sleep_for(abort_within);
    ::_exit(status);
  }).detach();
  module_->abort(status);
  ::_exit(status);
}

}  // namespace edagen
