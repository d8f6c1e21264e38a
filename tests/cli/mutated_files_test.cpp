// Files of every kind that edagen reads, spoiled: what comes of it is a success or a usage error of one line, never
// anything else. Under ASan and UBSan that is also: no undefined behaviour.
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <functional>

#include "edagen/core/embedded.hpp"
#include "edagen/core/error.hpp"
#include "edagen/core/json_schema.hpp"
#include "edagen/core/text_file.hpp"
#include "edagen/dataset/dataset_plan.hpp"
#include "edagen/sim/sim_runner.hpp"
#include "edagen/mounts/mount_advice.hpp"
#include "edagen/mounts/mount_info.hpp"
#include "edagen/mounts/nfs_view.hpp"
#include "edagen/mounts/tuning.hpp"
#include "edagen/report/csv.hpp"
#include "edagen/report/journal.hpp"
#include "edagen/report/result_file.hpp"
#include "edagen/report/terminal.hpp"
#include "edagen/workload/fio_job.hpp"
#include "edagen/workload/op_stream.hpp"
#include "edagen/workload/workload_file.hpp"
#include "support/mutations.hpp"
#include "support/sample_result.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace testing;
using namespace std::chrono_literals;

/// A kind of file: examples, how they are spoiled, and what edagen does with one.
struct Kind {
  const char* name;
  std::function<std::vector<std::string>(const TemporaryDirectory&)> examples;
  std::string (Mutations::*json)(const std::string&);  ///< null: bytes alone
  std::function<void(const TemporaryDirectory&, const std::string&)> use;
};
std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.name; }

std::vector<std::string> embedded_below(std::initializer_list<const char*> folders) {
  std::vector<std::string> texts;
  for (const char* const folder : folders)
    for (const EmbeddedFile& file : embedded_files())
      if (file.path.starts_with(folder)) texts.emplace_back(file.content());
  return texts;
}

/// Plans its files and draws ops.
void use_workload(const WorkloadSpec& workload) {
  DatasetScale scale;
  scale.budget_bytes = 1e9;
  const DatasetPlan plan = plan_dataset(workload, 2, static_cast<std::uint64_t>(workload.procs_per_job_set()), 1, 1, scale);
  static_cast<void>(plan.totals());
  static_cast<void>(workload.op_shares());
  std::vector<bool> seen(workload.proc_kinds.size(), false);
  for (const PlannedProc& proc : plan.procs) {
    if (seen[proc.kind]) continue;
    seen[proc.kind] = true;
    const OpMix mix(workload.proc_kinds[proc.kind].weights);
    OpStream ops(workload.proc_kinds[proc.kind], mix, proc.files, proc.seed);
    for (int i = 0; i < 100; ++i) {
      const Op op = ops.next();
      ASSERT_GE(op.offset, 0);
      ASSERT_GE(op.length, 0);
    }
  }
}

void use_volume(const VolumeModel& model) {
  static const WorkloadSpec workload = load_workload("eda_mixed");
  std::vector<OpMix> mixes;
  for (const ProcSpec& kind : workload.proc_kinds) mixes.emplace_back(kind.weights);
  DatasetScale scale;
  scale.factor = 0.01;
  const DatasetPlan plan = plan_dataset(workload, 1, 5, 1, 1, scale);
  std::vector<SimProc> procs;
  for (const PlannedProc& proc : plan.procs)
    procs.push_back({{OpStream(workload.proc_kinds[proc.kind], mixes[proc.kind], proc.files, proc.seed), proc.kind, 100, 0, 0, 1, false}, true});
  const auto runner = make_sim_runner(model, std::move(procs), {"a", "b"}, 1, {});
  LoadPoint load;
  load.ops_per_sec = 500;
  load.warmup = 100ms;
  load.duration = 200ms;
  load.interval = 50ms;
  RunObserver quiet;
  static_cast<void>(runner->run(load, quiet));
  load.ops_per_sec.reset();
  load.warmup = load.duration = 50us;
  load.interval = 10us;
  static_cast<void>(runner->run(load, quiet));
}

void use_result(const Document& result) {
  static_cast<void>(result_text(result));
  static_cast<void>(csv_text(result));
  static_cast<void>(dumped(result, 2));
}

