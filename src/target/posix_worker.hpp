// Inside of PosixTarget: the procs' descriptors, and the thread's part that makes the system calls.
#pragma once

#include <map>

#include "edagen/core/descriptor.hpp"
#include "edagen/core/io_buffer.hpp"
#include "edagen/dataset/payload.hpp"
#include "edagen/target/posix_target.hpp"

namespace edagen {

/// A data file that a proc keeps open between ops.
struct OpenHandle {
  Descriptor fd;
  std::uint64_t file = 0;
  int flags = 0;
  bool written = false;  ///< since it was opened
};

struct PosixProcs {
  struct Proc {
    const ProcPlace* place;
    NameWriter names;
    Descriptor directory;
    OpenHandle random, reading, writing;
  };
  std::vector<ProcPlace> places;
  std::vector<Proc> procs;
};

class PosixWorker final : public TargetWorker {
 public:
  explicit PosixWorker(PosixProcs& shared) : shared_(shared) {}
  OpResult carry_out(std::uint32_t proc, const Op& op) override;

 private:
  using Proc = PosixProcs::Proc;

  OpResult open_session(Proc& proc, const Op& op);
  OpResult close_session(Proc& proc, const Op& op);
  OpResult read_whole(Proc& proc, const Op& op);
  OpResult write_whole(Proc& proc, const Op& op);
  OpResult append(Proc& proc, const Op& op);
  OpResult copy(Proc& proc, const Op& op);
  OpResult positioned(Proc& proc, const Op& op);
  OpResult map(Proc& proc, const Op& op);
  OpResult change_names(Proc& proc, const Op& op);
  OpResult list_directory(Proc& proc, const Op& op);

  /// Makes `handle` be open on the op's file with `flags`; 0 or an errno.
  int ensure_open(Proc& proc, OpenHandle& handle, const Op& op, int flags);
  int close_handle(const Proc& proc, OpenHandle& handle);
  Descriptor open_name(Proc& proc, NameRef name, int flags, int& error);
  const char* path(Proc& proc, NameRef name);
  Payload& payload(const Proc& proc);
  char* read_buffer(const Proc& proc);

  PosixProcs& shared_;
  char path_[NameWriter::longest];
  char other_path_[NameWriter::longest];
  const ProcSpec* buffers_of_ = nullptr;  ///< the kind of the last proc: its buffers are at hand
  Payload* payload_ = nullptr;
  std::map<const ProcSpec*, Payload> payloads_;
  IoBuffer read_buffer_;
  Bytes read_buffer_size_ = 0;
};

}  // namespace edagen
