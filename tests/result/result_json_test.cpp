#include "result/result_json.hpp"

#include <gtest/gtest.h>

#include "support/document_schema.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

Result with_every_member() {
  Result result = sample_result(sample_curve());
  NfsFigures nfs;
  nfs.findings = {"a finding"};
  nfs.rpcs_waiting = 3;
  nfs.reconnects = 2;
  nfs.events = {.short_reads = 4, .stale_handles = 5};
  nfs.fullest_slots = {.server = "s", .of_session = true, .rpcs_in_flight = 60, .rpcs_waiting = 3, .rpc_slots = 64};
  nfs.mounts = {
      {.mount_point = "/mnt/a",
       .source = "s:/v",
       .version = "3",
       .also_mounted_on = {"/mnt/b"},
       .read_bytes = 1,
       .written_bytes = 2,
       .events = {.delayed_rpcs = 1, .rewritten_bytes = 4096},
       .connections = {{.protocol = "tcp", .source_port = 970, .requests = 5, .reconnects = 1, .mean_backlog = 0.5}},
       .rpcs = {{"GETATTR", {.requests = 5, .per_op = 0.5}}}}};
  result.load_points[0].nfs = nfs;
  result.load_points[0].hosts.resize(2);
  HostFigures& failing = result.load_points[0].hosts[0];
  failing.name = "h1", failing.clients = 2, failing.operations = 10, failing.errors = {{"EIO", 1}};
  HostFigures& on_nfs = result.load_points[0].hosts[1];
  on_nfs.name = "h2", on_nfs.rank = 1, on_nfs.clients = 1;
  on_nfs.nfs = HostNfsFigures{.requests = 20, .retransmissions = 1, .rpcs_waiting = 2};
  result.load_points[0].clients = {{.operations = 7, .errors = 1, .bytes = 4096},
                                   {.operations = 3, .errors = 0, .bytes = 0}};
  result.load_points[0].host_findings = {"h2 (rank 1): 5 % of its RPCs were sent again"};
  result.load_points[0].first_op_spread = Millis(1.5);
  result.load_points[0].first_op_spread_uncertainty = Millis(0.25);
  result.failure = "h2 (rank 1): has not been heard of for 10 s";
  result.load_points[0].active_job_sets = 3;
  result.load_points[0].requested_ops_per_sec.reset();
  result.target.mounts[0].nfs_version = "4.1";
  result.target.mounts[0].connections = 2;
  result.at_latency_target[0].invalid = {Invalid::unsteady, Invalid::interrupted};
  result.at_latency_target.push_back(result.at_latency_target[0]);
  result.at_latency_target[0].limit = RateLimit::procs;
  result.at_latency_target[1].demonstrated.reset();
  result.at_latency_target[1].met = false;
  result.at_latency_target[1].lowest_latency = Millis(2.5);
  result.at_latency_target[1].lowest_latency_ops_per_sec = 100;
  result.series = sample_result(sample_sweep()).series;
  return result;
}

