#include "nfs3/mount_client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <cerrno>

#include "edagen/error.hpp"
#include "nfs3/blocking_rpc.hpp"
#include "nfs3/nfs3_calls.hpp"
#include "rpc/connect_error.hpp"

namespace edagen {
namespace {

using boost::asio::ip::tcp;

constexpr std::size_t max_export_list_bytes = std::size_t{1} << 20;
constexpr std::uint32_t flavor_none = 0, flavor_sys = 1;
constexpr std::string_view reserved_port_hint =
    "the server wants reserved ports: resvport=yes, or `insecure` on the export";
constexpr std::string_view port_hint =
    "nfs://HOST:PORT/EXPORT?mountport=PORT: the first is the port of NFS, the second MOUNT's";

constexpr const char* mount_port_hint =
    "without a port mapper or behind a firewall: nfs://HOST:PORT/EXPORT?mountport=PORT";

/// A server as one of its programs sees this client.
class Asker {
 public:
  Asker(const MountRequest& request, const boost::asio::ip::address& address, std::uint16_t port, RpcProgram program,
        std::string name)
      : request_(request), name_(std::move(name)), rpc_(settings(request, address, port, program)) {}

  template <class Write>
  BlockingReply call(std::uint32_t procedure, std::size_t reply_bytes_max, Write&& write) {
    return rpc_.call(procedure, reply_bytes_max, std::forward<Write>(write));
  }

  /// Results, or an Error in this program's name.
  template <class Write>
  std::vector<std::byte> results_of(std::uint32_t procedure, std::size_t reply_bytes_max, Write&& write) {
    BlockingReply answer = call(procedure, reply_bytes_max, std::forward<Write>(write));
    const bool is_queried_mount = rpc_.settings().program.number == mount3_program.number && !request_.mount_port;
    if (answer.reply.outcome != RpcOutcome::success) throw failure(answer, is_queried_mount ? mount_port_hint : "");
    return std::move(answer.results);
  }

  /// `advice`: the hint where the failure has none of its own.
  Error failure(const BlockingReply& answer, const std::string& advice = "") const {
    const RpcReply& reply = answer.reply;
    const std::string place = endpoint_text(rpc_.settings().server);
    if (reply.outcome == RpcOutcome::connection_failed) {
      if (answer.was_connected)
        return error(fmt::format("{} at {} has not answered for {:g} s", name_, place, to_seconds(request_.timeout)),
                     advice);
      const ConnectErrorText text = connect_error_text(reply.error, rpc_.settings());
      const bool has_advice = !advice.empty() && (text.hint.empty() || reply.error == ETIMEDOUT);
      return error(fmt::format("{}: {}", name_, text.what), has_advice ? advice : text.hint);
    }
    const bool is_refused = reply.outcome == RpcOutcome::authentication_refused;
    return error(fmt::format("{} at {}: {}", name_, place, to_string(reply)),
                 is_refused && !request_.reserved_port              ? std::string(reserved_port_hint)
                 : reply.outcome == RpcOutcome::program_unavailable ? std::string(port_hint)
                                                                    : advice);
  }
  Error malformed() const {
    return error(
        fmt::format("{} at {} sends a reply that cannot be decoded", name_, endpoint_text(rpc_.settings().server)));
  }
  Error error(const std::string& what, const std::string& hint = "") const {
    return run_error(request_.where, what, hint);
  }

 private:
  static RpcConnectionSettings settings(const MountRequest& request, const boost::asio::ip::address& address,
                                        std::uint16_t port, RpcProgram program) {
    RpcConnectionSettings settings;
    settings.server = tcp::endpoint(address, port);
    settings.source = request.source;
    settings.reserved_port = request.reserved_port;
    settings.program = program;
    settings.credential = RpcCredential(request.credential);
    settings.timeout = request.timeout;
    return settings;
  }

