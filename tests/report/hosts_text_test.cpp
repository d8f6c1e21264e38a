#include "report/hosts_text.hpp"

#include <gtest/gtest.h>

#include "report/wrapped_text.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

PointFigures point_of(std::size_t hosts) {
  PointFigures point;
  for (std::size_t i = 0; i < hosts; ++i) {
    HostFigures host;
    host.name = "node" + std::to_string(i) + ".load.cluster.example.com";
    host.rank = i;
    host.clients = 100;
    host.achieved_ops_per_sec = 123'456 + static_cast<double>(i);
    host.response_mean = Millis(0.0123), host.service_mean = Millis(0.0112);
    host.errors = {{"ESTALE", 4321}};
    host.cpu_cores_used = 31.5, host.host_busy = 1;
    host.start_late = Millis(static_cast<double>(i)), host.clock_uncertainty = Millis(0.05);
    point.hosts.push_back(host);
  }
  return point;
}

TEST(HostsText, OneHostAloneHasNone) { EXPECT_EQ(hosts_text({}), ""); }

TEST(HostsText, FitsATerminalHoweverLongTheNamesAreAndSaysHowLateTheLoadBegan) {
  const std::string text = hosts_text(point_of(3));
  for (const std::string& line : testing::lines_of(text)) EXPECT_LE(columns_of(line), terminal_columns) << line;
  for (const char* const part : {"node0.load", "123,456", "4,321", "100 %", "up to 2.00 ms late", "\u00b10.0500 ms"})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
}

TEST(HostsText, TheClocksAreKnownAsWellAsTheOneThatIsKnownLeast) {
  PointFigures point = point_of(3);
  point.hosts[0].clock_uncertainty = Millis(0);  // rank 0, by whose clock the others are known
  point.hosts[0].start_late = Millis(7);
  EXPECT_NE(hosts_text(point).find("up to 7.00 ms late, by clocks known to \u00b10.0500 ms"), std::string::npos)
      << hosts_text(point);
  point.hosts[1].clock_uncertainty = Millis(3);
  EXPECT_NE(hosts_text(point).find("up to 7.00 ms late, by clocks known to \u00b13.00 ms"), std::string::npos)
      << hosts_text(point);
}

TEST(HostsText, AHostWithoutOpsHasNoLatencies) {
  PointFigures point = point_of(2);
  point.hosts[1].response_mean = point.hosts[1].service_mean = Millis(0);
  EXPECT_EQ(hosts_text(point).find("0.0000"), std::string::npos) << hosts_text(point);
}

TEST(HostsText, TellsHowFarApartTheHostsBegan) {
  PointFigures point = point_of(2);
  EXPECT_EQ(hosts_text(point).find("first ops"), std::string::npos);
  point.first_op_spread = Millis(1.5), point.first_op_spread_uncertainty = Millis(0.25);
  EXPECT_NE(hosts_text(point).find("their first ops began within 1.50 ms \u00b10.250 ms\n"), std::string::npos)
      << hosts_text(point);
}

TEST(HostsText, ANameThatFitsIsWhole) {
  PointFigures point = point_of(2);
  point.hosts[1].name = "gr\u00f6\u00dfe";
  EXPECT_NE(hosts_text(point).find("  gr\u00f6\u00dfe "), std::string::npos) << hosts_text(point);
}

TEST(HostsText, TheFiguresOfAnInvalidLoadPointAreMarked) {
  PointFigures point = point_of(2);
  EXPECT_EQ(hosts_text(point).find("INVALID"), std::string::npos) << hosts_text(point);
  point.invalid = {Invalid::unsteady};
  EXPECT_NE(hosts_text(point).find("\n  Hosts, INVALID\n"), std::string::npos) << hosts_text(point);
  for (const std::string& line : testing::lines_of(hosts_text(point)))
    EXPECT_LE(columns_of(line), terminal_columns) << line;
}

TEST(HostsText, OfManyTheSlowestAreListedAndTheOthersCounted) {
  const std::string text = hosts_text(point_of(20));
  EXPECT_NE(text.find("node0."), std::string::npos) << text;
  EXPECT_EQ(text.find("node19."), std::string::npos) << text;
  EXPECT_NE(text.find("and 4 more"), std::string::npos) << text;
}

TEST(HostsText, OfManyThoseWithoutAClientAreListedLast) {
  PointFigures point = point_of(20);
  for (std::size_t i = 0; i < 4; ++i) point.hosts[i].clients = 0, point.hosts[i].achieved_ops_per_sec = 0;
  const std::string text = hosts_text(point);
  EXPECT_EQ(text.find("node3."), std::string::npos) << text;
  EXPECT_NE(text.find("node4."), std::string::npos) << text;
  EXPECT_NE(text.find("node19."), std::string::npos) << text;
}

}  // namespace
}  // namespace edagen
