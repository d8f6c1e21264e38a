#include "nfs3/nfs3_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

namespace edagen {
namespace {

struct StatusRow {
  NfsStatus status;
  int error;
  std::string_view name;  ///< after NFS3ERR_
};

constexpr StatusRow rows[] = {
    {NfsStatus::perm, EPERM, "PERM"},
    {NfsStatus::noent, ENOENT, "NOENT"},
    {NfsStatus::io, EIO, "IO"},
    {NfsStatus::nxio, ENXIO, "NXIO"},
    {NfsStatus::acces, EACCES, "ACCES"},
    {NfsStatus::exist, EEXIST, "EXIST"},
    {NfsStatus::xdev, EXDEV, "XDEV"},
    {NfsStatus::nodev, ENODEV, "NODEV"},
    {NfsStatus::notdir, ENOTDIR, "NOTDIR"},
    {NfsStatus::isdir, EISDIR, "ISDIR"},
    {NfsStatus::inval, EINVAL, "INVAL"},
    {NfsStatus::fbig, EFBIG, "FBIG"},
    {NfsStatus::nospc, ENOSPC, "NOSPC"},
    {NfsStatus::rofs, EROFS, "ROFS"},
    {NfsStatus::mlink, EMLINK, "MLINK"},
    {NfsStatus::nametoolong, ENAMETOOLONG, "NAMETOOLONG"},
    {NfsStatus::notempty, ENOTEMPTY, "NOTEMPTY"},
    {NfsStatus::dquot, EDQUOT, "DQUOT"},
    {NfsStatus::stale, ESTALE, "STALE"},
    {NfsStatus::remote, EREMOTE, "REMOTE"},
    {NfsStatus::badhandle, EBADF, "BADHANDLE"},
    {NfsStatus::not_sync, EBUSY, "NOT_SYNC"},
    {NfsStatus::bad_cookie, EINVAL, "BAD_COOKIE"},
    {NfsStatus::notsupp, EOPNOTSUPP, "NOTSUPP"},
    {NfsStatus::toosmall, EMSGSIZE, "TOOSMALL"},
    {NfsStatus::serverfault, EREMOTEIO, "SERVERFAULT"},
    {NfsStatus::badtype, EOPNOTSUPP, "BADTYPE"},
    {NfsStatus::jukebox, EAGAIN, "JUKEBOX"},
};

const StatusRow* row_of(NfsStatus status) {
  const auto found =
      std::find_if(std::begin(rows), std::end(rows), [&](const StatusRow& row) { return row.status == status; });
  return found == std::end(rows) ? nullptr : found;
}

}  // namespace

std::string_view to_string(NfsProcedure procedure) {
  static constexpr std::string_view names[nfs_procedure_count] = {
      "NULL",    "GETATTR",     "SETATTR", "LOOKUP", "ACCESS",   "READLINK", "READ",   "WRITE",
      "CREATE",  "MKDIR",       "SYMLINK", "MKNOD",  "REMOVE",   "RMDIR",    "RENAME", "LINK",
      "READDIR", "READDIRPLUS", "FSSTAT",  "FSINFO", "PATHCONF", "COMMIT"};
  const auto number = static_cast<std::size_t>(procedure);
  return number < nfs_procedure_count ? names[number] : "UNKNOWN";
}

int to_errno(NfsStatus status) {
  if (status == NfsStatus::ok) return 0;
  const StatusRow* row = row_of(status);
  return row ? row->error : EIO;
}

std::string to_string(NfsStatus status) {
  if (status == NfsStatus::ok) return "NFS3_OK";
  const StatusRow* row = row_of(status);
  return row ? fmt::format("NFS3ERR_{}", row->name) : fmt::format("NFS3ERR_{}", static_cast<std::uint32_t>(status));
}

}  // namespace edagen
