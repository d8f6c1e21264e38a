// Inside of DatasetBuilder: one directory of one proc.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <optional>
#include <stop_token>

#include "edagen/core/descriptor.hpp"
#include "edagen/dataset/dataset_plan.hpp"
#include "edagen/dataset/payload.hpp"

namespace edagen {

/// Shared by the threads of a build.
struct BuildCounters {
  std::atomic<std::uint64_t> directories{0}, files{0}, files_made{0};
  std::atomic<Bytes> bytes{0};
};

/// For one thread.
class DirectoryBuilder {
 public:
  explicit DirectoryBuilder(BuildCounters& counters) : counters_(counters) {}

  /// Makes directory `index` of `proc` hold exactly what the plan says. `root` is the dataset directory; `path` is that
  /// of the proc, for messages. Throws Error (run). Where it is stopped a file may be too short: the next build makes
  /// it anew.
  void build(const PlannedProc& proc, int root, const std::string& path, std::uint64_t index, std::stop_token stop);

 private:
  void make_path(const PlannedProc& proc, int root, std::uint64_t index);
  void remove_changes(const PlannedProc& proc, std::uint64_t index);
  void make_names(const PlannedProc& proc, std::uint64_t index, std::stop_token stop);
  void make_file(Bytes size, Payload& payload, std::stop_token stop);
  bool is_there(NameRef ref) const;
  [[noreturn]] void fail() const;
  Payload& payload_for(const PlannedProc& proc);

  BuildCounters& counters_;
  Descriptor directory_;
  bool fresh_ = false;
  char leaf_[NameWriter::longest];
  std::string path_;
  std::vector<NameRef> there_;  ///< names that are as they should be, sorted; only in a directory that was there before
  double duplicate_percent_ = -1, compressible_percent_ = -1;
  std::optional<Payload> payload_;
};

/// Calls f(name, type as in dirent) for each entry of the directory but . and .. .
void for_each_name(int directory_fd, const std::function<void(const char*, unsigned char)>& f);

/// Removes `name` below `parent` with all it holds; follows no link and enters no other file system than `device`.
void remove_tree(int parent, const char* name, dev_t device);

}  // namespace edagen
