#include "workload/fio_job.hpp"

#include <gtest/gtest.h>

#include "workload/fio_refusals.hpp"
#include "workload/imported_fio.hpp"
#include "workload/workload_file.hpp"

namespace edagen {
namespace {

using testing::kind_of, testing::notes, testing::refusal;

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

TEST(FioJob, DirectOpsThatAreNoWholeBlocksAreNoted) {
  const std::string job = "[a]\nrw=randread\nsize=64m\ndirect=1\n";
  EXPECT_TRUE(notes(import_fio(job + "bssplit=512/10:4k/90\nba=4k\n", "x"), "[a] direct: direct ops are rounded"));
  EXPECT_TRUE(
      notes(import_fio(job + "bs=2k\n", "x"), "[a] direct: ops begin at multiples of 2 KiB: the run is refused"));
  EXPECT_FALSE(notes(import_fio(job + "bs=8k\n", "x"), "[a] direct"));
}

TEST(FioJob, ArrivalsOfAClosedLoopAreUniform) {
  const std::string paced = "[global]\nsize=1m\n[p]\nrw=randread\nrate_iops=50\nrate_process=poisson\n";
  EXPECT_EQ(import_fio(paced, "p.fio").arrivals, "poisson");
  for (const char* const free : {"[f]\nrw=read\n", "[f]\nrw=randrw\nrate_process=poisson\n"}) {
    const FioImport import = import_fio(paced + free, "p.fio");
    EXPECT_FALSE(import.arrivals) << "--arrivals is for open loops";
    EXPECT_TRUE(notes(import, "[p] rate_process: arrivals are uniform beside a job without a rate"));
    EXPECT_FALSE(notes(import, "[f] rate_process"));
  }
}

TEST(FioJob, MixesSizesAndSyncsAreTaken) {
  const FioImport import = import_fio(
      "[mix]\nrw=randrw\nrwmixread=70\nbs=4k,64k\nfilesize=1m\nnrfiles=10\nrate_iops=500,100\nend_fsync=1\nfsync="
      "10\nsync=1\n"
      "ioengine=io_uring\niodepth=16\ndedupe_percentage=30\ndirectory=/mnt/"
      "x\nruntime=2m\nramp_time=5\ntime_based\ninvalidate=0\n",
      "m.fio");
  const ProcSpec spec = kind_of(import);
  EXPECT_NEAR(spec.share(OpKind::read_rand), 5.0 / 6, 1e-12) << "rates overrule the mix";
  EXPECT_EQ(spec.read_size.max(), 4 * KiB);
  EXPECT_EQ(spec.write_size.max(), 64 * KiB);
  EXPECT_EQ(spec.dataset.data_files, 10u);
  EXPECT_EQ(spec.dataset.file_size.max(), MiB);
  EXPECT_EQ(spec.ops_per_sec, 600) << "reads and writes each have their own";
  EXPECT_EQ(spec.io.fsync, FsyncWhen::end);
  EXPECT_EQ(spec.io.depth, 16u);
  EXPECT_EQ(spec.commit_percent, 10);
  EXPECT_EQ(spec.sync_percent, 100);
  EXPECT_EQ(spec.duplicate_percent, 30);
  EXPECT_EQ(import.directories, std::vector<std::string>{"/mnt/x"});
  EXPECT_EQ(import.duration, "120s");
  EXPECT_EQ(import.warmup, "5s");
  EXPECT_FALSE(spec.closed_loop);
  EXPECT_FALSE(import.drop_caches);
  EXPECT_TRUE(notes(import, "fsync")) << "an fsync is part of a write here";
}

TEST(FioJob, OfTwoFlushesTheMoreFrequentOneIsTaken) {
  const std::string job = "[a]\nrw=write\nsize=1g\nend_fsync=1\nfsync_on_close=1\nfsync=1\nfdatasync=100\n";
  const ProcSpec spec = kind_of(import_fio(job, "x"));
  EXPECT_EQ(spec.io.fsync, FsyncWhen::close) << "it flushes at the end, too";
  EXPECT_EQ(spec.commit_percent, 100);
  const FioImport stat = import_fio(job + "ioengine=filestat\n", "x");
  EXPECT_EQ(kind_of(stat).io.fsync, FsyncWhen::none);
  EXPECT_FALSE(notes(stat, "overwrite"));
}

TEST(FioJob, BlockSizesMayBeSplitOrRanges) {
  const ProcSpec split = kind_of(import_fio("[a]\nrw=write\nsize=1g\nbssplit=4k/10:64k/50:32k/40\n", "x"));
  EXPECT_NEAR(split.write_size.mean(), 0.1 * 4096 + 0.5 * 65536 + 0.4 * 32768, 1);
  const ProcSpec range = kind_of(import_fio("[a]\nrw=randread\nsize=1g\nbsrange=1k-4k\n", "x"));
  EXPECT_EQ(range.read_size.min(), KiB);
  EXPECT_EQ(range.read_size.max(), 4 * KiB);
}

TEST(FioJob, SeveralJobsAreABlendAndOneCanBeTaken) {
  const std::string text = "[global]\nsize=1g\n[reader]\nrw=randread\nnumjobs=3\n[writer]\nrw=write\nbs=1m\n";
  const FioImport both = import_fio(text, "/x/two jobs.fio");
  EXPECT_EQ(kind_of(both, 0).procs_per_job_set, 3);
  EXPECT_EQ(kind_of(both, 1).write_size.max(), MiB);
  EXPECT_EQ(kind_of(import_fio(text, "x", "writer")).share(OpKind::write_seq), 1);
  EXPECT_THROW(import_fio(text, "x", "nobody"), Error);
}

TEST(FioJob, JobsThatRunOneAfterTheOtherAreNotBlended) {
  for (const char* const waits : {"stonewall", "wait_for_previous=1", "wait_for=a"}) {
    const std::string text = std::string("[global]\nsize=1g\n[a]\n[b]\n") + waits + "\n";
    EXPECT_NE(refusal(text).find("fio runs 'b' after the jobs before it"), std::string::npos) << waits;
    EXPECT_EQ(kind_of(import_fio(text, "x", "b")).share(OpKind::read_seq), 1);
  }
  EXPECT_EQ(refusal("[global]\nsize=1g\nstonewall=0\n[a]\n[b]\n"), "");
  EXPECT_EQ(refusal("[a]\nstonewall\nsize=1g\n"), "") << "nothing to wait for";
}

TEST(FioJob, OptionsWithoutEqualAreNamed) {
  const FioImport import = import_fio(
      "[a]\nrw=randread\nsize=1g\nthinktime=5ms\nrandom_distribution=zipf:1.2\nverify=crc32c\niodepth=8\n", "x");
  for (const char* const text : {"[a] thinktime: '5ms'", "[a] random_distribution: 'zipf:1.2'", "[a] verify",
                                 "[a] iodepth: without effect on psync"})
    EXPECT_TRUE(notes(import, text)) << text;
}

TEST(FioJob, NumbersOfOptionsThatAreNotedMayBeAnyThatFioTakes) {
  const FioImport import = import_fio("[a]\nsize=1m\nflow=-8\nrandseed=18446744073709551615\n", "x");
  EXPECT_TRUE(notes(import, "[a] flow: '-8': jobs do not wait"));
  EXPECT_TRUE(notes(import, "[a] randseed: '18446744073709551615'"));
}

TEST(FioJob, WhatCannotBeExpressedIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal("rw=read\n"), "jobs.fio:1: an option before the first [section]");
  EXPECT_EQ(refusal("[global]\nrw=read\n"), "jobs.fio: has no job section");
  EXPECT_EQ(refusal("[a\n"), "jobs.fio:1: is not a section like [name]");
  for (const auto& [option, expected] : std::vector<std::pair<const char*, const char*>>{
           {"rw=trim", "jobs.fio:3 [a] rw: 'trim': edagen has no trims"},
           {"rw=randwrte", "jobs.fio:3 [a] rw: 'randwrte' is none of fio's patterns"},
           {"rw=randread:8", "jobs.fio:3 [a] rw: 'randread:8': edagen has no random places"},
           {"rw=write:4k", "jobs.fio:3 [a] rw: 'write:4k': edagen's sequential ops go forward and leave no holes"},
           {"bs=4q", "jobs.fio:3 [a] bs: '4q' has no unit that fio has"},
           {"bs=4k-64k", "jobs.fio:3 [a] bs: '4k-64k' is a range"},
           {"bs=2m", "jobs.fio:2 [a] size: a file of 1 MiB does not hold a block of 2 MiB"},
           {"bs=2*2k", "jobs.fio:3 [a] bs: '2*2k' is not a whole number"},
           {"numjobs=many", "jobs.fio:3 [a] numjobs: 'many' is not a whole number"},
           {"numjobs=1001", "jobs.fio:3 [a] numjobs: 1001 procs; a workload has 1 to 1000"},
           {"filesize=20%", "jobs.fio:3 [a] filesize: '20%' is a share of files that exist"},
           {"zonemode=zbd", "jobs.fio:3 [a] zonemode: edagen has no access by zones"},
           {"read_iolog=x", "jobs.fio:3 [a] read_iolog: edagen does not replay logs"},
           {"direct=2", "jobs.fio:3 [a] direct: '2' is neither 0 nor 1"},
           {"direct=yes", "jobs.fio:3 [a] direct: 'yes' is neither 0 nor 1"},
           {"nice=-21", "jobs.fio:3 [a] nice: '-21' is not -20 to 19"},
           {"prio=8", "jobs.fio:3 [a] prio: '8' is not 0 to 7"},
           {"sync=often", "jobs.fio:3 [a] sync: 'often' is none of none, 0, sync, 1, dsync"},
           {"rate=1m\nrate_iops=5", "jobs.fio:4 [a] rate_iops: is given beside rate, which fio refuses"}})
    EXPECT_NE(refusal(std::string("[a]\nsize=1m\n") + option + "\n").find(expected), std::string::npos)
        << refusal(std::string("[a]\nsize=1m\n") + option + "\n");
  EXPECT_NE(refusal("[a]\nrw=read\n").find("jobs.fio:1 [a] size: is needed"), std::string::npos);
}

TEST(FioJob, AWordThatIsNoOptionOfFioIsATypo) {
  EXPECT_EQ(refusal("[a]\nsize=1m\nread_write=read\n"),
            "jobs.fio:3 [a] read_write: is no option of fio (did you mean 'readwrite'?)");
  EXPECT_EQ(refusal("[global]\niodpeth=4\n[a]\nsize=1m\n"),
            "jobs.fio:2 [global] iodpeth: is no option of fio (did you mean 'iodepth'?)");
  EXPECT_NE(refusal("[a]\nsize=1m\noutput=x\n").find("output: is no option of fio"), std::string::npos);
}

TEST(FioJob, AllOptionsThatAreRefusedAreNamedAtOnceAndThoseOfAllJobsOnce) {
  const auto places = [](const std::string& text) {
    std::vector<std::string> found;
    try {
      import_fio(text, "jobs.fio");
    } catch (const FioRefusals& refusals) {
      for (const Error& each : refusals.all()) found.push_back(each.where());
    }
    return found;
  };
  EXPECT_EQ(places("[a]\nioengine=rados\nread_iolog=x\niodpeth=4\n[b]\nsize=1m\nrw=trim\n"),
            (std::vector<std::string>{"jobs.fio:2 [a] ioengine", "jobs.fio:4 [a] iodpeth", "jobs.fio:3 [a] read_iolog",
                                      "jobs.fio:7 [b] rw"}));
  EXPECT_EQ(places("[global]\nsize=1m\niodpeth=4\n[a]\n[b]\n"),
            std::vector<std::string>{"jobs.fio:3 [global] iodpeth"});
}

TEST(FioJob, OfTwoNamesOfAnOptionTheLastOneCounts) {
  const ProcSpec spec = kind_of(import_fio(
      "[global]\nreadwrite=randread\nblocksize=4k\nsize=1g\ntimeout=60\n[a]\nrw=write\nbs=1m\nruntime=10\n", "x"));
  EXPECT_EQ(spec.share(OpKind::write_seq), 1);
  EXPECT_EQ(spec.write_size.max(), MiB);
  EXPECT_EQ(import_fio("[a]\nsize=1g\nruntime=10\ntimeout=60\n", "x").duration, "60s");
  EXPECT_EQ(kind_of(import_fio("[a]\nnrfiles=4\nsize=64m\nnr_files=64\n", "x")).dataset.data_files, 64u);
  EXPECT_FALSE(kind_of(import_fio("[a]\nsize=1g\ndirect=1\nbuffered=1\n", "x")).io.direct);
  EXPECT_TRUE(kind_of(import_fio("[a]\nsize=1g\nbuffered=1\ndirect=1\n", "x")).io.direct);
  EXPECT_NEAR(kind_of(import_fio("[a]\nsize=1g\nrw=rw\nrwmixwrite=30\nrwmixread=10\n", "x")).share(OpKind::read_seq),
              0.1, 1e-12);
}

TEST(FioJob, RatesHoldForEachDirectionAndOverruleTheMix) {
  const auto rate = [](const std::string& options) {
    const ProcSpec spec = kind_of(import_fio("[a]\nsize=64m\n" + options + "\n", "x"));
    const double reads = spec.share(OpKind::read_rand) + spec.share(OpKind::read_seq);
    return std::pair(spec.ops_per_sec * reads, spec.ops_per_sec * (1 - reads));
  };
  const auto near = [](std::pair<double, double> got, double reads, double writes) {
    EXPECT_NEAR(got.first, reads, 0.01);
    EXPECT_NEAR(got.second, writes, 0.01);
  };
  // As fio 3.33 does with its null engine.
  near(rate("rw=randrw\nrwmixread=70\nrate_iops=100"), 100, 100);
  near(rate("rw=randread\nrate_iops=100,200"), 100, 0);
  near(rate("rw=write\nbs=4k\nrate=4m,1m"), 0, 256);
  near(rate("rw=randrw\nbs=4k,8k\nrate_iops=300,100"), 300, 100);
  near(rate("rw=randrw\nbs=4k,8k\nrate=1m"), 256, 128);
  near(rate("rw=randread\nbsrange=4k-64k\nrate_iops=100"), 100 * 4.0 / 34, 0);
  near(rate("rw=randread\nbssplit=4k/50:64k/50\nrate=1m"), 1024 / 34.0, 0);
  for (const auto& [sizes, notes] : {std::pair("bsrange=4k-64k", 1), {"bssplit=4k/90:64k/10", 1}, {"bs=4k", 0}}) {
    const FioImport import = import_fio(std::string("[a]\nsize=1m\nrw=randread\nrate_iops=100\n") + sizes, "x");
    EXPECT_EQ(std::ranges::count(import.notes, "rate_iops", &FioNote::option), notes) << sizes;
  }
  EXPECT_TRUE(kind_of(import_fio("[a]\nsize=1m\nrate_iops=0\n", "x")).closed_loop);
  EXPECT_NE(refusal("[a]\nsize=1m\nrw=randrw\nrate=,500k\n").find("rate: only writes have a rate"), std::string::npos);
}

TEST(FioJob, APacedJobBesideAnUnpacedOneKeepsBoth) {
  const FioImport import =
      import_fio("[global]\nsize=64m\nbs=4k\n[reader]\nrw=randread\n[writer]\nrw=randwrite\nrate_iops=100\n", "x");
  EXPECT_TRUE(kind_of(import, 0).closed_loop);
  EXPECT_FALSE(kind_of(import, 1).closed_loop);
  EXPECT_EQ(kind_of(import, 1).ops_per_sec, 100);
}

TEST(FioJob, EnginesAreTakenForWhatTheyDo) {
  for (const char* const engine : {"sync", "vsync", "pvsync2", "libaio", "io_uring", "posixaio", "splice"})
    EXPECT_EQ(refusal(std::string("[a]\nsize=1m\nioengine=") + engine + "\n"), "") << engine;
  for (const char* const engine : {"dirstat", "dircreate", "filedelete", "net", "rbd", "sg", "external:/x.o", "null"})
    EXPECT_NE(refusal(std::string("[a]\nsize=1m\nioengine=") + engine + "\n").find("[a] ioengine: '"),
              std::string::npos)
        << engine;
  EXPECT_NE(refusal("[a]\nsize=1m\nioengine=libaoi\n").find("is no engine of fio (did you mean 'libaio'?)"),
            std::string::npos);
  const FioImport nfs = import_fio("[a]\nsize=1m\nioengine=nfs\nnfs_url=nfs://192.0.2.1/v\niodepth=10\n", "x");
  EXPECT_EQ(kind_of(nfs).io.depth, 10u);
  EXPECT_TRUE(notes(nfs, "[a] ioengine: 'nfs': the files are reached through a mount here"));
  const FioImport buffered = import_fio("[a]\nsize=1m\nioengine=libaio\niodepth=8\n", "x");
  EXPECT_TRUE(notes(buffered, "[a] iodepth: buffered ops of libaio are done one at a time on Linux"));
  EXPECT_TRUE(
      notes(import_fio("[a]\nsize=1m\nioengine=vsync\niodepth=8\n", "x"), "adjacent ops of vsync are one call"));
}

TEST(FioJob, WhatIsSoAnywayIsNotNoted) {
  for (const char* const line :
       {"startdelay=0s", "startdelay=0-0", "max_latency=0us", "max_latency=0", "openfiles=1", "fadvise_hint=0",
        "fadvise_hint=1", "offset=0%", "offset_increment=1m", "dedupe_mode=repeat"}) {
    const std::string option = std::string(line).substr(0, std::string(line).find('='));
    EXPECT_FALSE(notes(import_fio(std::string("[a]\nsize=1m\n") + line + "\n", "x"), option + ":")) << line;
  }
  const FioImport import = import_fio(
      "[a]\nrw=randread\nsize=64m\nruntime=30\nverify=0\ndo_verify=0\noffset=0\nstartdelay=0\nrandrepeat=1\n"
      "random_distribution=random\nscramble_buffers=1\nzonemode=none\nfill_device=0\nlockfile=none\nhipri=0\n"
      "thinktime=0\ntime_based=0\nnorandommap=0\nrate=0\nexitall=0\npercentage_random=100\nloops=1\n",
      "x");
  std::vector<std::string> noted;
  for (const FioNote& note : import.notes) noted.push_back(note.option);
  EXPECT_EQ(noted, (std::vector<std::string>{"norandommap", "runtime"})) << "=0 is as if they were not there";
}

TEST(FioJob, ValuesThatFioDoesNotKnowAreRefused) {
  for (const char* const line : {"random_distribution=zip:1.2", "continue_on_error=foo", "verify=crc32z", "verify=none",
                                 "mem=foo", "ss=1", "file_service_type=foo", "sync=maybe"})
    EXPECT_NE(refusal(std::string("[a]\nsize=1m\nrw=randwrite\n") + line + "\n").find("is none of"), std::string::npos)
        << line;
  for (const char* const line :
       {"random_distribution=zipf:1.2", "random_distribution=zoned:60/10:40/90", "continue_on_error=1", "verify=null",
        "mem=mmap:/tmp/x", "ss=iops:2%", "file_service_type=normal:1", "steadystate=bw_slope:1%"})
    EXPECT_EQ(refusal(std::string("[a]\nsize=1m\nrw=randwrite\n") + line + "\n"), "") << line;
}

TEST(FioJob, OffloadedOpsAreAtDepthWithEveryEngine) {
  const FioImport offloaded = import_fio("[a]\nsize=4m\nioengine=psync\niodepth=8\nio_submit_mode=offload\n", "x");
  EXPECT_EQ(kind_of(offloaded).io.depth, 8u);
  EXPECT_FALSE(notes(offloaded, "without effect"));
  const FioImport mapped = import_fio("[a]\nsize=4m\nioengine=mmap\niodepth=8\nio_submit_mode=offload\n", "x");
  EXPECT_EQ(kind_of(mapped).io.depth, 1u);
  EXPECT_TRUE(notes(mapped, "without effect"));
  EXPECT_EQ(kind_of(import_fio("[a]\nsize=4m\nioengine=psync\niodepth=8\n", "x")).io.depth, 1u);
}

TEST(FioJob, CachesThatFioDropsAtEachPassAreNoted) {
  const std::string job = "[a]\nsize=1m\nrw=randread\nruntime=4\n";
  EXPECT_TRUE(notes(import_fio(job + "time_based\n", "x"), "invalidate: caches are dropped once"));
  for (const char* const line : {"direct=1", "invalidate=0", "pre_read=1", "rw=randwrite"})
    EXPECT_FALSE(notes(import_fio(job + "time_based\n" + line + "\n", "x"), "invalidate: caches are dropped once"))
        << line;
  EXPECT_FALSE(notes(import_fio(job, "x"), "invalidate"));
  EXPECT_TRUE(notes(import_fio("[global]\nsize=1m\n[a]\ninvalidate=0\n[b]\n", "x"), "[a] invalidate: '0'"));
}

TEST(FioJob, WhatEndsAFioRunEarlyIsNoted) {
  EXPECT_TRUE(notes(import_fio("[a]\nsize=1m\nss_dur=2\n", "x"), "steadystate_duration: '2'"));
  EXPECT_FALSE(notes(import_fio("[a]\nsize=1m\nss=iops:50%\n", "x"), "steadystate")) << "nothing without a duration";
}

TEST(FioJob, ValuesMayBeCalculatedAndNotesAreTrue) {
  EXPECT_FALSE(notes(import_fio("[a]\nsize=1m\nrw=randrw\nrwmixread=0\n", "x"), "overwrite")) << "fio lays files out";
  EXPECT_FALSE(notes(import_fio("[a]\nsize=1m\nrw=write\nfsync=8\nfdatasync=16\n", "x"), "fdatasync"));
  EXPECT_TRUE(notes(import_fio("[a]\nsize=1m\nrw=write\nfsync=8\nfdatasync=12\n", "x"), "fdatasync"));
  EXPECT_TRUE(notes(import_fio("[a]\nsize=1m\nrw=write\ndedupe_percentage=50\ndedupe_mode=working_set\n", "x"),
                    "dedupe_mode: 'working_set'"));

  const std::string job = "[a]\nsize=1g\n";
  EXPECT_NEAR(kind_of(import_fio(job + "rw=rw\nrwmixread=(50+20)\n", "x")).share(OpKind::read_seq), 0.7, 1e-12);
  EXPECT_EQ(refusal("[a]\nfilesize=1g\nsize=100%\n"), "") << "all of the file";
  const FioImport same = import_fio(job + "rw=write\nbuffer_pattern=0xab\ndedupe_percentage=30\n", "x");
  EXPECT_FALSE(notes(same, "zeros are written"));
  const std::string files = "[a]\nrw=randread\nfilesize=1m-2m\nnrfiles=9\nfile_service_type=sequential\n";
  EXPECT_EQ(kind_of(import_fio(files, "x")).ops_per_open, 384u) << "blocks in the mean file";
}

TEST(FioJob, RandomAndSequentialOpsMayBeMixed) {
  const FioImport half = import_fio("[a]\nrw=randread\nsize=1g\npercentage_random=25\n", "x");
  EXPECT_EQ(kind_of(half).share(OpKind::read_rand), 0.25);
  EXPECT_EQ(kind_of(half).share(OpKind::read_seq), 0.75);
  EXPECT_EQ(kind_of(import_fio("[a]\nrw=randwrite\nsize=1g\npercentage_random=0\n", "x")).share(OpKind::write_seq), 1);
}

TEST(FioJob, WhatIsTooLongOrTooManyIsRefusedWithItsLine) {
  EXPECT_EQ(refusal("[" + std::string(50'000, 'x') + "]\nsize=1m\n"),
            "jobs.fio:1: a line is longer than 4096 characters");
  EXPECT_EQ(refusal("[" + std::string(500, 'x') + "]\nsize=1m\n"), "jobs.fio:1: a name is longer than 128 characters");
  std::string options = "[a]\n", sections;
  for (int i = 0; i < 1000; ++i)
    options += "o" + std::to_string(i) + "=1\n", sections += "[" + std::to_string(i) + "]\n";
  EXPECT_EQ(refusal(options), "jobs.fio:202 [a]: more than 200 options in a section");
  EXPECT_EQ(refusal(sections), "jobs.fio:101: more than 100 sections");
}

TEST(FioJob, NumbersThatCannotBeMeantAreRefused) {
  const std::string job = "[a]\nsize=1m\n";
  for (const char* const option :
       {"size=99999999999t", "size=", "size=-1", "bs=nan", "numjobs=-1", "numjobs=99999999999999999999",
        "rw=rw\nrwmixwrite=-9223372036854775808", "bssplit=4k/nan", "bssplit=4k/inf:8k/1", "nrfiles=0y10",
        "rwmixread=101", "bssplit=4k/60:8k/60:16k/", "rate_iops=1e999", "fsync=-3"})
    EXPECT_NE(refusal(job + option + "\n"), "") << option;
}

TEST(FioJob, ATimeOrADirectoryWithoutAValueIsRefused) {
  const std::string job = "[a]\nsize=1m\n";
  EXPECT_EQ(refusal(job + "runtime=\n"), "jobs.fio:3 [a] runtime: has no value");
  EXPECT_EQ(refusal(job + "ramp_time\n"), "jobs.fio:3 [a] ramp_time: has no value");
  EXPECT_EQ(refusal(job + "directory=\n"), "jobs.fio:3 [a] directory: has no value");
  EXPECT_EQ(refusal(job + "runtime=soon\n"), "jobs.fio:3 [a] runtime: 'soon' is not a time such as 90, 90s or 2m");
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
