// A memory server with procs, an NfsTarget on it, and ops one after the other.
#pragma once

#include <gtest/gtest.h>

#include <deque>

#include "dataset/dataset_layout.hpp"
#include "nfs_client/memory_server.hpp"
#include "nfs_client/nfs_target.hpp"
#include "workload/workload_file.hpp"

namespace edagen::testing {

struct NfsSite {
  /// `clients` with `procs` procs each of this kind.
  explicit NfsSite(ProcSpec kind = small_kind(), std::size_t clients = 1, std::size_t procs = 1)
      : spec(std::move(kind)) {
    for (std::size_t client = 0; client < clients; ++client)
      for (std::size_t proc = 0; proc < procs; ++proc) {
        const FilePopulation files(spec, spec.dataset, proc_seed(1, places.size()));
        places.push_back(
            {.server = 0, .client = client, .directory = proc_directory(client, proc), .spec = &spec, .files = files});
        server.add_proc(places.back().directory, files);
      }
    options.jukebox_wait = std::chrono::milliseconds(1);
  }

  /// Four data files of 16 KiB, two empty ones, two directories; all kinds of links.
  static ProcSpec small_kind() {
    ProcSpec spec;
    spec.dataset.data_files = 4;
    spec.dataset.empty_files = 2;
    spec.dataset.directories = 2;
    spec.weights[static_cast<std::size_t>(OpKind::readlink)] = 1;
    spec.weights[static_cast<std::size_t>(OpKind::rmdir)] = 1;
    return spec;
  }

  NfsServer nfs_server() {
    NfsServer its;
    its.name = "nfs://server/vol";
    its.address = "127.0.0.1";
    its.port = server.port();
    its.exported = "/vol";
    its.root_path = "/vol/edagen.data";
    const NfsHandle handle = server.root();
    const ByteSpan root = handle.span();
    its.root.assign(root.begin(), root.end());
    its.settings = settings;
    return its;
  }
  void mount() {
    target = std::make_unique<NfsTarget>(std::vector{nfs_server()}, places, options);
    queue = target->make_queue({{0, depth}});
  }

  /// Carries out an op of the first proc.
  OpResult run(const Op& op) {
    if (!target) mount();
    begin(op);
    return wait();
  }
  void begin(const Op& op, std::uint32_t slot = 0) { queue->begin(slot, 0, op); }
  OpResult wait() {
    std::array<TargetQueue::Completion, 1> done;
    for (const TimePoint deadline = now() + std::chrono::minutes(2); now() < deadline;)
      if (queue->complete(done, std::chrono::milliseconds(20)) == 1) return done[0].result;
    ADD_FAILURE() << "the op does not end";
    return {.error = -1, .bytes_read = 0, .bytes_written = 0};
  }
  /// The RPCs of an op, whose result is as it should be.
  std::string rpcs(const Op& op, int error = 0) {
    if (!target) mount();
    server.procedures();
    const OpResult result = run(op);
    EXPECT_EQ(result.error, error) << to_string(op.kind);
    if (error == 0) {
      EXPECT_EQ(result.bytes_read, success_of(op).bytes_read) << to_string(op.kind);
      EXPECT_EQ(result.bytes_written, success_of(op).bytes_written) << to_string(op.kind);
    }
    return server.procedures();
  }
  std::string path(NameRef name) const { return places[0].directory + "/" + NameWriter(spec.dataset).path(name); }
  NfsEvents events() const { return target->counters()[0].events; }

  ProcSpec spec;
  MemoryServer server;
  std::vector<NfsPlace> places;
  NfsSettings settings;
  NfsTargetOptions options;
  unsigned depth = 1;
  std::unique_ptr<NfsTarget> target;
  std::unique_ptr<TargetQueue> queue;
};

inline Op op_of(OpKind kind, NameRef name, NameRef other = {}) {
  Op op;
  op.kind = kind;
  op.name = name;
  op.other = other;
  return op;
}
inline Op transfer_of(OpKind kind, std::uint64_t file, Bytes offset, Bytes length) {
  Op op = op_of(kind, {NameClass::data, file});
  op.offset = offset;
  op.length = length;
  return op;
}

inline constexpr NameRef data_file{NameClass::data, 0}, empty_file{NameClass::empty, 0};

}  // namespace edagen::testing
