#include "nfs_dataset/nfs_checks.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstring>

#include "base/own_file.hpp"
#include "edagen/error.hpp"

namespace edagen {

std::string status_text(NfsStatus status) {
  return fmt::format("{} ({})", std::strerror(to_errno(status)), to_string(status));
}

void require_ok(NfsStatus status, const std::string& path) {
  if (status != NfsStatus::ok) throw run_error(path, status_text(status));
}

std::string why_not_directory(const NfsFile& file, const NfsExport& at) {
  if (file.attributes.type == NfsFileType::symlink) return "is a symbolic link";
  if (file.attributes.type != NfsFileType::directory) return "is not a directory";
  if (file.attributes.fsid != at.mounted.attributes.fsid) return "is on another file system than the export";
  return "";
}

std::string not_own(const NfsAttributes& attributes, uid_t owner) {
  struct stat info {};
  info.st_uid = attributes.uid;
  info.st_mode = attributes.mode;
  return not_own(info, owner);
}

void check_own_file(const NfsFile& file, uid_t owner, const std::string& path) {
  const char* const hint = "move it away";
  if (file.attributes.type != NfsFileType::regular) throw usage_error(path, "is not a regular file", hint);
  if (file.attributes.links > 1) throw usage_error(path, "has another name elsewhere (a hard link)", hint);
  if (const std::string why = not_own(file.attributes, owner); !why.empty()) throw usage_error(path, why, hint);
}

NfsFile own_directory(NfsSession& session, const NfsHandle& from, const std::string& from_path, const std::string& path,
                      uid_t owner) {
  NfsFile file{from, {}};
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string shown = from_path + "/" + path.substr(0, end);
    const NfsHandle above = file.handle;
    require_ok(session.look_up(above, path.substr(at, end - at), file), shown);
    std::string why = why_not_directory(file, session.at());
    if (why.empty()) why = not_own(file.attributes, owner);
    if (!why.empty()) throw run_error(shown, why, "edagen clean removes the dataset");
    at = end + 1;
  }
  return file;
}

}  // namespace edagen
