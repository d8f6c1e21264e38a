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

/// What is said of a result whose first load point was changed; empty: it is read.
std::string said_of(const std::function<void(Document& point)>& change) {
  const TemporaryDirectory folder;
  Document result = to_json(sample_result(sample_curve()));
  change(result["load_points"][0]);
  try {
    read_result(folder.write("r.json", result.dump()));
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    return std::string(error.what()).substr(folder.path().size());
  }
}

TEST(Contradictions, WhatIsTrueIsRead) {
  EXPECT_EQ(said_of([](Document&) {}), "");
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
