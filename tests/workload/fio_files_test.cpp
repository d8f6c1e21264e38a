// Where the files of fio's jobs are, how large they are and who shares them.
#include <gtest/gtest.h>

#include "workload/imported_fio.hpp"

namespace edagen {
namespace {

using testing::kind_of, testing::notes, testing::refusal;

TEST(FioFiles, DirectoriesBecomeTheMountsOfTheCommand) {
  const std::vector<std::string> two = {"/mnt/a", "/mnt/b"};
  EXPECT_EQ(import_fio("[a]\nsize=1g\nnumjobs=2\ndirectory=/mnt/a:/mnt/b\n", "x").directories, two);
  EXPECT_EQ(import_fio("[a]\nsize=1g\ndirectory=/mnt/a\\:b\n", "x").directories, std::vector<std::string>{"/mnt/a:b"});
  EXPECT_EQ(import_fio("[a]\nsize=1g\nfilename=/mnt/a/x\n", "x").directories, std::vector<std::string>{"/mnt/a"});
  EXPECT_TRUE(import_fio("[a]\nsize=1g\nfilename=/dev/sdb\n", "x").directories.empty());
  EXPECT_NE(refusal("[global]\nsize=1g\n[r]\ndirectory=/mnt/a\n[w]\nrw=write\ndirectory=/mnt/b\n")
                .find("jobs.fio:7 [w] directory: '/mnt/b' is another place than '/mnt/a' of an earlier job"),
            std::string::npos);
  EXPECT_NE(refusal("[global]\nsize=1g\ndirectory=/mnt/a:/mnt/b\n[r]\nnumjobs=2\n[w]\nrw=write\n")
                .find("'/mnt/a' is another place than '/mnt/a:/mnt/b' of an earlier job"),
            std::string::npos)
      << "one proc works in the first directory alone";
}

TEST(FioFiles, AJobThatNamesNoDirectoryIsNoted) {
  const FioImport import = import_fio("[global]\nsize=1g\n[a]\ndirectory=/mnt/a\n[b]\nfilename=/dev/sdb\n", "x");
  EXPECT_TRUE(notes(import, "[b] directory: the job names none, and runs in '/mnt/a' with the others"));
}

TEST(FioFiles, EachDirectoryOfAListHasAClientWithItsShareOfTheProcs) {
  const FioImport two = import_fio("[a]\nsize=1g\nnumjobs=6\ndirectory=/mnt/a:/mnt/b\n", "x");
  EXPECT_EQ(two.clients, 2);
  EXPECT_EQ(kind_of(two).procs_per_job_set, 3);
  const FioImport one = import_fio("[a]\nsize=1g\ndirectory=/mnt/a:/mnt/b\n", "x");
  EXPECT_EQ(one.directories, std::vector<std::string>{"/mnt/a"}) << "fio's one proc works in the first";
  EXPECT_EQ(refusal("[a]\nsize=1g\nnumjobs=3\ndirectory=/mnt/a:/mnt/b\n"),
            "jobs.fio:1 [a] numjobs: 3 procs do not divide among 2 directories, and each client of edagen has as many "
            "procs (a multiple of 2)");
  EXPECT_NE(refusal("[a]\nsize=1g\nfilename=/mnt/a/x:/mnt/b/y\n").find("is in several directories"), std::string::npos);
}

TEST(FioFiles, ProcsWithOneFileNameShareTheFile) {
  const FioImport one = import_fio("[a]\nrw=randread\nsize=100g\nnumjobs=16\nfilename=/mnt/a/shared\n", "x");
  EXPECT_EQ(kind_of(one).dataset.file_size.max(), 100 * GiB);
  EXPECT_EQ(kind_of(one).shared_files.by, SharedBy::all);
  EXPECT_EQ(kind_of(one).shared_files.set, "");
  const FioImport format = import_fio("[a]\nsize=1g\nnumjobs=2\nfilename_format=f.$filenum\n", "x");
  EXPECT_EQ(kind_of(format).shared_files.by, SharedBy::all);
  EXPECT_EQ(kind_of(import_fio("[a]\nsize=1g\nnumjobs=2\n", "x")).shared_files.by, SharedBy::none);
  EXPECT_EQ(kind_of(import_fio("[a]\nsize=1g\nfilename=/mnt/a/x\n", "x")).shared_files.by, SharedBy::none);
}

TEST(FioFiles, JobsWithOneFileNameShareTheFileUnlessTheyUseDifferentPartsOfIt) {
  const FioImport two = import_fio("[global]\nsize=1g\nfilename=/mnt/a/x\n[r 1]\nnumjobs=3\n[w]\nrw=write\n", "x");
  for (const std::size_t kind : {0u, 1u}) {
    EXPECT_EQ(kind_of(two, kind).dataset.file_size.max(), GiB);
    EXPECT_EQ(kind_of(two, kind).shared_files.by, SharedBy::all);
    EXPECT_EQ(kind_of(two, kind).shared_files.set, "r_1");
  }
  const FioImport parts =
      import_fio("[global]\nfilename=/mnt/a/x\n[r]\nsize=1g\nnumjobs=3\n[w]\nrw=write\nsize=2g\n", "x");
  EXPECT_EQ(kind_of(parts, 1).shared_files.set, "");
  EXPECT_TRUE(
      notes(parts, "[w] filename: 'r' uses another part of the file: each of the two jobs has files of its own"));
}

TEST(FioFiles, AnOffsetLeavesOutWhatIsBeforeIt) {
  const auto file_size = [](const std::string& job) {
    return kind_of(import_fio("[a]\n" + job, "x")).dataset.file_size.max();
  };
  EXPECT_EQ(file_size("size=1g\noffset=256m\n"), GiB) << "fio's file has offset + size";
  EXPECT_EQ(file_size("filesize=1g\noffset=256m\n"), 768 * MiB) << "fio works in filesize - offset";
  EXPECT_NE(refusal("[a]\nsize=1g\noffset=50%\n").find("offset: '50%' is a share of files that exist"),
            std::string::npos);
  EXPECT_NE(refusal("[a]\nsize=1g\noffset=half\n").find("offset: 'half' is not a whole number"), std::string::npos);
  EXPECT_NE(refusal("[a]\nfilesize=1g\nnumjobs=4\noffset_increment=10m\n").find("offset_increment: beside filesize"),
            std::string::npos);
  const FioImport same = import_fio("[a]\nsize=1g\nfilename=x\nnumjobs=2\noffset_increment=0k\noffset=0k\n", "x");
  EXPECT_EQ(kind_of(same).shared_files.by, SharedBy::all);
  EXPECT_FALSE(notes(same, "offset"));
  const FioImport parts = import_fio("[global]\nsize=1g\nfilename=x\n[r]\n[w]\nrw=write\noffset=1g\n", "x");
  EXPECT_EQ(kind_of(parts, 1).shared_files.set, "") << "another part of the file";
  EXPECT_TRUE(notes(parts, "[w] filename: 'r' uses another part of the file"));
}

TEST(FioFiles, JobsOfOneNameShareOnlyWhatTheyShareInFio) {
  const FioImport import =
      import_fio("[global]\nsize=1g\n[w]\nfilename=f\n[w]\nfilename=g\n[w]\nfilename=f\n[r]\nfilename=g\n", "x");
  EXPECT_EQ(kind_of(import, 0).shared_files.set, kind_of(import, 2).shared_files.set);
  EXPECT_EQ(kind_of(import, 1).shared_files.set, kind_of(import, 3).shared_files.set);
  EXPECT_NE(kind_of(import, 0).shared_files.set, kind_of(import, 1).shared_files.set);
}

TEST(FioFiles, JobsWhoseFilesHaveTheSameNamesShareThem) {
  const FioImport same = import_fio("[global]\nsize=1g\n[w]\nrw=write\n[w]\nrw=read\n", "x");
  for (const std::size_t kind : {0u, 1u}) EXPECT_EQ(kind_of(same, kind).shared_files.set, "w.1") << "w.0.0 in fio";
  const std::string format = "[global]\nsize=1g\nfilename_format=f.$jobnum\n[r]\n[w]\nrw=write\n";
  for (const std::size_t kind : {0u, 1u}) EXPECT_EQ(kind_of(import_fio(format, "x"), kind).shared_files.set, "r");
  const FioImport several = import_fio(format + "numjobs=2\n", "x");
  for (const std::size_t kind : {0u, 1u}) EXPECT_EQ(kind_of(several, kind).shared_files.by, SharedBy::none);
  EXPECT_TRUE(notes(several, "[w] filename_format: in fio each proc shares its files"));
  EXPECT_FALSE(notes(import_fio("[global]\nsize=1g\nnumjobs=2\n[r]\n[w]\n", "x"), "filename_format"));
}

TEST(FioFiles, OnePlaceInTwoSpellingsIsOne) {
  const FioImport import =
      import_fio("[global]\nsize=1g\n[r]\nfilename=/mnt/a/x\n[w]\nrw=write\ndirectory=/mnt/a/\nfilename=x\n", "x");
  EXPECT_EQ(import.directories, std::vector<std::string>{"/mnt/a"});
  for (const std::size_t kind : {0u, 1u}) EXPECT_EQ(kind_of(import, kind).shared_files.set, "r");
}

TEST(FioFiles, FilesHaveTheirTurnAsTheJobSays) {
  const auto per_open = [](const std::string& order) {
    return kind_of(import_fio("[a]\nrw=randread\nsize=1g\nnrfiles=10\n" + order + "\n", "x")).ops_per_open;
  };
  EXPECT_EQ(per_open("file_service_type=random:8"), 8u);
  EXPECT_EQ(per_open("file_service_type=roundrobin"), 1u);
  EXPECT_TRUE(notes(import_fio("[a]\nsize=1g\nnrfiles=10\n", "x"), "[a] file_service_type: 'roundrobin': a file is"));
  EXPECT_TRUE(notes(import_fio("[a]\nsize=1g\nnrfiles=10\nfile_service_type=sequential\n", "x"),
                    "'sequential': the next file is a random one here"));
}

TEST(FioFiles, JobsThatHaveSomeFilesInCommonAreNoted) {
  const auto is_noted = [](const std::string& jobs) {
    return notes(import_fio("[global]\nsize=64k\n" + jobs, "x"), "here each job has files of its own");
  };
  EXPECT_TRUE(is_noted("[a]\nfilename=x:y\n[b]\nfilename=x\nrw=write\n"));
  EXPECT_TRUE(is_noted("[w]\nrw=write\n[r]\nrw=randread\nfilename=w.0.0\n"));
  EXPECT_TRUE(is_noted("[w]\ndirectory=/d\nrw=write\n[r]\ndirectory=/d/\nfilename=./w.0.0\n"));
  EXPECT_FALSE(is_noted("[a]\nfilename=x\n[b]\nfilename=x\n"));
  EXPECT_FALSE(is_noted("[a]\n[b]\n"));
  EXPECT_FALSE(is_noted("[a]\nfilename=x\n[b]\nfilename=y\n"));
}

TEST(FioFiles, OneNameIsOneFileHoweverOftenItIsGiven) {
  const auto count = [](const std::string& job) {
    return kind_of(import_fio("[a]\nsize=128k\n" + job + "\n", "x")).dataset.data_files;
  };
  EXPECT_EQ(count("filename=f:f"), 1u);
  EXPECT_EQ(count("filename=f:g"), 2u);
  EXPECT_EQ(count("filename_format=one\nnrfiles=2"), 1u);
  EXPECT_EQ(count("filename_format=$filenum\nnrfiles=2"), 2u);
  EXPECT_TRUE(notes(import_fio("[a]\nsize=128k\nfilename=f:g\nnrfiles=1\n", "x"), "nrfiles: all 2 files count here"));
}

TEST(FioFiles, FilesHaveWholeBlocks) {
  const auto file_size = [](const std::string& job) {
    return kind_of(import_fio("[a]\n" + job, "x")).dataset.file_size.max();
  };
  EXPECT_EQ(file_size("size=10m\nnrfiles=100\nbs=32k\n"), 96 * KiB) << "fio 3.33: 3 blocks of each file, no shorter op";
  EXPECT_EQ(file_size("size=100000\nbs=64k\n"), 64 * KiB);
  EXPECT_EQ(file_size("size=1m\nnrfiles=3\nrw=rw\nbs=64k,4k\n"), 340 * KiB);
  EXPECT_EQ(file_size("size=1000\nnrfiles=2\nioengine=filestat\n"), 500) << "smaller than a block";
  EXPECT_EQ(file_size("filesize=100k\nbs=16k\n"), 96 * KiB) << "fio 3.33: no shorter op";
  EXPECT_EQ(file_size("filesize=10k-50k\nbs=4k\n"), 48 * KiB);
  EXPECT_TRUE(notes(import_fio("[a]\nsize=100k\nbs=16k\nfilename=f\n", "x"), "the last op of a file is shorter"));
  EXPECT_FALSE(notes(import_fio("[a]\nsize=96k\nbs=16k\nfilename=f\n", "x"), "shorter"));
}

TEST(FioFiles, FileSizesMayBeARange) {
  const ProcSpec range = kind_of(import_fio("[a]\nrw=randread\nfilesize=4k-64k\nnrfiles=10\n", "x"));
  EXPECT_EQ(range.dataset.file_size.min(), 4 * KiB);
  EXPECT_EQ(range.dataset.file_size.max(), 64 * KiB);
}

}  // namespace
}  // namespace edagen
