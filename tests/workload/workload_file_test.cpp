#include "workload/workload_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/error_of.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

using nlohmann::json;

json valid() {
  return json::parse(R"({"schema":"edagen.workload/1","name":"mine","phase":"custom","ops_per_sec_per_proc":50,
    "op_mix":{"stat":3,"read_rand":1},"dataset":{"data_files":10,"empty_files":5}})");
}

std::string refusal(const json& document) {
  return testing::error_of([&] { parse_workload(document, "w.json"); });
}

std::string refusal_to_load(const std::string& name) {
  return testing::error_of([&] { load_workload(name); });
}

TEST(WorkloadFile, AMixThatRemovesMoreNamesThanItMakesIsRefused) {
  const auto with_mix = [](const char* mix, const char* more = "{}") {
    json document = valid();
    document["op_mix"] = json::parse(mix);
    document.merge_patch(json::parse(more));
    return refusal(document);
  };
  EXPECT_EQ(with_mix(R"({"unlink":1})"),
            "w.json#/op_mix/unlink: the mix removes more names (1) than it makes (0), so that it cannot be kept (1 of "
            "create in place of 0 keeps it)");
  const std::string with_renames =
      with_mix(R"({"create":4,"unlink":4,"rename":1,"stat":9})", R"({"rename_percent":{"over_existing":50}})");
  EXPECT_NE(with_renames.find("(4.5 of create in place of 4 keeps it)"), std::string::npos) << with_renames;
  EXPECT_EQ(with_mix(R"({"create":4.5,"unlink":4,"rename":1,"stat":9})", R"({"rename_percent":{"over_existing":50}})"),
            "");
  EXPECT_NE(with_mix(R"({"create":1,"unlink":3,"stat":9})"), "");
  EXPECT_NE(with_mix(R"({"rmdir":2,"mkdir":1})").find("#/op_mix/rmdir"), std::string::npos);
  EXPECT_NE(with_mix(R"({"rename":1})", R"({"rename_percent":{"over_existing":50}})").find("#/op_mix/rename"),
            std::string::npos);
  EXPECT_NE(with_mix(R"({"unlink":2,"write_file":1})", R"({"unlink_nonempty_percent":100})"), "");
  EXPECT_EQ(with_mix(R"({"unlink":2,"write_file":2})", R"({"unlink_nonempty_percent":100})"), "");
  EXPECT_EQ(with_mix(R"({"create":1,"unlink":1})"), "");
  EXPECT_EQ(with_mix(R"({"symlink":1,"unlink":1})"), "");
  EXPECT_EQ(with_mix(R"({"rename":1})"), "");
  EXPECT_EQ(with_mix(R"({"create":1})"), "") << "it grows";
}

TEST(WorkloadFile, TheBuiltInWorkloadsAreThereAndValid) {
  const std::vector<std::string> expected = testing::words_of(
      "eda_functional eda_functional_churn eda_functional_published eda_mixed eda_mixed_published eda_physical "
      "eda_physical_published fio/1m-read fio/1m-write fio/256k-read fio/256k-rw fio/256k-write fio/4k-randread "
      "fio/4k-randread-deep fio/4k-randrw fio/4k-randwrite fio/4k-randwrite-deep fio/4k-read fio/4k-write fio/64k-read "
      "fio/64k-rw fio/64k-write fio/8k-randread fio/8k-randrw fio/8k-randwrite");
  EXPECT_EQ(builtin_workload_names(), expected);
  for (const std::string& name : expected) {
    EXPECT_EQ(load_workload(name).name, name.substr(name.find('/') + 1));
    EXPECT_FALSE(load_workload(name).sources.empty()) << name;
  }
}

TEST(WorkloadFile, AJobFileOfFioIsRefusedWithTheCommandThatImportsIt) {
  EXPECT_EQ(refusal_to_load("vendor/reads.fio"),
            "vendor/reads.fio: is a job file of fio (edagen workloads import-fio vendor/reads.fio --output FILE.json)");
}

TEST(WorkloadFile, TheMixedPhaseIsThreeFunctionalAndTwoPhysicalProcsAt450OpsPerSecond) {
  const WorkloadSpec mixed = load_workload("eda_mixed");
  ASSERT_EQ(mixed.proc_kinds.size(), 2u);
  EXPECT_EQ(mixed.proc_kinds[0].procs_per_job_set, 3);
  EXPECT_EQ(mixed.proc_kinds[1].procs_per_job_set, 2);
  EXPECT_DOUBLE_EQ(mixed.ops_per_sec_per_job_set(), 450);
  EXPECT_EQ(proc_kind_of(mixed, 2), 0u);
  EXPECT_EQ(proc_kind_of(mixed, 3), 1u);
  EXPECT_EQ(proc_kind_of(mixed, 5), 0u);
}

TEST(WorkloadFile, SharesAreThoseOfTheDefinition) {
  const ProcSpec functional = load_workload("eda_functional").proc_kinds[0];
  EXPECT_NEAR(functional.share(OpKind::stat), 0.39, 1e-12);
  EXPECT_NEAR(functional.share(OpKind::rename), 0.01, 1e-12);
  EXPECT_NEAR(load_workload("eda_physical").proc_kinds[0].share(OpKind::open), 0.255, 1e-12);
}

