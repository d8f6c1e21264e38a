#include "nfs3/mount_client.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>

#include "nfs3/nfs3_results.hpp"
#include "support/error_of.hpp"

namespace edagen::testing {
namespace {

using std::chrono::milliseconds;

/// A server of MOUNT and NFS at one port, whose answers a test can replace by program and procedure.
class NfsServer {
 public:
  using Answer = std::function<void(LyingServer::Wire&, const WireCall&)>;
  using Key = std::pair<std::uint32_t, std::uint32_t>;

  explicit NfsServer(std::map<Key, Answer> others = {})
      : others_(std::move(others)), server_([this](auto& wire, const WireCall& call) { answer(wire, call); }) {}

  MountRequest request() const {
    MountRequest request;
    request.host = "127.0.0.1";
    request.path = "/vol";
    request.port = request.mount_port = server_.port();
    request.timeout = std::chrono::seconds(20);
    request.where = "nfs://filer/vol";
    return request;
  }

  std::atomic<std::uint32_t> uid = 0;

 private:
  void answer(LyingServer::Wire& wire, const WireCall& call) {
    uid = call.uid;
    const auto other = others_.find({call.program, call.procedure});
    if (other != others_.end()) return other->second(wire, call);
    if (call.program == 100005 && call.procedure == 1) wire.answer(call, mount_results(handle_of(1)));
    else if (call.program == 100005 && call.procedure == 5)
      wire.answer(call, export_results({{"/vol", {"10.0.0.0/8"}}, {"/b", {}}}));
    else if (call.procedure == 1) wire.answer(call, getattr_results(some_attributes(1, NfsFileType::directory)));
    else if (call.procedure == 19) wire.answer(call, fsinfo_results(65536, 32768));
    else wire.send(call.connection, framed(unaccepted_reply(call.xid, 3)));
  }

