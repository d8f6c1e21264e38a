#include "result/answer_contradictions.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "result/result_json.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

/// What is said of an answer of 39,601 ops/s at 2 ms, which load point 1 demonstrates at 1,000; empty: nothing.
std::string said_of(const std::function<void(Document& answer, Document& points)>& change) {
  Document result = to_json(sample_result(sample_curve()));
  change(result["at_latency_target"][0], result["load_points"]);
  return contradiction_in_answer(result["at_latency_target"][0], result);
}

TEST(AnswerContradictions, OfWhatIsTrueNothingIsSaid) {
  EXPECT_EQ(said_of([](Document&, Document&) {}), "");
  EXPECT_EQ(said_of([](Document&, Document& points) { points[1]["invalid_reasons"] = {"generator_limited"}; }), "")
      << "it may be for a lower target";
}

TEST(AnswerContradictions, ARateOutsideItsIntervalIsNamed) {
  for (const Document& interval :
       {Document{1000, 2000}, Document{40'000, 80'000}, Document{100'000, 200'000}, Document{50'000, 30'000}})
    EXPECT_NE(said_of([&](Document& answer, Document&) { answer["confidence_95"] = interval; }).find("confidence_95"),
              std::string::npos)
        << interval;
}

TEST(AnswerContradictions, ADemonstrationThatCannotShowTheAnswerIsNamed) {
  EXPECT_EQ(said_of([](Document& answer, Document&) { answer["demonstrated"]["latency_ms"] = 2.1; }),
            "demonstrated.latency_ms is above target_ms");
  EXPECT_EQ(said_of([](Document& answer, Document&) { answer["demonstrated"]["ops_per_sec"] = 39'700; }),
            "demonstrated.ops_per_sec is above ops_per_sec");
  EXPECT_EQ(said_of([](Document& answer, Document&) { answer["demonstrated"]["ops_per_sec"] = 2000; }),
            "demonstrated.ops_per_sec is 2000, which is not the rate of load point 1");
  EXPECT_EQ(said_of([](Document& answer, Document&) { answer["demonstrated"]["load_point"] = 0; }),
            "demonstrated.load_point 0 is not valid");
  EXPECT_EQ(said_of([](Document&, Document& points) { points[1]["purpose"] = "block"; }),
            "demonstrated.load_point 1 is a block of the search");
}

TEST(AnswerContradictions, AValidAnswerIsDemonstratedAndByASearchNearItsRate) {
  EXPECT_EQ(said_of([](Document& answer, Document&) { answer["demonstrated"] = nullptr; }),
            "is valid, and nothing demonstrates it");
  const auto search = [](double rate, std::optional<int> job_sets) {
    return said_of([&](Document& answer, Document& points) {
      answer["ops_per_sec"] = rate, answer["mib_per_sec"] = rate * 8 / 1024, answer["confidence_95"] = nullptr;
      points[1]["purpose"] = "demonstration";
      if (job_sets) points[1]["active_job_sets"] = *job_sets;
    });
  };
  EXPECT_EQ(search(1040, {}), "");
  EXPECT_EQ(search(1100, {}), "is valid, and demonstrated.ops_per_sec is more than 5 % below ops_per_sec");
  EXPECT_EQ(search(1100, 10), "") << "the next rate is a job set away";
}

TEST(AnswerContradictions, MibThatNoLoadPointGivesAreNamed) {
  for (const double mib : {0.0, 69.2, 6920.0})
    EXPECT_NE(said_of([&](Document& answer, Document&) { answer["mib_per_sec"] = mib; }).find("mib_per_sec is "),
              std::string::npos)
        << mib;
}

TEST(AnswerContradictions, WhatIsNotMetHasNoRateAndNoDemonstration) {
  EXPECT_EQ(said_of([](Document& answer, Document&) { answer["met"] = false; }),
            "is not met, and has a rate or a demonstration");
}

}  // namespace
}  // namespace edagen