TEST(WorkloadFile, SizesMayBeTextOrNumbersOrAnyDistribution) {
  json document = valid();
  document["transfer"] = json::parse(R"({"read":{"uniform":{"low":1,"high":"64KiB"}},
      "write":{"lognormal":{"median":"8KiB","sigma":1,"low":512,"high":"1MiB"}}})");
  document["dataset"]["file_size"] =
      json::parse(R"({"weighted":[{"size":4096,"weight":1},{"low":1,"high":9,"weight":2}]})");
  const ProcSpec spec = parse_workload(document, "w.json").proc_kinds[0];
  EXPECT_EQ(spec.read_size.max(), 64 * KiB);
  EXPECT_EQ(spec.write_size.max(), MiB);
  EXPECT_EQ(spec.dataset.file_size.max(), 4096);
}

TEST(WorkloadFile, BadDefinitionsAreRefusedWithPointerAndReason) {
  EXPECT_EQ(refusal(valid()), "");
  json document = valid();
  document["op_mix"] = json::parse(R"({"stat":0})");
  EXPECT_EQ(refusal(document), "w.json#/op_mix: the weights sum to zero (give at least one op a weight above 0)");
  document = valid();
  document["op_mix"]["satt"] = 1;
  EXPECT_EQ(refusal(document), "w.json#/op_mix/satt: unknown name 'satt' (did you mean 'stat'?)");
  document = valid();
  document["op_mix"]["stat"] = -1;
  EXPECT_TRUE(refusal(document).starts_with("w.json#/op_mix/stat: ")) << refusal(document);
  document = valid();
  document["dataset"]["file_size"] = -5;
  EXPECT_TRUE(refusal(document).starts_with("w.json#/dataset/file_size")) << refusal(document);
  document = valid();
  document["transfer"]["read"] = "900TiB";
  EXPECT_EQ(refusal(document), "w.json#/transfer/read: a size above 64 MiB");
  document = valid();
  document["dataset"] = {{"empty_files", 5}};
  EXPECT_EQ(refusal(document), "w.json#/op_mix/read_rand: 'read_rand' needs dataset/data_files above 0");
  document = valid();
  document["op_mix"] = {{"open", 1}, {"close", 2}, {"read_seq", 1}};
  EXPECT_EQ(refusal(document), "w.json#/op_mix/open: the weights of 'open' and 'close' differ (every open is closed)");
  document = valid();
  document["rename_percent"] = {{"across_directories", 60}, {"over_existing", 60}};
  EXPECT_EQ(refusal(document), "w.json#/rename_percent: the shares sum to more than 100");
}

TEST(WorkloadFile, AWorkloadExtendsAnotherByMergingIntoIt) {
  json document = json::parse(R"({"schema":"edagen.workload/1","extends":"fio/8k-randread","name":"mine",
      "dataset":{"file_size":"1MiB"},"transfer":{"read":"16KiB","write":null},"io":{"direct":false}})");
  const ProcSpec spec = parse_workload(document, "w.json").proc_kinds[0];
  EXPECT_EQ(spec.name, "mine");
  EXPECT_EQ(spec.dataset.data_files, 1u);
  EXPECT_EQ(spec.dataset.file_size.max(), MiB);
  EXPECT_EQ(spec.read_size.max(), 16 * KiB);
  EXPECT_EQ(spec.weight(OpKind::write_rand), 0);
  EXPECT_EQ(spec.io.depth, 128u);
  EXPECT_FALSE(spec.io.direct);
  document["extends"] = "fio/9k-randread";
  EXPECT_NE(refusal(document).find("unknown workload 'fio/9k-randread'"), std::string::npos) << refusal(document);
}

TEST(WorkloadFile, WhatABlendWouldNotUseIsRefused) {
  json document = json::parse(R"({"schema":"edagen.workload/1","extends":"eda_mixed","name":"mine"})");
  EXPECT_EQ(refusal(document), "");
  for (const char* const more : {R"({"ops_per_sec_per_proc":10})", R"({"io":{"direct":true}})",
                                 R"({"procs_per_job_set":9})", R"({"dataset":{"data_files":7}})"}) {
    json changed = document;
    changed.merge_patch(json::parse(more));
    EXPECT_NE(refusal(changed).find("has no effect on a blend"), std::string::npos) << more << refusal(changed);
  }
  document["blend"] = json::parse(R"([{"workload":{"extends":"eda_physical","ops_per_sec_per_proc":10},"procs":2}])");
  EXPECT_EQ(refusal(document), "");
}

TEST(WorkloadFile, ExtendingInARingIsRefused) {
  const testing::TemporaryDirectory folder;
  folder.write("a.json", R"({"extends":"b.json"})");
  folder.write("b.json", R"({"extends":"a.json"})");
  const std::string error = refusal_to_load(folder / "a.json");
  EXPECT_NE(error.find("extend each other"), std::string::npos) << error;
}

