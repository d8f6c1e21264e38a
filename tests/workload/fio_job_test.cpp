#include "workload/fio_job.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "edagen/error.hpp"
#include "workload/workload_file.hpp"

namespace edagen {
namespace {

ProcSpec kind_of(const FioImport& import, std::size_t kind = 0) {
  return parse_workload(nlohmann::json(import.workload), "imported").proc_kinds.at(kind);
}
bool notes(const FioImport& import, const std::string& text) {
  return std::any_of(import.notes.begin(), import.notes.end(), [&](const FioNote& note) {
    return ("[" + note.job + "] " + note.option + ": " + note.what).find(text) != std::string::npos;
  });
}
std::string refusal(const std::string& text) {
  try {
    import_fio(text, "jobs.fio");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FioJob, ThePublishedJobIsThePreset) {
  const FioImport import = import_fio(
      "; as vendors run "
      "it\n[global]\nioengine=libaio\ndirect=1\niodepth=128\nnumjobs=4\nsize=4G\nruntime=600\ngroup_reporting\n"
      "norandommap\ntime_based\n[8k-randread]\nrw=randread\nbs=8k\n",
      "/jobs/eda.fio");
  EXPECT_TRUE(import.notes.empty());
  const ProcSpec spec = kind_of(import), preset = load_workload("fio/8k-randread").proc_kinds[0];
  EXPECT_EQ(spec.name, "8k-randread");
  EXPECT_EQ(spec.procs_per_job_set, preset.procs_per_job_set);
  EXPECT_EQ(spec.io.depth, preset.io.depth);
  EXPECT_EQ(spec.io.direct, preset.io.direct);
  EXPECT_EQ(spec.read_size.max(), preset.read_size.max());
  EXPECT_EQ(spec.dataset.file_size.max(), preset.dataset.file_size.max());
  EXPECT_EQ(spec.share(OpKind::read_rand), 1);
  EXPECT_EQ(spec.alignment, preset.alignment);
  EXPECT_EQ(import.duration, "600s");
  EXPECT_TRUE(spec.closed_loop);
  EXPECT_TRUE(import.drop_caches);
}

TEST(FioJob, FilestatIsStatOfItsFiles) {
  const ProcSpec spec =
      kind_of(import_fio("[s]\nioengine=filestat\nfilesize=4k\nnrfiles=200\nrate_iops=50\n", "s.fio"));
  EXPECT_EQ(spec.share(OpKind::stat), 1);
  EXPECT_EQ(spec.dataset.data_files, 200u);
  EXPECT_EQ(spec.ops_per_sec, 50);
}

TEST(FioJob, MixesSizesAndSyncsAreTaken) {
  const FioImport import = import_fio(
      "[mix]\nrw=randrw\nrwmixread=70\nbs=4k,64k\nfilesize=1m\nnrfiles=10\nrate_iops=500,100\nend_fsync=1\nfsync="
      "10\nsync=1\n"
      "ioengine=io_uring\niodepth=16\ndedupe_percentage=30\ndirectory=/mnt/"
      "x\nruntime=2m\nramp_time=5\ntime_based\ninvalidate=0\n",
      "m.fio");
  const ProcSpec spec = kind_of(import);
  EXPECT_NEAR(spec.share(OpKind::read_rand), 0.7, 1e-12);
  EXPECT_EQ(spec.read_size.max(), 4 * KiB);
  EXPECT_EQ(spec.write_size.max(), 64 * KiB);
  EXPECT_EQ(spec.dataset.data_files, 10u);
  EXPECT_EQ(spec.dataset.file_size.max(), MiB);
  EXPECT_EQ(spec.ops_per_sec, 600);
  EXPECT_EQ(spec.io.fsync, FsyncWhen::end);
  EXPECT_EQ(spec.io.depth, 16u);
  EXPECT_EQ(spec.commit_percent, 10);
  EXPECT_EQ(spec.sync_percent, 100);
  EXPECT_EQ(spec.duplicate_percent, 30);
  EXPECT_EQ(import.directory, "/mnt/x");
  EXPECT_EQ(import.duration, "2m");
  EXPECT_EQ(import.warmup, "5s");
  EXPECT_FALSE(spec.closed_loop);
  EXPECT_FALSE(import.drop_caches);
  EXPECT_TRUE(notes(import, "fsync")) << "an fsync is part of a write here";
}

TEST(FioJob, BlockSizesMayBeSplitOrRanges) {
  const ProcSpec split = kind_of(import_fio("[a]\nrw=write\nsize=1g\nbssplit=4k/10:64k/50:32k/40\n", "x"));
  EXPECT_NEAR(split.write_size.mean(), 0.1 * 4096 + 0.5 * 65536 + 0.4 * 32768, 1);
  const ProcSpec range = kind_of(import_fio("[a]\nrw=randread\nsize=1g\nbsrange=1k-4k\n", "x"));
  EXPECT_EQ(range.read_size.min(), KiB);
  EXPECT_EQ(range.read_size.max(), 4 * KiB);
}

TEST(FioJob, FileSizesMayBeARange) {
  const ProcSpec range = kind_of(import_fio("[a]\nrw=randread\nfilesize=4k-64k\nnrfiles=10\n", "x"));
  EXPECT_EQ(range.dataset.file_size.min(), 4 * KiB);
  EXPECT_EQ(range.dataset.file_size.max(), 64 * KiB);
}

TEST(FioJob, SeveralJobsAreABlendAndOneCanBeTaken) {
  const std::string text =
      "[global]\nsize=1g\n[reader]\nrw=randread\nnumjobs=3\n[writer]\nrw=write\nbs=1m\nstonewall\n";
  const FioImport both = import_fio(text, "/x/two jobs.fio");
  EXPECT_EQ(kind_of(both, 0).procs_per_job_set, 3);
  EXPECT_EQ(kind_of(both, 1).write_size.max(), MiB);
  EXPECT_TRUE(notes(both, "[writer] stonewall: all jobs run at once"));
  EXPECT_EQ(kind_of(import_fio(text, "x", "writer")).share(OpKind::write_seq), 1);
  EXPECT_THROW(import_fio(text, "x", "nobody"), Error);
}

TEST(FioJob, OptionsWithoutEqualAreNamed) {
  const FioImport import = import_fio(
      "[a]\nrw=randread\nsize=1g\nthinktime=5ms\nrandom_distribution=zipf:1.2\nverify=crc32c\niodepth=8\n", "x");
  for (const char* const text : {"[a] thinktime: '5ms'", "[a] random_distribution: 'zipf:1.2' has no equivalent",
                                 "[a] verify", "[a] iodepth: without effect on psync"})
    EXPECT_TRUE(notes(import, text)) << text;
}

TEST(FioJob, WhatCannotBeExpressedIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal("rw=read\n"), "jobs.fio:1: an option before the first [section]");
  EXPECT_EQ(refusal("[global]\nrw=read\n"), "jobs.fio: has no job section");
  EXPECT_EQ(refusal("[a\n"), "jobs.fio:1: is not a section like [name]");
  EXPECT_NE(refusal("[a]\nrw=trim\nsize=1g\n").find("jobs.fio [a] rw: 'trim' has no equivalent"), std::string::npos);
  EXPECT_NE(refusal("[a]\nrw=read\n").find("jobs.fio [a] size: is needed"), std::string::npos);
  EXPECT_NE(refusal("[a]\nrw=read\nsize=20%\n").find("'20%' has no equivalent"), std::string::npos);
  EXPECT_NE(refusal("[a]\nrw=read\nsize=1g\nbs=4q\n").find("[a] bs: '4q' is not a size"), std::string::npos);
  EXPECT_NE(refusal("[a]\nioengine=filecreate\nsize=1g\n").find("[a] ioengine: 'filecreate'"), std::string::npos);
  EXPECT_NE(refusal("[a]\nrw=read\nsize=1g\nnumjobs=many\n").find("'many' is not a whole number"), std::string::npos);
}

TEST(FioJob, WhatIsTooLongOrTooManyIsRefusedWithItsLine) {
  EXPECT_EQ(refusal("[" + std::string(50'000, 'x') + "]\nsize=1m\n"),
            "jobs.fio:1: a line is longer than 1024 characters");
  EXPECT_EQ(refusal("[" + std::string(500, 'x') + "]\nsize=1m\n"), "jobs.fio:1: a name is longer than 128 characters");
  std::string options = "[a]\n", sections;
  for (int i = 0; i < 1000; ++i)
    options += "o" + std::to_string(i) + "=1\n", sections += "[" + std::to_string(i) + "]\n";
  EXPECT_EQ(refusal(options), "jobs.fio:202: more than 200 options in a section");
  EXPECT_EQ(refusal(sections), "jobs.fio:101: more than 100 sections");
}

TEST(FioJob, NumbersThatCannotBeMeantAreRefused) {
  const std::string job = "[a]\nsize=1m\n";
  for (const char* const option :
       {"size=99999999999t", "size=", "size=-1", "bs=nan", "numjobs=-1", "numjobs=99999999999999999999",
        "rw=rw\nrwmixwrite=-9223372036854775808", "bssplit=4k/nan", "bssplit=4k/inf:8k/1", "nrfiles=0x10",
        "rate_iops=1e999", "fsync=-3"})
    EXPECT_NE(refusal(job + option + "\n"), "") << option;
}

TEST(FioJob, ATimeOrADirectoryWithoutAValueIsRefused) {
  const std::string job = "[a]\nsize=1m\n";
  EXPECT_EQ(refusal(job + "runtime=\n"), "jobs.fio [a] runtime: has no value");
  EXPECT_EQ(refusal(job + "ramp_time=\n"), "jobs.fio [a] ramp_time: has no value");
  EXPECT_EQ(refusal(job + "directory=\n"), "jobs.fio [a] directory: has no value");
  EXPECT_EQ(refusal(job + "runtime=soon\n"), "jobs.fio [a] runtime: 'soon' is not a time (90, 90s or 2m)");
}

TEST(FioJob, TheFirstTimeThatAJobSaysIsThatOfAllAndOthersAreNamed) {
  const std::string text =
      "[global]\nsize=1m\n[a]\n[b]\nramp_time=5\nruntime=60\n[c]\nramp_time=7\nruntime=60\n[d]\nruntime=0\n";
  const FioImport import = import_fio(text, "x");
  EXPECT_EQ(import.warmup, "5s");
  EXPECT_EQ(import.duration, "60s");
  EXPECT_TRUE(notes(import, "[c] ramp_time: '5s' of an earlier job is for all jobs, not '7s'"));
  EXPECT_FALSE(notes(import, "[c] runtime: '"));
  EXPECT_EQ(import_fio(text, "x", "a").warmup, "0s");
  EXPECT_FALSE(import_fio(text, "x", "d").duration) << "0 is no limit";
}

}  // namespace
}  // namespace edagen
