// A part of PosixTarget: the procs' descriptors, and the system calls of a thread.
#pragma once

#include <algorithm>
#include <map>

#include "base/descriptor.hpp"
#include "base/io_buffer.hpp"
#include "dataset/payload.hpp"
#include "edagen/target.hpp"
#include "target/descriptor_budget.hpp"
#include "target/kept_directories.hpp"
#include "target/proc_place.hpp"

namespace edagen {

/// A data file that a proc keeps open between ops.
struct OpenHandle {
  Descriptor fd;
  std::uint64_t file = 0;
  int flags = 0;
  bool written = false;  ///< whether it was written since it was opened
};

/// The longest path of a name below a root, with a closing 0.
inline constexpr std::size_t longest_path = NameWriter::longest + 64;

struct PosixProcs {
  struct Proc {
    const ProcPlace* place;
    NameWriter names;
    KeptDirectories directories;
    OpenHandle random, reading, writing;

    /// Writes the path of `name` below the root into `buffer` of `longest_path` bytes. Returns `buffer`.
    char* write_path(NameRef name, char* buffer) const {
      names.write(name, std::copy(place->directory.begin(), place->directory.end(), buffer) + 1);
      buffer[place->directory.size()] = '/';
      return buffer;
    }
  };
  std::vector<ProcPlace> places;
  std::vector<Proc> procs;
  DescriptorBudget budget;
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
  OpResult on_name(Proc& proc, const Op& op);
  OpResult on_directory(Proc& proc, const Op& op);

  /// Opens the op's file in `handle` with `flags`, if it is not open. Returns 0 or an errno.
  int ensure_open(Proc& proc, OpenHandle& handle, const Op& op, int flags);
  int close_handle(const Proc& proc, OpenHandle& handle);
  /// The directory of `name`, for the time of an op. Below 0 on an error, with errno.
  int directory_of(Proc& proc, NameRef name, Descriptor& passing);
  /// The directory of an op's second name, beside that of the first.
  int other_directory_of(Proc& proc, NameRef name, Descriptor& passing);
  int directory(Proc& proc, std::uint64_t index, Descriptor& passing);
  Descriptor open_name(Proc& proc, NameRef name, int flags, int& error);
  Descriptor open_listed(Proc& proc, NameRef name, int& error);
  Payload& payload(const Proc& proc);
  char* read_buffer(const Proc& proc);

  PosixProcs& shared_;
  char leaf_[NameWriter::longest];
  char other_leaf_[NameWriter::longest];
  const ProcSpec* buffers_of_ = nullptr;  ///< the kind of the last proc, whose buffers are ready
  Payload* payload_ = nullptr;
  std::map<const ProcSpec*, Payload> payloads_;
  IoBuffer read_buffer_;
  Bytes read_buffer_size_ = 0;
};

}  // namespace edagen