std::vector<std::string> journals(const TemporaryDirectory& folder) {
  Document header = sample_result(Curve{});
  for (const char* const later : {"at_latency_target", "ort_ms", "ort_variant"}) header.erase(later);
  header["status"] = "running";
  const CurvePoint point = sample_point();
  std::vector<std::string> texts;
  for (const bool ends : {true, false}) {
    Journal journal(folder / "example.jsonl");
    journal.append("header", header);
    for (const Interval& interval : point.stats.intervals) {
      Document line = {{"point", 0}, {"phase", "measure"}};
      line.update(interval_json(interval));
      journal.append("interval", line);
    }
    if (ends) {
      journal.append("point", load_point_json(point));
      journal.append("end", {{"status", "complete"}, {"finished_at", rfc3339_now()}, {"at_latency_target", Document::array()}, {"series", nullptr}, {"ort_ms", nullptr}});
    }
    texts.push_back(read_text_file(journal.path(), largest_result));
  }
  return texts;
}

constexpr const char* mountstats = R"(device rootfs mounted on / with fstype rootfs
device 127.0.1.1:/mnt/export mounted on /mnt/nfs0 with fstype nfs statvers=1.1
	opts:	rw,vers=3,rsize=131072,wsize=131072,acregmin=3,acregmax=60,acdirmin=30,acdirmax=60,hard,nolock,proto=tcp,nconnect=2,timeo=600
	bytes:	10 20 30 40 50 60 7 8
	RPC iostats version: 1.1  p/v: 100003/3 (nfs)
	xprt:	tcp 970 1 2 0 3 70 71 0 90 5 2 0 0
	xprt:	rdma 0 0 1 0 24 1024 1024 0 2048 7 100 200 300 0 0 0 0 0 0 0 0 0 0 0 0 0
	per-op statistics
	     GETATTR: 80 82 1 6720 8960 8 96 110 2
	        READ: 20 20 0 3360 90000 2 40 45 0
device server:/ mounted on /mnt/v41 with fstype nfs4 statvers=1.1
	opts:	rw,vers=4.1,rsize=1048576,proto=tcp,clientaddr=10.0.0.2
	xprt:	udp 700 1 40 41 0 44 3
	per-op statistics
	        OPEN: 10 10 0 3000 4000 1 12 14 0
)";

void use_mountstats(const std::string& text) {
  const std::vector<NfsMountStats> before = parse_mountstats(mountstats), mounts = parse_mountstats(text);
  for (const auto& [from, to] : {std::pair{before, mounts}, {mounts, before}})
    static_cast<void>(nfs_view(difference(from, to), 1s, 100));
  static_cast<void>(nfs_view(mounts, 1s, 0));
  static_cast<void>(mount_advice(mounts, {}));
  for (const NfsMountStats& mount : mounts)
    static_cast<void>(not_in_force({"t", "nconnect=8,vers=3,rsize=1,actimeo=600,nocto,cto", {}, {}}, mount));
}

