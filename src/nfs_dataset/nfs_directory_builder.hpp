// A part of NfsDataset: builds one directory of one proc, as DirectoryBuilder does on a mount.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "dataset/directory_builder.hpp"
#include "nfs_dataset/nfs_root.hpp"

namespace edagen {

/// Used by one thread.
class NfsDirectoryBuilder {
 public:
  NfsDirectoryBuilder(BuildCounters& counters, StuckWatch::Thread& thread) : counters_(counters), thread_(thread) {}

  /// As DirectoryBuilder::build().
  void build(NfsSession& session, const std::string& above, const FileSet& files, const NfsRoot& root,
             std::uint64_t index, const std::stop_token& stop);

 private:
  void make_path(const std::string& above, const FileSet& files, const NfsRoot& root, std::uint64_t index);
  void remove_changes(const FileSet& files, std::uint64_t index, uid_t owner);
  void remove(const NfsEntry& entry);
  void make_files(const FileSet& files, std::uint64_t index, const std::stop_token& stop);
  void make_other_names(const FileSet& files, std::uint64_t index);
  NfsFile make_file(const std::string& leaf, Bytes size, Payload& payload, const std::stop_token& stop);
  std::string shown(const std::string& leaf) const { return path_ + "/" + leaf; }

  BuildCounters& counters_;
  StuckWatch::Thread& thread_;
  NfsSession* session_ = nullptr;
  NfsHandle directory_;
  bool fresh_ = false;
  std::string path_;
  std::vector<NameRef> there_;        ///< names that are as planned, sorted; only in a directory that existed before
  std::vector<NfsEntry> data_files_;  ///< of this directory that are there or were made, for hard links
  BuildPayload payload_;
};

}  // namespace edagen
