// The entries of a READDIR or READDIRPLUS reply, one after the other.
#pragma once

#include "nfs3/nfs3_types.hpp"

namespace edagen {

struct DirectoryEntry {
  std::uint64_t file_id = 0;
  std::string_view name;                    ///< 1 to 255 bytes without '/' and NUL; refers to the reply
  std::uint64_t cookie = 0;                 ///< requests what comes after this entry
  std::optional<NfsAttributes> attributes;  ///< READDIRPLUS; may be left out
  NfsHandle file;                           ///< READDIRPLUS; may be left out
};

class DirectoryEntries {
 public:
  DirectoryEntries() : reader_({}) {}
  /// `cookie`: that of the call.
  DirectoryEntries(ByteSpan results, bool plus, std::uint64_t cookie)
      : reader_(results), plus_(plus), cookie_(cookie) {}

  /// Returns false after the last entry, and when the next one cannot be decoded: ok() is false then. An entry whose
  /// cookie is that of the entry before it, or of the call, does not advance, and is a failure.
  bool next(DirectoryEntry& entry);
  bool ok() const { return reader_.ok(); }
  /// After the last entry: the directory has no more. When it has more, the next call has cookie() and the reply's
  /// verifier; a reply that has no entry and is not the end is a failure.
  bool end_of_directory() const { return end_; }
  std::uint64_t cookie() const { return cookie_; }

 private:
  XdrReader reader_;
  bool plus_ = false, done_ = false, end_ = false, any_ = false;
  std::uint64_t cookie_ = 0;
};

/// Finds listings that never end, as those of a server that ignores the cookie of a call (Brent's method).
class ListingLoop {
 public:
  /// `cookie`: that of the next call. Returns whether the listing has come back to it.
  bool comes_back_to(std::uint64_t cookie) {
    if (cookie == kept_) return true;
    if (++calls_ == next_) {
      kept_ = cookie;
      next_ *= 2;
    }
    return false;
  }

 private:
  std::uint64_t kept_ = 0, calls_ = 0, next_ = 1;
};

}  // namespace edagen