  std::map<Key, Answer> others_;
  LyingServer server_;
};

constexpr NfsServer::Key at_mnt{100005, 1}, at_getattr{100003, 1}, at_fsinfo{100003, 19}, at_export_list{100005, 5};

NfsServer::Answer sends_results(ByteVector bytes) {
  return [bytes = std::move(bytes)](auto& wire, const WireCall& call) { wire.answer(call, bytes); };
}
NfsServer::Answer sends_denial(std::uint32_t auth_status) {
  return [auth_status](auto& wire, const WireCall& call) {
    wire.send(call.connection, framed(denied_reply(call.xid, auth_status)));
  };
}

std::string failure_of(const MountRequest& request) {
  return error_of([&] { mount_export(request); }, Error::Kind::run);
}

void expect_words(const std::string& text, std::initializer_list<std::string_view> words) {
  EXPECT_TRUE(text.starts_with("nfs://filer/vol: ")) << text;
  for (const std::string_view word : words)
    EXPECT_NE(text.find(word), std::string::npos) << text << "\nlacks: " << word;
}

TEST(MountClient, AMountHasTheRootItsAttributesAndLimits) {
  NfsServer server;
  MountRequest request = server.request();
  request.credential.uid = 4711;
  const MountedExport mounted = mount_export(request);
  EXPECT_EQ(mounted.address.to_string(), "127.0.0.1");
  EXPECT_EQ(mounted.port, *request.port);
  EXPECT_EQ(mounted.root, handle_of(1));
  EXPECT_EQ(mounted.attributes.type, NfsFileType::directory);
  EXPECT_EQ(mounted.limits.read_max, 65536U);
  EXPECT_EQ(mounted.limits.write_max, 32768U);
  EXPECT_EQ(server.uid, 4711U);
}

TEST(MountClient, AnUnknownHostIsNamed) {
  MountRequest request = NfsServer().request();
  request.host = "no-such-host.invalid";
  expect_words(failure_of(request), {"the host no-such-host.invalid is unknown"});
}

TEST(MountClient, APortAtWhichNothingListensIsNamed) {
  MountRequest request = NfsServer().request();  // whose server is gone
  expect_words(failure_of(request), {"MOUNT version 3: nothing listens at 127.0.0.1:"});
  request.port = request.mount_port;  // where no port mapper is, MOUNT is looked for at the port of NFS
  request.mount_port.reset();
  expect_words(failure_of(request), {"MOUNT version 3: nothing listens at 127.0.0.1:", "?mountport=PORT"});
}

TEST(MountClient, ASilentServerIsToldApartFromNone) {
  NfsServer server({{at_mnt, [](auto&, const WireCall&) {}}});
  MountRequest request = server.request();
  request.timeout = milliseconds(500);
  expect_words(failure_of(request), {"MOUNT version 3 at 127.0.0.1:", "has not answered for 0.5 s"});
}

TEST(MountClient, WhereMountIsNotAtThePortOfNfsItsOwnPortIsTheHint) {
  NfsServer server({{at_mnt, [](auto& wire, const WireCall& call) {
                       wire.send(call.connection, framed(unaccepted_reply(call.xid, 1)));
                     }}});
  expect_words(failure_of(server.request()), {"MOUNT version 3 at", "does not offer the program", "?mountport=PORT"});
}

TEST(MountClient, ADeniedExportShowsWhatTheServerOffersAndReservedPorts) {
  NfsServer server({{at_mnt, sends_results(word_of_status(13))}});
  expect_words(failure_of(server.request()), {"denies /vol to this client (MNT3ERR_ACCES)",
                                              "it offers /vol (10.0.0.0/8), /b", "resvport=yes", "`insecure`"});
}

TEST(MountClient, AnExportThatIsNotThereShowsThoseThatAre) {
  for (const std::uint32_t status : {2U, 13U}) {  // a server may deny what it does not have
    NfsServer server({{at_mnt, sends_results(word_of_status(status))}});
    MountRequest request = server.request();
    request.path = "/volume";
    const std::string text = failure_of(request);
    expect_words(text, {"has no export /volume for this client (MNT3ERR_", "it offers /vol (10.0.0.0/8), /b"});
    EXPECT_EQ(text.find("resvport"), std::string::npos);
  }
}

TEST(MountClient, AnExportListThatCannotBeReadDoesNotHideTheFailure) {
  NfsServer server({{at_mnt, sends_results(word_of_status(2))}, {at_export_list, sends_denial(5)}});
  expect_words(failure_of(server.request()), {"MNT3ERR_NOENT", "its export list cannot be read"});
}

TEST(MountClient, AServerThatWantsReservedPortsIsNamed) {
  for (const NfsServer::Key& at : {at_mnt, at_getattr}) {
    NfsServer server({{at, sends_denial(auth_too_weak)}});
    expect_words(failure_of(server.request()), {"AUTH_TOOWEAK", "resvport=yes, or `insecure` on the export"});
  }
  NfsServer server({{at_getattr, sends_results(failed_results(NfsProcedure::getattr, NfsStatus::perm))}});
  expect_words(failure_of(server.request()), {"GETATTR of /vol with NFS3ERR_PERM", "resvport=yes"});
}

TEST(MountClient, WhereTheVersionIsMissingThoseThatAreThereAreNamed) {
  NfsServer server({{at_getattr, [](auto& wire, const WireCall& call) {
                       wire.send(call.connection, framed(unaccepted_reply(call.xid, 2, 4, 4)));
                     }}});
  expect_words(failure_of(server.request()), {"NFS version 3 at", "offers versions 4 to 4"});
}

TEST(MountClient, AnExportThatWantsKerberosIsNamed) {
  NfsServer server({{at_mnt, sends_results(mount_results(handle_of(1), {390003, 390004}))}});
  expect_words(failure_of(server.request()), {"other", "than AUTH_SYS (flavors 390003, 390004)"});
}

TEST(MountClient, RepliesThatCannotBeDecodedAreNamed) {
  for (const NfsServer::Key& at : {at_mnt, at_getattr, at_fsinfo}) {
    NfsServer server({{at, sends_results(ByteVector(6))}});
    expect_words(failure_of(server.request()), {"cannot be decoded"});
  }
}

TEST(MountClient, LimitsThatAllowNoTransferAreRefused) {
  NfsServer server({{at_fsinfo, sends_results(fsinfo_results(0, 4096))}});
  expect_words(failure_of(server.request()), {"reads of 0 bytes"});
}

TEST(MountClient, AServerThatDropsTheConnectionIsNamed) {
  NfsServer server({{at_getattr, [](auto& wire, const WireCall& call) { wire.close(call.connection, true); }}});
  expect_words(failure_of(server.request()), {"NFS version 3", "Connection reset by peer"});
}

}  // namespace
}  // namespace edagen::testing
