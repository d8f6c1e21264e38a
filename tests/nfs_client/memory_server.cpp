#include "nfs_client/memory_server.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace edagen::testing {

MemoryServer::MemoryServer() : server_([this](LyingServer::Wire& wire, const WireCall& call) { serve(wire, call); }) {
  files_.on_write = [this](std::uint64_t offset, std::uint32_t taken, NfsStable stable) {
    writes_ +=
        fmt::format("{}{}+{}{}", writes_.empty() ? "" : " ", offset, taken, stable == NfsStable::file_sync ? "s" : "");
  };
}

void MemoryServer::add_proc(const std::string& directory, const FilePopulation& files) {
  std::lock_guard lock(mutex_);
  files_.add_proc(directory, files);
}

bool MemoryServer::exists(const std::string& path) const {
  std::lock_guard lock(mutex_);
  return files_.exists(path);
}

std::uint64_t MemoryServer::size(const std::string& path) const {
  std::lock_guard lock(mutex_);
  return files_.size(path);
}

// --- what it has seen, and how it fails

std::string MemoryServer::procedures() {
  std::lock_guard lock(mutex_);
  std::string all;
  for (const NfsProcedure procedure : procedures_) all += (all.empty() ? "" : " ") + std::string(to_string(procedure));
  procedures_.clear();
  return all;
}

std::map<std::string, std::int64_t> MemoryServer::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

std::string MemoryServer::callers() const {
  std::lock_guard lock(mutex_);
  return fmt::format("{}", fmt::join(callers_, ", "));
}

std::string MemoryServer::writes() {
  std::lock_guard lock(mutex_);
  return std::exchange(writes_, {});
}

void MemoryServer::fail(NfsProcedure procedure, NfsStatus status, int times, int after) {
  std::lock_guard lock(mutex_);
  faults_[procedure] = {status, times, after};
}

void MemoryServer::lose_reply(NfsProcedure procedure) {
  std::lock_guard lock(mutex_);
  lost_replies_[procedure] = 1;
}

void MemoryServer::ignore(NfsProcedure procedure, int times) {
  std::lock_guard lock(mutex_);
  ignored_[procedure] = times;
}

void MemoryServer::make_stale(const std::string& path) {
  std::lock_guard lock(mutex_);
  files_.make_stale(path);
}

void MemoryServer::restart() {
  std::lock_guard lock(mutex_);
  files_.restart();
}

void MemoryServer::serve(LyingServer::Wire& wire, const WireCall& call) {
  std::unique_lock lock(mutex_);
  const auto procedure = static_cast<NfsProcedure>(call.procedure);
  procedures_.push_back(procedure);
  callers_.insert(fmt::format("{} {}", call.machine, call.uid));
  ++counts_[std::string(to_string(procedure))];
  if (is_silent_) return;
  if (int& ignored = ignored_[procedure]; ignored > 0) {
    --ignored;
    return;
  }
  const ByteVector results = results_of(call);
  const bool is_lost = lost_replies_[procedure] > 0;
  if (is_lost) --lost_replies_[procedure];
  lock.unlock();
  if (is_lost) wire.close(call.connection);
  else wire.answer(call, results);
}

ByteVector MemoryServer::results_of(const WireCall& call) {
  const auto procedure = static_cast<NfsProcedure>(call.procedure);
  Fault& fault = faults_[procedure];
  if (fault.times == 0 || fault.after-- > 0) {
    const ByteSpan results = files_.results_of(procedure, call.arguments, {call.uid, call.gid});
    return {results.begin(), results.end()};
  }
  --fault.times;
  return xdr_bytes([&](XdrWriter& reply) {
    reply.u32(static_cast<std::uint32_t>(fault.status));
    // What stands after a failure: attributes that are left out.
    if (procedure != NfsProcedure::getattr) reply.boolean(false);
    const bool has_change = procedure == NfsProcedure::setattr || procedure >= NfsProcedure::write;
    if (has_change && procedure != NfsProcedure::readdirplus && procedure != NfsProcedure::fsstat) reply.boolean(false);
    if (procedure == NfsProcedure::rename) reply.u64(0);
    if (procedure == NfsProcedure::link) reply.boolean(false);
  });
}

}  // namespace edagen::testing
