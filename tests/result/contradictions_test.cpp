#include "result/contradictions.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "edagen/error.hpp"
#include "result/result_file.hpp"
#include "support/sample_result.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace testing;

/// What is said of a result; empty: it is read.
std::string said_of(const Document& result) {
  const TemporaryDirectory folder;
  try {
    read_result(folder.write("r.json", result.dump()));
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    return std::string(error.what()).substr(folder.path().size());
  }
}

/// The same of one whose first load point was changed: 1,001 ops in 2 s, of which 1,000 read 8 KiB, and one failed.
std::string said_of(const std::function<void(Document& point)>& change) {
  Document result = to_json(sample_result(sample_curve()));
  change(result["load_points"][0]);
  return said_of(result);
}

constexpr const char* of_point = "/r.json#/load_points/0: contradicts itself: ";

TEST(Contradictions, WhatIsTrueIsRead) {
  EXPECT_EQ(said_of([](Document&) {}), "");
  EXPECT_EQ(said_of(to_json(sample_result(sample_sweep()))), "");
  for (const std::string golden : {"run", "curve"})
    EXPECT_NO_THROW(read_result(SOURCE_DIR "/tests/result/golden/" + golden + ".json")) << golden;
}

TEST(Contradictions, PercentilesThatDoNotAscendAreRefusedWithTheirPlace) {
  EXPECT_EQ(said_of([](Document& point) { point["latency_ms"]["response"]["p95"] = 0.5; }),
            "/r.json#/load_points/0/latency_ms/response: contradicts itself: p95 is below p90");
  EXPECT_NE(said_of([](Document& point) { point["ops"]["stat"]["latency_ms"]["service"]["max"] = 0.5; }), "");
}

TEST(Contradictions, AMeanAboveItsMaximumIsRefused) {
  EXPECT_NE(said_of([](Document& point) { point["latency_ms"]["response"]["mean"] = 40.0; }).find("mean is above"),
            std::string::npos);
}

TEST(Contradictions, WhatRoundingMayDoIsRead) {
  EXPECT_EQ(said_of([](Document& point) {
              Document& response = point["latency_ms"]["response"];
              response["p99"] = response["p95"].get<double>() * 0.9999;
            }),
            "");
}

TEST(Contradictions, KindsOfOpThatAreNotAllOpsTogetherAreRefused) {
  EXPECT_NE(said_of([](Document& point) { point["operations"] = 7; }).find("together, not 7"), std::string::npos);
}

TEST(Contradictions, WhatIsValidHasNoReasonsAndWhatIsNotHasSome) {
  EXPECT_NE(said_of([](Document& point) {
              point["valid"] = true;
              point["invalid_reasons"] = {"errors"};
            }).find("is valid, and has invalid_reasons"),
            std::string::npos);
  EXPECT_NE(said_of([](Document& point) {
              point["valid"] = false;
              point["invalid_reasons"] = Document::array();
            }).find("is not valid, and has no"),
            std::string::npos);
}

TEST(Contradictions, WhatIsValidHasARate) {
  for (const char* const rate : {"ops_per_sec", "achieved_ops_per_sec"}) {
    Document run = {{rate, nullptr}, {"valid", false}, {"invalid_reasons", {"nothing_measured"}}};
    EXPECT_NO_THROW(check_contradictions(run, "run"));
    run["valid"] = true, run["invalid_reasons"] = Document::array();
    EXPECT_THROW(check_contradictions(run, "run"), Error) << "of a comparison";
  }
}

TEST(Contradictions, ARateThatIsNotKnownAlthoughEnoughOpsEndedIsRefused) {
  EXPECT_EQ(said_of([](Document& point) { point["achieved_ops_per_sec"] = nullptr; }),
            std::string(of_point) + "achieved_ops_per_sec is null, and 1001 ops ended");
}

TEST(Contradictions, ARateThatOpsBytesAndSecondsDoNotGiveIsRefused) {
  EXPECT_EQ(said_of([](Document& point) { point["achieved_ops_per_sec"] = 9000; }),
            std::string(of_point) + "achieved_ops_per_sec is 9000, and what ended in 2 s gives 500.5");
  for (const std::string rate : {"mib_per_sec", "read_mib_per_sec", "write_mib_per_sec"})
    EXPECT_NE(
        said_of([&](Document& point) { point[rate] = 9 * point[rate].get<double>() + 1; }).find(": " + rate + " is "),
        std::string::npos)
        << rate;
  EXPECT_NE(said_of([](Document& point) { point["seconds"] = 50; }).find("what ended in 50 s gives 20.02"),
            std::string::npos);
  EXPECT_EQ(said_of([](Document& point) { point["achieved_ops_per_sec"] = 500.5001; }), "") << "which rounding may do";
}

TEST(Contradictions, IntervalsThatAreNotTheWindowAreRefused) {
  EXPECT_EQ(said_of([](Document& point) { point["intervals"][0]["seconds"] = 49; }),
            std::string(of_point) + "seconds is 2, and its intervals and sync_seconds are 50 together");
  EXPECT_EQ(said_of([](Document& point) { point["sync_seconds"] = 1; }),
            std::string(of_point) + "seconds is 2, and its intervals and sync_seconds are 3 together");
  EXPECT_EQ(said_of([](Document& point) { point["intervals"][0]["ops_per_sec"] = 9000; }),
            std::string(of_point) + "its intervals have 9501 ops together, not 1001");
  EXPECT_EQ(said_of([](Document& point) { point["intervals"] = Document::array(); }), "") << "nobody asked for them";
}

