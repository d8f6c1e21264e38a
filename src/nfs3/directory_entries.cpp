#include "nfs3/directory_entries.hpp"

#include <algorithm>

#include "nfs3/nfs3_reader.hpp"

namespace edagen {
namespace {

bool is_name(std::string_view name) {
  return !name.empty() && name.find('/') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

}  // namespace

bool DirectoryEntries::next(DirectoryEntry& entry) {
  if (done_ || !ok()) return false;
  if (!reader_.boolean()) {
    done_ = true;
    end_ = reader_.boolean();
    if (!end_ && !any_) reader_.fail();
    return false;
  }
  any_ = true;
  entry.file_id = reader_.u64();
  entry.name = reader_.string(max_nfs_name_bytes);
  if (!is_name(entry.name)) reader_.fail();
  entry.cookie = reader_.u64();
  if (entry.cookie == cookie_) reader_.fail();
  entry.attributes.reset();
  entry.file = {};
  if (plus_) {
    read_optional(reader_, entry.attributes);
    entry.file = read_optional_handle(reader_);
  }
  if (!ok()) return false;
  cookie_ = entry.cookie;
  return true;
}

}  // namespace edagen
