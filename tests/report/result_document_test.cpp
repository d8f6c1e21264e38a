#include "edagen/report/result_document.hpp"

#include <gtest/gtest.h>

#include "edagen/report/terminal.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

RunStats stats() {
  RunStats run;
  run.length = 2s;
  run.requested_ops_per_sec = 1000;
  for (int i = 0; i < 2000; ++i) run.ops.record(OpKind::read_rand, {2ms, 1ms, 1ms}, {0, 8192, 0});
  run.ops.record(OpKind::stat, {4ms, 4ms, 0ms}, {ESTALE, 0, 0});
  run.intervals = {{0s, 1s, 1000, 0, 8192000, 2e6, 1e6, 2ms}};
  run.groups = {{"mine", 5, 1000, 2001, 1.2}};
  return run;
}

TEST(ResultDocument, ALoadPointSaysWhatWasMeasured) {
  const Document point = load_point_json(stats(), {"errors"});
  EXPECT_EQ(point["operations"], 2001);
  EXPECT_DOUBLE_EQ(point["achieved_ops_per_sec"], 1000.5);
  EXPECT_NEAR(point["mib_per_sec"].get<double>(), 2000 * 8192 / 0x1p20 / 2, 1e-4);
  EXPECT_EQ(point["errors"], (Document{{"ESTALE", 1}}));
  EXPECT_EQ(point["ops"]["stat"]["errors"], (Document{{"ESTALE", 1}}));
  EXPECT_NEAR(point["latency_ms"]["response"]["p50"].get<double>(), 2, 0.02);
  EXPECT_NEAR(point["latency_ms"]["lag"]["p50"].get<double>(), 1, 0.01);
  EXPECT_EQ(point["valid"], false);
  EXPECT_EQ(point["intervals"].size(), 1u);
}

TEST(ResultDocument, AnUnpacedPointHasNoRequestedRate) {
  RunStats run = stats();
  run.requested_ops_per_sec = 0;
  EXPECT_TRUE(load_point_json(run, {})["requested_ops_per_sec"].is_null());
}

TEST(Terminal, TheLastLinesAreTheAnswerInTheQuotedForm) {
  Document result = {{"workload", {{"name", "eda_mixed"}}},
                     {"target", {{"mounts", {{{"path", "/mnt/a"}}}}}},
                     {"clients", 10},
                     {"load_points", {load_point_json(stats(), {"errors"})}}};
  const std::string text = run_text(result);
  EXPECT_NE(text.find("INVALID: errors"), std::string::npos) << text;
  EXPECT_NE(text.find("Scenario                         I/O rate at 2.00ms  MiB/s at 2.00ms\n"
                      "eda_mixed, 10 clients on /mnt/a               1,000"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace edagen