  const MountRequest& request_;
  std::string name_;
  BlockingRpc rpc_;
};

/// The port of a program. `fallback` is taken when no port mapper can be reached; 0: that is an error.
std::uint16_t port_of(const MountRequest& request, const boost::asio::ip::address& address, RpcProgram program,
                      const char* name, std::uint16_t fallback) {
  Asker mapper(request, address, port_mapper_port, port_mapper_program, "the port mapper");
  const BlockingReply answer =
      mapper.call(port_mapper_getport, 4, [&](XdrWriter& writer) { encode_getport(writer, program); });
  if (answer.reply.outcome != RpcOutcome::success) {
    if (fallback != 0 && answer.reply.outcome == RpcOutcome::connection_failed) return fallback;
    throw mapper.failure(answer, mount_port_hint);
  }
  std::uint32_t port = 0;
  if (!decode_port(answer.results, port)) throw mapper.malformed();
  if (port == 0)
    throw mapper.error(fmt::format("the port mapper of {} does not have {} version {} over TCP", address.to_string(),
                                   name, program.version),
                       "is version 3 of NFS enabled on the server?");
  return static_cast<std::uint16_t>(port);
}

std::uint16_t mount_port_of(const MountRequest& request, const boost::asio::ip::address& address) {
  return request.mount_port ? *request.mount_port
                            : port_of(request, address, mount3_program, "MOUNT", request.port.value_or(0));
}

std::uint16_t nfs_port_of(const MountRequest& request, const boost::asio::ip::address& address) {
  return request.port
             ? *request.port
             : port_of(request, address, nfs3_program, "NFS", request.mount_port ? nfs_port : std::uint16_t{0});
}

std::vector<ExportEntry> exports_of(Asker& mount) {
  std::vector<ExportEntry> exports;
  const auto results = mount.results_of(static_cast<std::uint32_t>(MountProcedure::export_list), max_export_list_bytes,
                                        [](XdrWriter&) {});
  if (!decode(results, exports)) throw mount.malformed();
  return exports;
}

/// What the server offers, for the message of a failure.
struct Offer {
  std::string text = "its export list cannot be read";  ///< else "it offers /a (10.0.0.0/8), /b"
  bool has_path = true;                                 ///< the path is an export or lies in one, as far as can be seen
};

bool lies_in(const std::string& path, const std::string& directory) {
  return path == directory || directory == "/" || (path.starts_with(directory) && path[directory.size()] == '/');
}

Offer offer_of(Asker& mount, const std::string& path) {
  constexpr std::size_t shown_count = 8;
  Offer offer;
  std::vector<ExportEntry> exports;
  try {
    exports = exports_of(mount);
  } catch (const Error&) {
    return offer;
  }
  offer.has_path =
      std::any_of(exports.begin(), exports.end(), [&](const auto& each) { return lies_in(path, each.path); });
  offer.text = exports.empty() ? "its export list is empty" : "it offers ";
  for (std::size_t i = 0; i < std::min(exports.size(), shown_count); ++i) {
    offer.text += (i > 0 ? ", " : "") + exports[i].path;
    if (!exports[i].groups.empty()) offer.text += fmt::format(" ({})", fmt::join(exports[i].groups, " "));
  }
  if (exports.size() > shown_count) offer.text += fmt::format(" and {} more", exports.size() - shown_count);
  return offer;
}

/// Servers are seen to deny what they do not have. Reserved ports can only be the reason for an export that is there.
Error denial(const MountRequest& request, Asker& mount, MountStatus status) {
  const Offer offer = offer_of(mount, request.path);
  if (status == MountStatus::noent || !offer.has_path)
    return mount.error(fmt::format("the server has no export {} for this client ({}); {}", request.path,
                                   to_string(status), offer.text));
  return mount.error(
      fmt::format("the server denies {} to this client ({}); {}", request.path, to_string(status), offer.text),
      request.reserved_port ? "" : "if this host may mount it, " + std::string(reserved_port_hint));
}

NfsHandle root_of(const MountRequest& request, Asker& mount) {
  MountReply reply;
  const auto results = mount.results_of(static_cast<std::uint32_t>(MountProcedure::mnt), 4096,
                                        [&](XdrWriter& writer) { encode_mount_path(writer, request.path); });
  if (!decode(results, reply)) throw mount.malformed();
  switch (reply.status) {
    case MountStatus::ok: break;
    case MountStatus::noent:
    case MountStatus::acces:
    case MountStatus::perm: throw denial(request, mount, reply.status);
    default: throw mount.error(fmt::format("the server does not mount {} ({})", request.path, to_string(reply.status)));
  }
  const auto is_possible = [](std::uint32_t flavor) { return flavor == flavor_sys || flavor == flavor_none; };
  if (!reply.flavors.empty() && std::none_of(reply.flavors.begin(), reply.flavors.end(), is_possible))
    throw mount.error(fmt::format("{} wants another kind of authentication than AUTH_SYS (flavors {})", request.path,
                                  fmt::join(reply.flavors, ", ")),
                      "sec=sys on the export");
  return reply.root;
}

/// The first address on which something listens: a host can have some that its NFS server does not serve.
boost::asio::ip::address address_of(const MountRequest& request) {
  const auto addresses = addresses_of(request.host, request.source, request.where);
  if (addresses.size() == 1) return addresses.front();
  const std::uint16_t port = request.mount_port ? *request.mount_port : request.port.value_or(port_mapper_port);
  const auto answers = [&](const boost::asio::ip::address& address) {
    Asker any(request, address, port, port_mapper_program, "");
    const BlockingReply answer = any.call(0, 0, [](XdrWriter&) {});
    return answer.was_connected || answer.reply.outcome != RpcOutcome::connection_failed;
  };
  const auto found = std::find_if(addresses.begin(), addresses.end(), answers);
  return found == addresses.end() ? addresses.front() : *found;
}

void require_ok(const MountRequest& request, const Asker& nfs, const char* procedure, NfsStatus status) {
  if (status == NfsStatus::ok) return;
  const bool is_denied = status == NfsStatus::perm || status == NfsStatus::acces;
  throw nfs.error(fmt::format("the server answers {} of {} with {}", procedure, request.path, to_string(status)),
                  is_denied && !request.reserved_port ? std::string(reserved_port_hint) : "");
}

void ask_about_root(const MountRequest& request, MountedExport& mounted) {
  Asker nfs(request, mounted.address, mounted.port, nfs3_program, "NFS version 3");
  GetattrReply attributes;
  const auto getattr =
      nfs.results_of(static_cast<std::uint32_t>(NfsProcedure::getattr), max_reply_bytes(NfsProcedure::getattr),
                     [&](XdrWriter& writer) { encode_getattr(writer, mounted.root); });
  if (!decode(getattr, attributes)) throw nfs.malformed();
  require_ok(request, nfs, "GETATTR", attributes.status);
  mounted.attributes = attributes.attributes;
  const auto fsinfo =
      nfs.results_of(static_cast<std::uint32_t>(NfsProcedure::fsinfo), max_reply_bytes(NfsProcedure::fsinfo),
                     [&](XdrWriter& writer) { encode_fsinfo(writer, mounted.root); });
  if (!decode(fsinfo, mounted.limits)) throw nfs.malformed();
  require_ok(request, nfs, "FSINFO", mounted.limits.status);
  if (mounted.limits.read_max == 0 || mounted.limits.write_max == 0)
    throw nfs.error(fmt::format("the server allows reads of {} bytes and writes of {}", mounted.limits.read_max,
                                mounted.limits.write_max));
}

}  // namespace

std::vector<boost::asio::ip::address> addresses_of(const std::string& host, const boost::asio::ip::address& source,
                                                   const std::string& where) {
  boost::asio::io_context context;
  tcp::resolver resolver(context);
  boost::system::error_code error;
  const auto found = resolver.resolve(host, "", error);
  if (error)
    throw run_error(where, fmt::format("the host {} is unknown ({})", host, error.message()),
                    "its name as in DNS or /etc/hosts, or its address");
  std::vector<boost::asio::ip::address> addresses;
  for (const auto& entry : found) {
    const boost::asio::ip::address address = entry.endpoint().address();
    if ((source.is_unspecified() || source.is_v6() == address.is_v6()) &&
        std::find(addresses.begin(), addresses.end(), address) == addresses.end())
      addresses.push_back(address);
  }
  if (addresses.empty())
    throw run_error(where, fmt::format("{} has no address of the family of {}", host, source.to_string()), "source=");
  return addresses;
}

MountedExport mount_export(const MountRequest& request) {
  MountedExport mounted;
  mounted.address = address_of(request);
  Asker mount(request, mounted.address, mount_port_of(request, mounted.address), mount3_program, "MOUNT version 3");
  mounted.root = root_of(request, mount);
  mounted.port = nfs_port_of(request, mounted.address);
  ask_about_root(request, mounted);
  return mounted;
}

}  // namespace edagen
