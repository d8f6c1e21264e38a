// The files that a proc has open between ops, and what was written to them and is not yet committed.
#pragma once

#include <memory>
#include <vector>

#include "edagen/units.hpp"
#include "nfs3/nfs3_types.hpp"
#include "nfs_client/task.hpp"

namespace edagen {

struct FileExtent {
  Bytes offset = 0, length = 0;
  Bytes end() const { return offset + length; }
};

/// What a server has taken and may still lose, because it answered UNSTABLE.
class UnstableData {
 public:
  bool any() const { return !extents_.empty(); }
  /// The server's verifier when it took the data: another one later shows that they may be lost.
  NfsVerifier verifier() const { return verifier_; }
  void set_verifier(NfsVerifier verifier) { verifier_ = verifier; }
  /// Extents that overlap or touch become one, and so do the nearest two when there are more than 64: too much is
  /// written again then, when the server has lost data.
  void add(FileExtent extent);
  /// Takes all extents out.
  std::vector<FileExtent> take() { return std::exchange(extents_, {}); }
  /// Takes all extents out for a COMMIT: while this object lives they are not known to be on the storage.
  class Committing {
   public:
    explicit Committing(UnstableData& data) : extents(data.take()), data_(data) { data_.commits_ += count(); }
    ~Committing() { data_.commits_ -= count(); }
    Committing(const Committing&) = delete;
    Committing& operator=(const Committing&) = delete;

    const std::vector<FileExtent> extents;

   private:
    unsigned count() const { return extents.empty() ? 0 : 1; }
    UnstableData& data_;
  };
  bool is_committing() const { return commits_ > 0; }
  /// Whether data may be written again once more: false when a server loses them each time.
  bool may_rewrite() { return rewrites_++ < most_rewrites; }
  void committed() { rewrites_ = 0; }

 private:
  static constexpr std::size_t most_extents = 64;
  static constexpr unsigned most_rewrites = 8;

  std::vector<FileExtent> extents_;  ///< by offset, disjoint
  NfsVerifier verifier_ = 0;
  unsigned rewrites_ = 0, commits_ = 0;
};

/// A proc keeps one file each for random, sequential reading and sequential writing ops; at depth also files before
/// it, until their ops have ended.
enum class FilePlace : std::uint8_t { random, reading, writing };

struct OpenNfsFile {
  enum class State : std::uint8_t { closed, opening, open, closing };

  std::uint64_t index = 0;  ///< of the data file
  State state = State::closed;
  FilePlace place = FilePlace::random;
  unsigned users = 0;  ///< ops on it
  NfsHandle handle;
  UnstableData unstable;
  TaskGate gate;  ///< opens when the file is no longer opening
};

/// The objects are used again and again. Not thread-safe.
class OpenNfsFiles {
 public:
  /// The file that is open or opening at this place.
  OpenNfsFile* find(std::uint64_t index, FilePlace place) const {
    return find_if([&](const OpenNfsFile& file) {
      return file.index == index && file.place == place &&
             (file.state == OpenNfsFile::State::open || file.state == OpenNfsFile::State::opening);
    });
  }
  /// A file that is open at the place and has no ops.
  OpenNfsFile* idle_at(FilePlace place) const {
    return find_if([&](const OpenNfsFile& file) {
      return file.place == place && file.state == OpenNfsFile::State::open && file.users == 0;
    });
  }
  /// An open file with data to commit.
  OpenNfsFile* unstable() const {
    return find_if([](const OpenNfsFile& file) { return file.unstable.any(); });
  }
  OpenNfsFile& closed() {
    OpenNfsFile* const file = find_if([](const OpenNfsFile& each) { return each.state == OpenNfsFile::State::closed; });
    return file ? *file : *files_.emplace_back(std::make_unique<OpenNfsFile>());
  }
  /// Drops what was known of a file's handle, or of all; ops on them go on with the old one.
  void forget(std::uint64_t index) {
    for (const auto& file : files_)
      if (file->index == index && file->state == OpenNfsFile::State::open) file->handle = NfsHandle();
  }
  /// After an end with ops in flight: they are no longer.
  void ops_are_gone() {
    for (const auto& file : files_) {
      file->users = 0;
      file->gate.forget();
      if (file->state != OpenNfsFile::State::open) file->state = OpenNfsFile::State::closed;
    }
  }

 private:
  template <class F>
  OpenNfsFile* find_if(F f) const {
    for (const auto& file : files_)
      if (f(*file)) return file.get();
    return nullptr;
  }

  std::vector<std::unique_ptr<OpenNfsFile>> files_;
};

}  // namespace edagen
