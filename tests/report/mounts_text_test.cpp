#include "report/mounts_text.hpp"

#include <gtest/gtest.h>

#include "report/wrapped_text.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

/// So many clients on so many mounts; client i has a mean response of i + 1 ms.
PointFigures point_of(std::size_t clients, std::size_t mounts) {
  PointFigures point;
  point.seconds = Seconds(10);
  point.operations = 1000 * clients;
  for (std::size_t i = 0; i < clients; ++i) {
    ClientFigures client{.operations = 1000, .bytes = 1 << 20};
    client.response_mean = client.service_mean = Millis(static_cast<double>(i + 1));
    client.response_p99 = client.service_p99 = 3 * *client.response_mean;
    point.clients.push_back(client);
  }
  for (std::size_t i = 0; i < mounts; ++i) {
    MountLoadFigures& mount = point.mounts.emplace_back();
    static_cast<ClientFigures&>(mount) = point.clients[i];
    mount.path = "/mnt/eda" + std::to_string(i);
    mount.clients = 1;
  }
  return point;
}

TEST(MountsText, OneMountWithOneClientHasNone) {
  EXPECT_EQ(mounts_text(point_of(1, 1)), "");
  EXPECT_EQ(mounts_text({}), "");
}

TEST(MountsText, SeveralMountsHaveARowEachWithMeanAndP99) {
  PointFigures point = point_of(2, 2);
  point.mounts[1].rpcs =
      RpcTimes{.per_op = 0.9, .queue = Millis(0.01), .round_trip = Millis(1.9), .execute = Millis(2)};
  point.mounts[1].errors = 7;
  point.mount_findings = {
      "/mnt/eda1: mean response 2.0 times the others' (2.00 ms against 1.00): RPC round trip 1.90 ms "
      "against 0.900"};
  const std::string text = mounts_text(point);
  EXPECT_NE(text.find("mount      ops/s  errors  mean ms   p99  service  RPCs/op   queue  round trip\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("/mnt/eda1    100       7     2.00  6.00     2.00    0.900"), std::string::npos) << text;
  EXPECT_NE(text.find("  - /mnt/eda1: mean response 2.0 times"), std::string::npos) << text;
  EXPECT_EQ(text.find("slowest of"), std::string::npos) << "each client is a mount";
  for (const std::string& line : testing::lines_of(text)) EXPECT_LE(columns_of(line), terminal_columns) << line;
}

TEST(MountsText, TheMountsOfAnInvalidLoadPointAreMarked) {
  PointFigures point = point_of(2, 2);
  EXPECT_EQ(mounts_text(point).find("INVALID"), std::string::npos);
  point.invalid = {Invalid::unsteady};
  EXPECT_NE(mounts_text(point).find("Mounts, response and service in ms, INVALID\n"), std::string::npos);
  Document page = Document::array();
  add_mounts(page, point);
  EXPECT_EQ(page[0]["h2"], "Mounts and clients, INVALID");
}

TEST(MountsText, OfManyClientsATerminalHasTheSlowest) {
  const std::string text = mounts_text(point_of(10'000, 2));
  EXPECT_NE(
      text.find("slowest of 10,000 clients by mean response: client 9999 on /mnt/eda1 10,000\n    ms, client 9998"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("median of all 5,000 ms"), std::string::npos) << text;
  const std::string simulated = mounts_text(point_of(3, 0));
  EXPECT_NE(simulated.find("slowest of 3 clients by mean response: client 2 3.00 ms, client 1"), std::string::npos)
      << simulated;
}

TEST(MountsText, APageHasTheMountsAndAllClientsThatItHasRoomFor) {
  Document few = Document::array(), many = Document::array(), old = Document::array();
  add_mounts(few, point_of(4, 2));
  EXPECT_EQ(few[0]["h2"], "Mounts and clients");
  EXPECT_NE(few.dump().find("/mnt/eda1"), std::string::npos);
  EXPECT_NE(few.dump().find("mean response of each client"), std::string::npos);
  add_mounts(many, point_of(500, 2));
  EXPECT_NE(many.dump().find("The first 400 of 500 clients are shown"), std::string::npos);
  PointFigures of_old_version = point_of(2, 0);
  for (ClientFigures& client : of_old_version.clients) client.response_mean.reset();
  add_mounts(old, of_old_version);
  EXPECT_NE(old.dump().find("ops/s of each client"), std::string::npos);
  EXPECT_EQ(old.dump().find("mean response"), std::string::npos);
}

}  // namespace
}  // namespace edagen
