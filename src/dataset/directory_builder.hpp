// A part of DatasetBuilder: builds one directory of one proc.
#pragma once

#include <algorithm>
#include <optional>
#include <stop_token>

#include "base/descriptor.hpp"
#include "base/stuck_watch.hpp"
#include "dataset/dataset.hpp"
#include "dataset/dataset_root.hpp"
#include "dataset/payload.hpp"

namespace edagen {

inline constexpr Bytes build_write_bytes = MiB;  ///< of the longest write of a build

/// What a thread of a build writes: procs whose shares of bytes are alike have one payload.
class BuildPayload {
 public:
  Payload& of(const ProcSpec& spec);

 private:
  double duplicate_percent_ = -1, compressible_percent_ = -1;
  std::optional<Payload> payload_;
};

/// Calls `make` with each file of directory `index` that is not `there` (sorted), with data or empty, and its size;
/// counts all files.
template <class Make>
void make_missing_files(const FileSet& files, std::uint64_t index, const std::vector<NameRef>& there,
                        BuildCounters& counters, const std::stop_token& stop, Make make) {
  for (const NameClass cls : {NameClass::data, NameClass::empty})
    files.for_each(cls, index, [&](NameRef ref) {
      if (stop.stop_requested()) return;
      const Bytes size = cls == NameClass::data ? files.data_file_size(ref.index) : 0;
      if (std::ranges::binary_search(there, ref)) counters.bytes.fetch_add(size, std::memory_order_relaxed);
      else make(ref, size);
      counters.files.fetch_add(1, std::memory_order_relaxed);
    });
}

/// Used by one thread.
class DirectoryBuilder {
 public:
  DirectoryBuilder(BuildCounters& counters, StuckWatch::Thread& thread) : counters_(counters), thread_(thread) {}

  /// Makes directory `index` of `proc` hold exactly the planned files. `root` must be claimed. Throws Error (run), and
  /// Error (usage) when it would remove a file that neither a build nor a run has made. After a stop a file may be too
  /// short: the next build makes it again.
  void build(const std::string& above, const FileSet& files, const DatasetRoot& root, std::uint64_t index,
             const std::stop_token& stop);

 private:
  void make_path(const std::string& above, const FileSet& files, const DatasetRoot& root, std::uint64_t index);
  void remove_changes(const FileSet& files, std::uint64_t index, uid_t owner);
  void remove(const char* name);
  void make_names(const FileSet& files, std::uint64_t index, const std::stop_token& stop);
  void make_file(Bytes size, Payload& payload, const std::stop_token& stop);
  /// Starts the watch on the next call, on leaf_.
  void begin(const char* what) { thread_.call_started(what, path_, leaf_); }
  [[noreturn]] void fail() const;

  BuildCounters& counters_;
  StuckWatch::Thread& thread_;
  Descriptor directory_;
  bool fresh_ = false;
  char leaf_[NameWriter::longest];
  std::string path_;
  std::vector<NameRef> there_;  ///< names that are as planned, sorted; only in a directory that existed before
  BuildPayload payload_;
};

}  // namespace edagen