const Kind kinds[] = {
    {"Workload", [](const auto&) { return embedded_below({"workloads/eda_", "workloads/fio/"}); }, &Mutations::of_json,
     [](const auto&, const std::string& text) { use_workload(parse_workload(parse_json(text, "w.json"), "w.json")); }},
    {"Volume", [](const auto&) { return embedded_below({"workloads/volumes/"}); }, &Mutations::of_json,
     [](const auto& folder, const std::string& text) { use_volume(load_volume(folder.write("v.json", text))); }},
    {"Tunings", [](const auto&) { return embedded_below({"workloads/tunings/"}); }, &Mutations::of_json,
     [](const auto& folder, const std::string& text) {
       for (const Tuning& tuning : load_tunings(folder.write("t.json", text)))
         static_cast<void>(not_in_force(tuning, parse_mountstats(mountstats)[0]));
     }},
    {"Result",
     [](const auto&) {
       return std::vector{sample_result(sample_curve()).dump(), sample_result(sample_sweep()).dump(), sample_result(single_point_curve()).dump()};
     },
     &Mutations::of_json, [](const auto& folder, const std::string& text) { use_result(read_result(folder.write("r.json", text))); }},
    {"Journal", journals, &Mutations::of_json_lines,
     [](const auto& folder, const std::string& text) { use_result(read_result(folder.write("j.jsonl", text))); }},
    {"FioJob",
     [](const auto&) {
       return std::vector<std::string>{
           "[global]\nioengine=libaio\ndirect=1\niodepth=128\nnumjobs=4\nsize=4G\nruntime=600\n[8k]\nrw=randrw\nrwmixread=70\nbs=8k\n",
           "[a]\nrw=write\nbssplit=4k/10:64k/90\nsize=10m\nnrfiles=3\nrate_iops=100,50\nfsync=8\nbuffer_compress_percentage=50\n"
           "[b]\nrw=randread\nbsrange=4k-64k\nfilesize=1m\nramp_time=5s\nblockalign=512\nsync=dsync\n"};
     },
     nullptr,
     [](const auto&, const std::string& text) {
       use_workload(parse_workload(nlohmann::json(import_fio(text, "a.fio").workload), "a.fio"));
     }},
    {"Mountstats", [](const auto&) { return std::vector<std::string>{mountstats}; }, nullptr,
     [](const auto&, const std::string& text) { use_mountstats(text); }},
    {"Mountinfo",
     [](const auto&) {
       return std::vector<std::string>{
           "36 35 0:52 / /mnt/my\\040volume rw,noatime shared:1 master:2 - nfs4 server:/export rw,vers=4.1,nconnect=4\n"
           "22 1 254:0 / / rw - ext4 /dev/vda rw\n"};
     },
     nullptr, [](const auto&, const std::string& text) { static_cast<void>(parse_mountinfo(text)); }},
};

/// What is wrong with what came of it; empty: nothing. Counts what was read.
std::string fault_of(const Kind& kind, const TemporaryDirectory& folder, const std::string& text, std::size_t& read) {
  try {
    kind.use(folder, text);
    ++read;
    return "";
  } catch (const Error& error) {
    const std::string what = error.what();
    if (error.kind() != Error::Kind::usage) return "not a usage error: " + what;
    if (what.size() > 1500) return "a long error: " + what;
    return what.find('\n') == std::string::npos ? "" : "an error of several lines: " + what;
  } catch (const std::exception& error) {
    return std::string("not an Error: ") + error.what();
  }
}

void spoil(const Kind& kind, std::size_t times) {
  const TemporaryDirectory folder;
  const std::vector<std::string> examples = kind.examples(folder);
  std::size_t read = 0;
  for (const std::string& example : examples) ASSERT_EQ(fault_of(kind, folder, example, read), "");
  ASSERT_EQ(read, examples.size());
  const auto level = spdlog::get_level();
  spdlog::set_level(spdlog::level::off);  // journals tell how many lines they left out
  int faults = 0;
  for (std::size_t seed = 0; seed < times && faults < 5; ++seed) {
    Mutations mutations(seed);
    const std::string& example = examples[seed % examples.size()];
    const bool as_json = kind.json != nullptr && seed % 3 != 0;
    const std::string spoiled = as_json ? (mutations.*kind.json)(example) : mutations.of_bytes(example);
    if (std::getenv("EDAGEN_SHOW_MUTATIONS") != nullptr) std::cerr << kind.name << " " << seed << "\n";
    if (const std::string fault = fault_of(kind, folder, spoiled, read); !fault.empty()) {
      ++faults;
      ADD_FAILURE() << kind.name << ", seed " << seed << ": " << fault << "\n" << one_line(spoiled, 2000);
    }
  }
  spdlog::set_level(level);
  EXPECT_GT(read, times / 20) << "too few came as far as being used";
}

class MutatedFiles : public ::testing::TestWithParam<Kind> {};

TEST_P(MutatedFiles, AreReadOrRefusedInOneLine) { spoil(GetParam(), 300); }

TEST_P(MutatedFiles, AreReadOrRefusedInOneLineTenThousandTimes) {
  EDAGEN_SLOW_TEST();
  spoil(GetParam(), 10'000);
}

INSTANTIATE_TEST_SUITE_P(Of, MutatedFiles, ::testing::ValuesIn(kinds), [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace edagen