TEST(ResultJson, FollowsTheSchema) {
  for (const Result& result : {with_every_member(), sample_result(sample_sweep()), sample_result(single_point_curve())})
    EXPECT_NO_THROW(check_document<Result>(nlohmann::json(to_json(result))));
  const Document document = to_json(sample_result(sample_curve()));
  EXPECT_EQ(document["at_latency_target"][0]["ops_per_sec"], 39'601);
  EXPECT_EQ(document["schema"], "edagen.result/1");
}

TEST(ResultJson, IsReadBackAsItWasWritten) {
  for (const Result& result :
       {with_every_member(), sample_result(sample_sweep()), sample_result(single_point_curve())}) {
    const Document document = to_json(result);
    EXPECT_EQ(to_json(from_json<Result>(document)), document);
    EXPECT_EQ(to_json(from_json<Result>(Document::parse(document.dump()))), document) << "by way of a text";
  }
}

TEST(ResultJson, WhetherAPointIsValidFollowsFromItsReasons) {
  Document point = to_json(point_figures(sample_point()));
  EXPECT_EQ(point["valid"], false);
  EXPECT_EQ(point["invalid_reasons"], Document({"errors"}));
  point["valid"] = true;
  EXPECT_FALSE(from_json<PointFigures>(point).valid());
}

TEST(ResultJson, FiguresOfALoadPointInWhichNoOpOrTooFewEndedAreNull) {
  CurvePoint nothing = sample_point(), cut = sample_point(), untimed = sample_point();
  nothing.stats.ops.clear();
  cut.stats.ops.clear();
  for (int i = 0; i < 19; ++i) cut.stats.ops.record(OpKind::stat, {std::chrono::milliseconds(2), {}, {}}, {});
  cut.stats.length = std::chrono::milliseconds(63);
  cut.invalid = {Invalid::interrupted};
  untimed.stats.ops.clear();
  for (int i = 0; i < 30; ++i) untimed.stats.ops.of(OpKind::stat).count({});  // were due before the window
  for (const CurvePoint& point : {nothing, cut, untimed}) {
    Result result = sample_result(single_point_curve());
    result.load_points = {point_figures(point)};
    const Document document = to_json(result), &made = document["load_points"][0];
    const bool has_rate = made["operations"] == 30;
    for (const char* const rate : {"achieved_ops_per_sec", "mib_per_sec", "read_mib_per_sec", "write_mib_per_sec"})
      EXPECT_EQ(made[rate].is_null(), !has_rate) << rate << " " << made["operations"];
    for (const char* const latency : {"latency_ms", "generator_lag_mean_ms", "generator_lag_ms"})
      EXPECT_TRUE(made[latency].is_null()) << latency;
    EXPECT_EQ(made["statistic_ms"].is_null(), !has_rate || untimed.latency <= NanosF(0));
    EXPECT_NO_THROW(check_document<Result>(nlohmann::json(document)));
    EXPECT_EQ(to_json(from_json<Result>(document)), document);
  }
  cut.stats.ops.record(OpKind::stat, {std::chrono::milliseconds(2), std::chrono::milliseconds(1), {}}, {});
  EXPECT_FALSE(to_json(point_figures(cut))["latency_ms"].is_null()) << "20 ops are enough";
}

TEST(ResultJson, OfOpsThatWereWaitedForInVainTheAgeIsAllThatIsKnown) {
  CurvePoint point = sample_point();
  point.stats.ops.clear();
  for (int i = 0; i < 30; ++i) point.stats.ops.of(OpKind::stat).count({});  // were due before the window
  point.stats.ops.record_outstanding(std::chrono::seconds(1));
  Result result = sample_result(single_point_curve());
  result.load_points = {point_figures(point)};
  const Document document = to_json(result), &made = document["load_points"][0];
  EXPECT_NEAR(made["latency_ms"]["response"]["mean"].get<double>(), 1000, 1);
  for (const char* const latency : {"service", "lag"}) EXPECT_TRUE(made["latency_ms"][latency].is_null()) << latency;
  for (const char* const lag : {"generator_lag_mean_ms", "generator_lag_ms"}) EXPECT_TRUE(made[lag].is_null()) << lag;
  EXPECT_NO_THROW(check_document<Result>(nlohmann::json(document)));
  EXPECT_EQ(to_json(from_json<Result>(document)), document);
}

TEST(ResultJson, WhatNoRepeatsOrIntervalsTellIsNull) {
  Curve sweep = sample_sweep(), curve = sample_curve();
  sweep.points[3].stats.interrupted = true;  // the second repeat at depth 8
  sweep.points[3].degrees_of_freedom = 0;
  curve.answers[0].limit = RateLimit::procs;
  const Document once = to_json(sample_result(sweep)), bound = to_json(sample_result(curve));
  for (const char* const figure : {"ops_per_sec", "mib_per_sec", "response_ms"}) {
    EXPECT_FALSE(once["series"]["points"][0][figure]["confidence_95"].is_null()) << "of two";
    EXPECT_TRUE(once["series"]["points"][1][figure]["confidence_95"].is_null());
    EXPECT_TRUE(once["series"]["points"][1][figure]["standard_deviation"].is_null());
  }
  EXPECT_TRUE(once["load_points"][3]["statistic_ms"]["standard_error"].is_null());
  EXPECT_TRUE(bound["at_latency_target"][0]["confidence_95"].is_null());
  for (const Document& document : {once, bound}) {
    EXPECT_NO_THROW(check_document<Result>(nlohmann::json(document)));
    EXPECT_EQ(to_json(from_json<Result>(document)), document);
  }
}

TEST(ResultJson, APathThatIsNotUtf8CanBeWritten) {
  Result result = sample_result(single_point_curve());
  result.target.mounts[0].path = "/mnt/\xff";
  EXPECT_NE(dumped(to_json(result)).find("/mnt/\xef\xbf\xbd"), std::string::npos);
}

}  // namespace
}  // namespace edagen
