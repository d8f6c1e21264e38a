// The workloads command as a user starts it.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/program.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

TEST(WorkloadsCommand, KindsOfProcsWithoutARateHaveNoShareOfTheOps) {
  const TemporaryDirectory folder;
  const std::string kind = R"({"schema":"edagen.workload/1","name":"NAME","phase":"custom","ops_per_sec_per_proc":RATE,
      "op_mix":{"stat":1,"OP":1},"dataset":{"data_files":4}})";
  const auto write = [&](const std::string& name, const std::string& rate, const std::string& op) {
    std::string text = kind;
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"NAME", name}, {"RATE", rate}, {"OP", op}})
      text.replace(text.find(from), from.size(), to);
    folder.write(name + ".json", text);
  };
  write("free", R"("max")", "read_seq");
  write("paced", "10", "access");
  const std::string blend = folder.write("blend.json", R"({"schema":"edagen.workload/1","name":"blend","phase":"mixed",
      "blend":[{"workload":"free.json","procs":1},{"workload":"paced.json","procs":2}]})");
  const Outcome valid = edagen({"workloads", "validate", blend});
  EXPECT_EQ(valid.status, 0) << valid.err;
  EXPECT_NE(valid.out.find("\nfree: 1 proc, as fast as the storage answers\n"), std::string::npos) << valid.out;
  EXPECT_NE(valid.out.find("\npaced: 2 procs, 10 ops/s each\n"), std::string::npos) << valid.out;
  EXPECT_EQ(std::ranges::count(valid.out, '\n') > 6, true);
  EXPECT_NE(valid.out.find("50.00"), std::string::npos) << valid.out;
}

TEST(WorkloadsCommand, AnImportedJobIsValidatedWithItsDepthAndItsWayToTheStorage) {
  const TemporaryDirectory folder;
  const std::string job = folder.write("x.fio",
                                       "[global]\nioengine=libaio\nsize=1m\n[a]\nrw=randread\niodepth=16\ndirect=1\n"
                                       "[b]\nrw=write\nfsync_on_close=1\n"),
                    file = folder / "x.json";
  const Outcome import = edagen({"workloads", "import-fio", job, "--output", file});
  EXPECT_EQ(import.status, 0) << import.err;
  const Outcome valid = edagen({"workloads", "validate", file});
  EXPECT_NE(valid.out.find("\na: I/O depth 16, O_DIRECT\nb: one op at a time, buffered, fsync at close\n"),
            std::string::npos)
      << valid.out;
  const std::string plain = edagen({"workloads", "show", "eda_mixed"}).err;
  EXPECT_EQ(plain.find("one op at a time"), std::string::npos) << plain;
}

TEST(WorkloadsCommand, ListsShowsAndValidates) {
  const std::string list = edagen({"workloads"}).out;
  EXPECT_NE(list.find("eda_functional_churn"), std::string::npos);
  for (const std::string& line : lines_of(list)) EXPECT_LE(line.size(), 80u) << line;
  const Outcome shown = edagen({"workloads", "show", "eda_mixed"});
  const TemporaryDirectory folder;
  const Outcome valid = edagen({"workloads", "validate", folder.write("copy.json", shown.out)});
  EXPECT_EQ(valid.status, 0);
  for (const std::string& text : {shown.err, valid.out}) EXPECT_NE(text.find("KiB per op"), std::string::npos) << text;
}

}  // namespace
}  // namespace edagen::testing
