#include "nfs_dataset/open_export.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>

#include "edagen/error.hpp"
#include "nfs_dataset/nfs_session.hpp"

namespace edagen {
namespace {

std::string host_name() {
  char host[HOST_NAME_MAX + 1] = {};
  ::gethostname(host, sizeof host - 1);
  return host;
}

MountRequest request_of(const NfsUrl& url, const AuthSys& who) {
  MountRequest request{.host = url.host,
                       .path = url.path,
                       .port = url.port,
                       .mount_port = url.mount_port,
                       .source = {},
                       .reserved_port = url.reserved_ports,
                       .credential = who,
                       .where = url.text};
  if (!url.sources.empty()) request.source = boost::asio::ip::make_address(url.sources.front());
  return request;
}

/// Nothing has been touched when an export is opened: what is wrong is wrong with the URL.
MountedExport mounted(const NfsUrl& url, const AuthSys& who) {
  try {
    return mount_export(request_of(url, who));
  } catch (const Error& error) {
    const std::string text = error.what(), where = one_line(url.text) + ": ";
    throw usage_error(url.text, text.starts_with(where) ? text.substr(where.size()) : text);
  }
}

std::uint32_t transfer_of(Bytes of_url, std::uint32_t of_server) {
  return static_cast<std::uint32_t>(of_server == 0 ? of_url : std::min<Bytes>(of_url, of_server));
}

}  // namespace

NfsExport open_export(const NfsUrl& url) {
  NfsExport opened{.url = url, .mounted = {}, .who = credential_of(url, "edagen-" + host_name()), .free = {}};
  opened.mounted = mounted(url, opened.who);
  opened.read_bytes_max = transfer_of(url.read_size, opened.mounted.limits.read_max);
  opened.write_bytes_max = transfer_of(url.write_size, opened.mounted.limits.write_max);
  if (opened.mounted.attributes.type != NfsFileType::directory) throw usage_error(url.text, "is not a directory");
  opened.free = NfsSession(opened).free_space();
  return opened;
}

}  // namespace edagen