TEST(Contradictions, AnIntervalOfNoLengthHidesItsOpsAndIsRead) {
  EXPECT_EQ(said_of([](Document& point) {
              Document cut_off = point["intervals"][1];
              cut_off["seconds"] = cut_off["ops_per_sec"] = 0;
              point["intervals"].push_back(cut_off);
              point["intervals"][0]["ops_per_sec"] = 499;
            }),
            "");
}

TEST(Contradictions, WhatMakesALoadPointInvalidIsAmongItsReasons) {
  EXPECT_EQ(said_of([](Document& point) {
              point["valid"] = true;
              point["invalid_reasons"] = Document::array();
            }),
            std::string(of_point) + "it is invalid for 'errors', which is none of its invalid_reasons");
  for (const std::string reason : {"ops_outstanding", "stuck_ops"})
    EXPECT_NE(said_of([&](Document& point) { point[reason] = 1; }).find("invalid for '" + reason), std::string::npos);
}

TEST(Contradictions, AStatisticThatIsNoneOfItsLatenciesIsRefused) {
  Document result = to_json(sample_result(sample_sweep()));
  Document& point = result["load_points"][0];
  const Document latency = point["latency_ms"];
  for (const char* const kind : {"response", "service"})
    for (const char* const key : {"mean", "p50", "p95", "p99", "p99_9"}) {
      point["statistic_ms"]["value"] = latency[kind][key];
      EXPECT_EQ(said_of(result), "") << "a sweep does not say which it is judged by: " << kind << " " << key;
    }
  point["statistic_ms"]["value"] = 1.5;
  EXPECT_EQ(said_of(result), std::string(of_point) + "statistic_ms is 1.5, which is none of its latencies");
}

TEST(Contradictions, AStatisticThatIsNotTheOneOfTheAnswerIsRefused) {
  EXPECT_TRUE(said_of([](Document& point) {
                point["statistic_ms"]["value"] = point["latency_ms"]["service"]["mean"];
              }).ends_with(", which is not its mean response"));
  Document result = to_json(sample_result(sample_curve()));
  result["at_latency_target"][0]["latency"] = "service";
  result["at_latency_target"][0]["statistic"] = "p99.9";
  EXPECT_NE(said_of(result).find("statistic_ms is "), std::string::npos);
  for (Document& point : result["load_points"])
    point["statistic_ms"]["value"] = point["latency_ms"]["service"]["p99_9"];
  EXPECT_EQ(said_of(result), "");
}

TEST(Contradictions, AShareThatOpsDoNotGiveIsRefused) {
  EXPECT_EQ(said_of([](Document& point) { point["ops"]["stat"]["share"] = 1.5; }),
            std::string(of_point) + "the share of stat is 1.5, and it is 1 of 1001 ops");
}

TEST(Contradictions, ClientsThatAreNotAllOpsTogetherAreRefused) {
  const auto clients = [](std::uint64_t operations, std::int64_t bytes) {
    return said_of([&](Document& point) {
      point["clients"] = {{{"operations", operations}, {"errors", 0}, {"bytes", bytes}},
                          {{"operations", 1}, {"errors", 0}, {"bytes", 8192}}};
    });
  };
  EXPECT_EQ(clients(1000, 999 * 8192), "") << "an error of an op that ended later is of no client";
  EXPECT_EQ(clients(999, 999 * 8192), std::string(of_point) + "its clients' ops are 1000 together, not 1001");
  EXPECT_EQ(clients(1000, 0), std::string(of_point) + "its clients' bytes are 8192 together, not 8192000");
}

TEST(Contradictions, AnAnswerThatContradictsItselfIsRefusedWithItsPlace) {
  Document result = to_json(sample_result(sample_curve()));
  result["at_latency_target"][0]["met"] = false;
  EXPECT_TRUE(said_of(result).starts_with("/r.json#/at_latency_target/0: contradicts itself: is not met"));
}

TEST(Contradictions, WhatIsCompleteHasNoFailureAndOverallResponseTimeIsNotNegative) {
  Document result = to_json(sample_result(sample_curve()));
  result["labels"] = {{"status", "complete"}, {"failure", "none"}, {"target_ms", "2"}, {"demonstrated", "x"}};
  EXPECT_EQ(said_of(result), "") << "labels are the user's";
  Document failed = result;
  failed["failure"] = "h2 hangs";
  EXPECT_NE(said_of(failed).find("is complete, and has a failure"), std::string::npos);
  failed["status"] = "failed";
  EXPECT_EQ(said_of(failed), "");
  result["ort_ms"] = -1;
  EXPECT_NE(said_of(result).find("ort_ms is below 0"), std::string::npos);
}

TEST(Contradictions, ALineOfAJournalThatContradictsItselfIsLeftOut) {
  const Result result = sample_result(sample_curve());
  Document header = to_json(sample_header());
  std::string lines = Document{{"type", "header"}}.dump();
  lines.pop_back();
  lines += "," + header.dump().substr(1) + "\n";
  for (std::size_t i = 0; i < 2; ++i) {
    Document point = to_json(result.load_points[i]);
    if (i == 1) point["operations"] = 7;
    Document line = {{"type", "point"}, {"point", i}};
    line.update(point);
    lines += line.dump() + "\n";
  }
  EXPECT_EQ(result_of_journal(lines, "j.jsonl").load_points.size(), 1u);
}

}  // namespace
}  // namespace edagen