TEST(WorkloadFile, TheDeepPresetsAreThoseOfObjectStorage) {
  const ProcSpec spec = load_workload("fio/1m-write").proc_kinds[0];
  EXPECT_EQ(spec.procs_per_job_set, 8);
  EXPECT_EQ(spec.io.depth, 1024u);
  EXPECT_TRUE(spec.io.direct);
  EXPECT_EQ(spec.io.fsync, FsyncWhen::end);
  EXPECT_EQ(spec.write_size.max(), MiB);
  EXPECT_EQ(spec.dataset.file_size.max(), 10 * GiB);
}

TEST(WorkloadFile, DepthIsForMixesOfReadsAndWritesAlone) {
  json document = valid();
  document["io"] = {{"depth", 4}};
  EXPECT_EQ(refusal(document),
            "w.json#/io/depth: the mix has ops that procs do one at a time (only reads, writes, fsyncs, "
            "opens and closes queue)");
  document["op_mix"] = {{"read_rand", 1}};
  EXPECT_EQ(refusal(document), "");
  document["io"]["depth"] = 1025;
  EXPECT_TRUE(refusal(document).starts_with("w.json#/io/depth")) << refusal(document);
}

TEST(WorkloadFile, AnUnknownNameSuggestsTheNearest) {
  const std::string error = refusal_to_load("eda_mixd");
  EXPECT_TRUE(
      error.starts_with("workload: unknown workload 'eda_mixd' (did you mean 'eda_mixed'? known: eda_functional, "))
      << error;
}

TEST(WorkloadFile, ABlendMayNameFilesBesideIt) {
  const testing::TemporaryDirectory folder;
  folder.write("part.json", valid().dump());
  const std::string blend = folder.write("blend.json",
                                         R"({"schema":"edagen.workload/1","name":"b","phase":"custom",
          "blend":[{"workload":"part.json","procs":1},{"workload":"eda_physical","procs":4}]})");
  const WorkloadSpec workload = load_workload(blend);
  EXPECT_EQ(workload.proc_kinds[0].name, "mine");
  EXPECT_EQ(workload.procs_per_job_set(), 5);
  json whole = json::parse(R"({"schema":"edagen.workload/1","name":"b","phase":"custom","blend":[{"procs":2}]})");
  whole["blend"][0]["workload"] = valid();
  EXPECT_EQ(parse_workload(whole, "w.json").proc_kinds[0].name, "mine");
  folder.write("part.json", R"({"schema":"edagen.workload/1","name":"x","phase":"custom",
                                "blend":[{"workload":"eda_mixed","procs":1}]})");
  EXPECT_THROW(load_workload(blend), Error);
}

TEST(WorkloadFile, ABlendThatIsExtendedFromAnotherDirectoryKeepsItsParts) {
  const testing::TemporaryDirectory folder;
  std::filesystem::create_directory(folder / "base");
  json part = valid();
  folder.write("base/part.json", part.dump());
  folder.write("base/blend.json", R"({"schema":"edagen.workload/1","name":"b","phase":"custom",
          "blend":[{"workload":"part.json","procs":1}]})");
  part["name"] = "other";
  folder.write("part.json", part.dump());
  const std::string mine = folder.write("mine.json", R"({"extends":"base/blend.json","name":"mine"})");
  EXPECT_EQ(load_workload(mine).proc_kinds.at(0).name, valid().at("name"));
  EXPECT_EQ(load_workload(mine).files.back(), folder / "base/part.json");
}

TEST(WorkloadFile, AWorkloadSaysWhichFilesItWasReadFrom) {
  const testing::TemporaryDirectory folder;
  folder.write("base.json", valid().dump());
  folder.write("part.json", R"({"extends":"base.json","name":"part"})");
  const std::string blend = folder.write("blend.json",
                                         R"({"schema":"edagen.workload/1","name":"b","phase":"custom",
          "blend":[{"workload":"part.json","procs":1},{"workload":"eda_physical","procs":4}]})");
  EXPECT_EQ(load_workload(blend).files, (std::vector<std::string>{blend, folder / "part.json", folder / "base.json"}));
  EXPECT_TRUE(load_workload("fio/8k-randread").files.empty());
}

TEST(WorkloadFile, SizesBeyondAnyFileAreRefused) {
  for (const std::uint64_t size : {std::uint64_t{1} << 61, UINT64_MAX}) {
    json document = valid();
    document["dataset"]["file_size"] = {{"uniform", {{"low", size}, {"high", size}}}};
    EXPECT_NE(refusal(document), "") << size;
    document["dataset"]["file_size"] = size;
    EXPECT_NE(refusal(document), "") << size;
  }
}

TEST(WorkloadFile, ABlendOfMoreThanAHundredIsRefused) {
  json document = {{"schema", "edagen.workload/1"}, {"name", "many"}, {"phase", "custom"}, {"blend", json::array()}};
  for (int i = 0; i < 101; ++i) document["blend"].push_back({{"workload", "eda_physical"}, {"procs", 1}});
  EXPECT_NE(refusal(document), "");
}

}  // namespace
}  // namespace edagen
