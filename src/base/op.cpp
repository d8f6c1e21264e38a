#include "edagen/op.hpp"

#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace edagen {
namespace {

constexpr auto op_names = std::to_array<std::string_view>(
    {"open",       "close",        "read_file",  "read_seq", "read_rand", "mmap_read", "write_file", "write_seq",
     "write_rand", "write_append", "mmap_write", "rmw",      "copyfile",  "stat",      "access",     "statfs",
     "create",     "unlink",       "rename",     "mkdir",    "rmdir",     "readdir",   "chmod",      "truncate",
     "symlink",    "readlink",     "link",       "lock",     "fsync"});
static_assert(op_names.size() == op_kind_count);

}  // namespace

std::string_view to_string(OpKind kind) { return op_names[static_cast<std::size_t>(kind)]; }

std::optional<OpKind> parse_op_kind(std::string_view name) {
  for (std::size_t i = 0; i < op_names.size(); ++i)
    if (op_names[i] == name) return static_cast<OpKind>(i);
  return std::nullopt;
}

const std::array<OpKind, op_kind_count>& all_op_kinds() {
  static const auto kinds = [] {
    std::array<OpKind, op_kind_count> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<OpKind>(i);
    return all;
  }();
  return kinds;
}

OpResult success_of(const Op& op) {
  OpResult result;
  switch (op.kind) {
    case OpKind::read_file:
    case OpKind::read_seq:
    case OpKind::read_rand:
    case OpKind::mmap_read: result.bytes_read = op.length; break;
    case OpKind::write_file:
    case OpKind::write_seq:
    case OpKind::write_rand:
    case OpKind::write_append:
    case OpKind::mmap_write: result.bytes_written = op.length; break;
    case OpKind::rmw:
    case OpKind::copyfile: result.bytes_read = result.bytes_written = op.length; break;
    default: break;
  }
  return result;
}

std::string_view error_name(int error) {
  switch (error) {
    case short_read_error: return "SHORT_READ";
    case short_write_error: return "SHORT_WRITE";
    case bus_error: return "SIGBUS";
    default: break;
  }
  if (const char* name = strerrorname_np(error)) return name;
  static std::mutex mutex;
  static std::map<int, std::string> unnamed;
  std::lock_guard lock(mutex);
  return unnamed.try_emplace(error, "E" + std::to_string(error)).first->second;
}

}  // namespace edagen
