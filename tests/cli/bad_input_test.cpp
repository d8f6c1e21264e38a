// What users and their files can do wrong: exit 2, one line, and nothing touched.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace testing;

void expect_refused(const std::vector<std::string>& words, const std::string& why) {
  const Outcome outcome = edagen(words);
  std::string shown;
  for (const std::string& word : words) shown += word.substr(0, 60) + " ";
  EXPECT_EQ(outcome.status, 2) << shown << "\n" << outcome.err.substr(0, 2000);
  EXPECT_EQ(outcome.out, "") << shown;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << shown << "\n"
                                                                         << outcome.err.substr(0, 2000);
  EXPECT_TRUE(outcome.err.starts_with("edagen: ")) << outcome.err.substr(0, 2000);
  EXPECT_LT(outcome.err.size(), 1600u) << shown;
  EXPECT_NE(outcome.err.find(why), std::string::npos)
      << shown << "\nis to say: " << why << "\nsays: " << outcome.err.substr(0, 2000);
}

std::vector<std::string> run(const std::vector<std::string>& words) {
  return together({"run", "--phase", "functional", "--dry-run"}, words);
}

TEST(BadInput, ANameThatIsTooLongForTheSystemIsRefusedByTheNameOfItsOption) {
  const TemporaryDirectory folder;
  for (const std::string& name : {std::string(300, 'a'), std::string(300, 'b') + "/x"}) {
    const std::string config = folder.write(
        "n.json",
        R"({"schema":"edagen.nightly/1","history":"h","json":")" + name +
            R"(","measurements":[{"name":"m","run":["run","--phase","functional","--target","sim:regular"]}]})");
    const Outcome night = edagen({"nightly", "--config", config, "--dry-run"});
    EXPECT_TRUE(is_refused(night, "edagen: --json "));
    EXPECT_NE(night.err.find(": File name too long\n"), std::string::npos) << night.err;
    expect_refused(run({"--target", "sim:regular", "--json", name}), "File name too long");
  }
}

TEST(BadInput, AVerdictDoesNotReplaceAFileThatAMeasurementIsReadFrom) {
  const TemporaryDirectory folder;
  folder.write("w.json", R"({"schema":"edagen.workload/1","extends":"eda_functional","name":"w"})");
  folder.write("labels", "a=b\n");
  for (const std::string& input : {std::string("w.json"), std::string("labels")}) {
    const std::string config = folder.write("n.json", R"({"schema":"edagen.nightly/1","history":"h","json":")" + input +
                                                          R"(","measurements":[{"name":"m","run":["run","--workload",
          "./w.json","--label-file","labels","--target","sim:regular"]}]})");
    const Outcome night = edagen({"nightly", "--config", config, "--dry-run"});
    EXPECT_TRUE(is_refused(night, input + ": is an input of this command\n"));
  }
}

TEST(BadInput, ACommandOfACommandIsNamedWithBoth) {
  expect_refused({"import-fio", "x.fio"}, "import-fio: unknown word (did you mean 'edagen workloads import-fio'?)");
}

TEST(BadInput, ADirectoryWithoutAnOptionIsToldTheOneOfTheCommand) {
  expect_refused({"compare", "/mnt/a", "--phase", "mixed"}, "(a volume is named by --volume NAME=/mnt/a)");
  expect_refused({"curve", "./a", "--phase", "mixed"}, "(a volume is named by --mount ./a)");
  expect_refused({"report", "--colour", "./a"}, "--colour: unknown option");
  expect_refused({"history", "-q", "./a"}, "-q: unknown option (is an option of run, curve");
}

TEST(BadInput, AnExportIsNoMount) {
  expect_refused(run({"--mount", "127.0.0.1:/vol"}),
                 "No such file or directory (an export is mounted first, or used as --target nfs://SERVER/PATH)");
  expect_refused(run({"--mount", "nfs://127.0.0.1/vol"}), "No such file or directory (--target nfs://127.0.0.1/vol)");
}

TEST(BadInput, ASimulatedVolumeIsNoMount) {
  expect_refused(run({"--mount", "sim:regular"}),
                 "mount sim:regular: No such file or directory (--target sim:regular)");
}

TEST(BadInput, AHistoryThatIsNoDirectoryIsRefusedByADryRunToo) {
  const TemporaryDirectory folder;
  const std::string config = folder.write("n.json", R"({"schema":"edagen.nightly/1","history":"n.json",
      "measurements":[{"name":"m","run":["run","--phase","functional","--target","sim:regular"]}]})");
  const Outcome night = edagen({"nightly", "--config", config, "--dry-run"});
  EXPECT_TRUE(is_refused(night, "n.json: Not a directory\n"));
}

TEST(BadInput, AFileThatIsNoneOrEndlessOrMuchTooLargeIsRefusedWhereverOneIsRead) {
  const TemporaryDirectory folder;
  for (const char* const suffix : {".json", ".jsonl", ".fio"})
    ASSERT_EQ(::mkfifo((folder / "fifo" + suffix).c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder / "zero.json");
  std::filesystem::create_symlink("/dev/zero", folder / "zero.jsonl");
  std::filesystem::create_directory(folder / "dir.json");
  std::filesystem::create_directory(folder / "dir.jsonl");
  std::filesystem::resize_file(folder.write("large.json", ""), std::uintmax_t{1} << 40);
  std::filesystem::resize_file(folder.write("large.jsonl", ""), std::uintmax_t{1} << 40);
  for (const auto& [stem, why] : {std::pair<std::string, std::string>{"fifo", "is a FIFO, not a file"},
                                  {"zero", "is a device, not a file"},
                                  {"dir", "is a directory, not a file"},
                                  {"large", "is larger than "},
                                  {"gone", "cannot be read: No such file or directory"}}) {
    const std::string path = folder / stem + ".json";
    expect_refused({"workloads", "validate", path}, why);
    expect_refused({"run", "--workload", path, "--dry-run"}, why);
    expect_refused(run({"--target", "sim:" + path}), why);
    expect_refused({"workloads", "import-fio", path}, why);
    expect_refused({"report", path}, why);
    expect_refused({"report", path + "l"}, stem == "large" ? "has a line that is longer than " : why);
    expect_refused({"check", path, path}, why);
    expect_refused(run({"--label-file", path}), why);
    if (::geteuid() == 0)
      expect_refused({"compare", "--phase", "mixed", "--export", "127.0.0.1:/x", "--tunings", path, "--dry-run"}, why);
  }
}

TEST(BadInput, FilesThatUsedToBreakTheParserAreRefused) {
  const TemporaryDirectory folder;
  const std::string long_name(100'000, 'x');
  for (const std::size_t levels : {50'000, 1'000'000})
    for (const std::string& deep : {std::string(levels, '['), std::string(levels, '[') + std::string(levels, ']')}) {
      const std::string path = folder.write("deep.json", deep);
      for (const std::vector<std::string>& words : {std::vector<std::string>{"report", path},
                                                    {"workloads", "validate", path},
                                                    {"run", "--workload", path},
                                                    {"run", "--phase", "mixed", "--target", "sim:" + path}})
        expect_refused(words, "is nested deeper than 64 levels");
    }
  expect_refused(
      {"workloads", "validate",
       folder.write("n.json", R"({"schema":"edagen.workload/1","phase":"custom","name":")" + long_name + "\"}")},
      "#/name: has 100,000 characters: at most 128");
  expect_refused(
      run({"--target", "sim:" + folder.write("v.json", R"({"schema":"edagen.volume/1","name":")" + long_name + "\"}")}),
      "#/name: has 100,000 characters: at most 128");
  expect_refused({"report", folder.write("r.json", R"({"started_at":")" + long_name + "\"}")},
                 "#/started_at: has 100,000 characters: at most 20");
  expect_refused({"workloads", "import-fio", folder.write("a.fio", "[" + long_name + "]\n")},
                 "a.fio:1: a line is longer");
  expect_refused({"report", folder.write("d.json", std::string(1'000'000, '7'))}, "number overflow");
  expect_refused({"report", folder.write("u.json", "{\"name\":\"\xff\"}")}, "ill-formed UTF-8");
  expect_refused({"report", folder.write("e.jsonl", "")}, "is empty");
  for (const char* const line :
       {"5", R"({"type":5})", R"({"type":"interval","phase":"measure"})", R"({"type":"header"})", "[]", "\xff"})
    expect_refused({"report", folder.write("l.jsonl", line)}, "l.jsonl");
}

TEST(BadInput, WholeNumbersTakeNoSignNoFractionNoJunkAndNoOverflow) {
  for (const char* const option :
       {"--clients", "--job-sets", "--procs", "--io-depth", "--seed", "--max-errors", "--max-workers", "--repeat"})
    for (const std::string& value :
         {std::string("-1"), std::string("+1"), std::string("1.5"), std::string("18446744073709551616"),
          std::string("nan"), std::string("1,00"), std::string("1\n2"), std::string("\xff"), std::string(),
          std::string(100'000, '1')})
      expect_refused(run({option, value}), std::string(option) + ": '");
  expect_refused(
      {"curve", "--phase", "mixed", "--points", "-1"},
      "--points: '-1' is none of its forms (a number of load points (10), START:END:STEP (100:550:50) or loads "
      "(2k,4k,8k))");
}

TEST(BadInput, QuantitiesAreNumbersWithAUnitAndNothingElse) {
  for (const char* const option :
       {"--rate", "--warmup", "--duration", "--stuck-after", "--dataset-scale", "--file-size", "--read-percent"})
    for (const std::string& value :
         {std::string("nan"), std::string("inf"), std::string("-1"), std::string("1e400"), std::string(),
          std::string("1 0"), std::string("\n"), std::string("\xff\xfe"), std::string(100'000, '9')})
      expect_refused(run({option, value}), std::string(option) + ": '");
  expect_refused(run({"--read-percent", "100.1"}), "--read-percent: '100.1' is not a number from 0 to 100");
  for (const char* const value : {"", "2", "1,2", "1ms,2", "1ms,,2ms", "nan", "-1ms"})
    expect_refused({"curve", "--phase", "mixed", "--latency-target", value, "--dry-run"}, "--latency-target: '");
  expect_refused({"curve", "--phase", "mixed", "--latency-target", "2", "--dry-run"},
                 "--latency-target: '2' has no unit: 2ms or 2s?");
}

TEST(BadInput, AnOptionThatIsGivenTwiceOrWithoutItsValueOrAFlagWithOneIsNamedInPlainWords) {
  expect_refused(run({"--phase", "mixed"}), "edagen: --phase: is given 2 times, but can be given once\n");
  expect_refused(run({"--clients", "1", "--clients=2", "--clients", "3"}),
                 "--clients: is given 3 times, but can be given once\n");
  expect_refused({"curve", "--points"}, "edagen: --points: needs a value (N|START:END:STEP|LOAD,...)\n");
  expect_refused({"run", "--phase"}, "edagen: --phase: needs a value (one of functional, physical, mixed)\n");
  expect_refused({"compare", "--json"}, "edagen: --json: needs a value (FILE)\n");
  expect_refused(run({"--keep-dataset=" + std::string(100'000, 'x')}), "edagen: --keep-dataset: takes no value\n");
  expect_refused({"run", "--phase=At Most 1 required but received 2"}, "--phase: unknown 'At Most 1 required");
}

TEST(BadInput, TheSizeOfADatasetIsRefusedWithWhatIsAllowed) {
  for (const char* const value : {"0", "1e9", "x"})
    expect_refused(run({"--dataset-scale", value}), "edagen: --dataset-scale: '" + std::string(value) +
                                                        "' is not auto, nor a number above 0, such as 0.1, and up to "
                                                        "1,000,000\n");
}

TEST(BadInput, AnEmptyNameIsNotTakenForNone) {
  for (const char* const option : {"--json", "--csv", "--html", "--journal", "--mount", "--target", "--workload"})
    expect_refused({"run", option, "", "--dry-run"}, std::string(option) + ": is empty");
  for (const char* const option : {"--html", "--csv"})
    expect_refused({"report", "x.json", option, ""}, std::string(option) + ": is empty");
  for (const char* const option : {"--volume", "--export", "--tunings", "--results"})
    expect_refused({"compare", "--phase", "mixed", option, ""}, std::string(option) + ": is empty");
  expect_refused({"curve", "--phase", "mixed", "--sweep", ""}, "--sweep: is empty");
  expect_refused({"workloads", "validate", ""}, "FILE: is empty");
}

TEST(BadInput, AnEmptyValueBehindAnEqualsSignDoesNotTakeTheNextWord) {
  const TemporaryDirectory folder;
  std::vector<std::string> results;
  for (const char* const seed : {"1", "2"}) {
    results.push_back(folder / seed);
    ASSERT_EQ(edagen({"run", "--phase", "functional", "--target", "sim:regular", "--warmup", "0s", "--duration",
                      "100ms", "--seed", seed, "--json", results.back()})
                  .status,
              0);
  }
  const auto size = std::filesystem::file_size(results[0]);
  expect_refused({"report", "--html=", results[0], results[1]}, "--html: is empty");
  expect_refused({"check", "--json=", results[0], results[1]}, "--json: is empty");
  expect_refused(run({"--target", "sim:regular", "--json=", "-q"}), "--json: is empty");
  EXPECT_EQ(std::filesystem::file_size(results[0]), size);
}

TEST(BadInput, APartOfAUrlIsNamedBehindItsOption) {
  expect_refused(run({"--target", "nfs://h:0/x"}), "edagen: --target: port: '0' is not a whole number from 1 to 65535");
  expect_refused({"clean", "--target", "nfs://h/x?nconnect=0"},
                 "edagen: --target: nconnect: '0' is not a whole number");
  expect_refused({"compare", "--phase", "mixed", "--volume", "a=nfs://h:0/x"}, "edagen: --volume: port: '0'");
}

TEST(BadInput, MoreThanAMachineHoldsIsRefusedWithTheLimit) {
  expect_refused(run({"--clients", "100000", "--job-sets", "100000"}), "at most 1,000,000");
  expect_refused({"run", "--phase", "mixed", "--target", "sim:regular", "--clients", "100000", "--job-sets", "100000"},
                 "at most 1,000,000");
  expect_refused(run({"--dataset-scale", "1000000", "--clients", "1000"}), "dataset scale: ");
  expect_refused(run({"--file-size", "1048576T"}), "dataset scale: ");
}

TEST(BadInput, AnUnknownNameIsToldTheNearestOneAndAllThatAreKnown) {
  expect_refused({"run", "--phase", "functionl"},
                 "--phase: unknown 'functionl' (did you mean 'functional'? known: functional, physical, mixed)");
  expect_refused(run({"--arrivals", "pois"}), "(did you mean 'poisson'? known: uniform, poisson)");
  expect_refused(run({"--io-engine", "zzz"}), "--io-engine: unknown 'zzz' (known: auto, io_uring, threads)");
  expect_refused({"run", "--workload", "eda_func"}, "did you mean 'eda_functional'? known: eda_functional, eda_");
  expect_refused({"run", "--workload", "zzz"}, "8k-randwrite}; or FILE.json)");
  expect_refused(run({"--target", "sim:regulr"}), "did you mean 'regular'? known: breakthrough, large, ");
}

TEST(BadInput, AnUnknownWordAfterHelpIsToldTheNearestOne) {
  expect_refused({"help", "cruve"}, "cruve: unknown word (did you mean 'curve'?)");
  expect_refused({"cruve", "--help"}, "cruve: unknown word (did you mean 'curve'?)");
  expect_refused({"workloads", "nosuch", "--help-all"}, "nosuch: unknown word (known: list, show, ");
}

TEST(BadInput, AWordThatIsNearNoCommandIsToldAllCommands) {
  expect_refused({"frobnicate"}, "frobnicate: unknown word (known: run, curve, report, mounts, compare, ");
  expect_refused({"help", "frobnicate"}, "frobnicate: unknown word (known: run, curve, ");
  expect_refused(run({"frobnicate"}), "frobnicate: unknown word\n");
}

TEST(BadInput, OptionsThatHaveNoEffectTogetherAreRefused) {
  const std::vector<std::string> curve = {"curve", "--phase", "mixed", "--target", "sim:regular", "--dry-run"};
  for (const char* const option : {"--precision", "--search-time"})
    expect_refused(together(curve, {"--points", "5", "--max-rate", "10k", option, "5"}), option);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"--latency-target", "1ms"},
                                                                                     {"--precision", "1"},
                                                                                     {"--max-rate", "1k"},
                                                                                     {"--scale-by", "job-sets"},
                                                                                     {"--clients", "3"}})
    expect_refused(together(curve, together({"--sweep", "clients=1,2"}, words)), "--sweep");
  expect_refused(run({"--rate", "max", "--arrivals", "poisson"}), "--arrivals: has no effect in a closed loop");
  expect_refused(run({"-q", "-v"}), "excludes");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--drop-caches"}, {"--direct"}, {"--buffered"}, {"--fsync", "end"}, {"--io-engine", "threads"}})
    expect_refused(run(together({"--target", "sim:regular"}, words)),
                   words[0] + ": has no effect on a simulated volume");
  const std::vector<std::string> compare = {"compare",       "--phase",  "mixed",       "--volume",
                                            "a=sim:regular", "--volume", "b=sim:large", "--dry-run"};
  expect_refused(together(compare, {"--rate", "1k", "--latency-target", "1ms"}), "--rate");
  expect_refused(together(compare, {"--tunings", "eda"}), "--tunings");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--before-point", "true"}, {"--drop-caches"}, {"--fsync", "end"}})
    expect_refused(together(compare, words), words[0] + ": has no effect on a simulated volume");
  expect_refused(together(compare, {"--staleness-duration", "1s"}), "--staleness-duration requires --staleness");
  expect_refused({"check", "a.json", "b.json", "--measurement", "x"}, "--measurement requires --history");
}

TEST(BadInput, ADryRunSaysWhichOutputCannotBeWrittenAndMakesNone) {
  const TemporaryDirectory folder;
  expect_refused(run({"--json", "-"}), "--dry-run: prints the plan and has no result");
  expect_refused(run({"--json", folder / "none/r.json"}), "No such file or directory");
  expect_refused(run({"--csv", folder.path()}), "Is a directory");
  const Outcome outcome = edagen(run({"--json", folder / "r.json"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(BadInput, TwoOutputsDoNotGoToOnePlace) {
  const TemporaryDirectory folder;
  const std::vector<std::string> quick = {"run",      "--phase", "functional", "--target", "sim:regular",
                                          "--warmup", "0s",      "--duration", "100ms"};
  for (const std::string& place : {std::string("-"), folder / "r"}) {
    expect_refused(together(quick, {"--json", place, "--journal", place}),
                   "--journal: goes to the same place as --json: ");
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "r"));
}

struct BadWords {
  friend void PrintTo(const BadWords& input, std::ostream* out) { *out << input.name; }
  const char* name;
  std::vector<std::string> words;
  const char* expected;
};

class BadInputTest : public ::testing::TestWithParam<BadWords> {};

TEST_P(BadInputTest, GetsOneClearLineAndExit2WithNothingTouched) {
  const TemporaryDirectory mount;
  mount.write("file", "");
  mount.write("broken.json", "{\n \"name\": }");
  mount.write("typo.json", R"({"schema":"edagen.workload/1","name":"t","phase":"custom","ops_per_sec_per_proc":1,
                              "op_mix":{"renmae":1},"dataset":{"empty_files":1}})");
  std::vector<std::string> words = GetParam().words;
  for (std::string& word : words)
    if (const auto at = word.find("MOUNT"); at != std::string::npos) word.replace(at, 5, mount.path());
  const Outcome outcome = edagen(words);
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("edagen: ")) << outcome.err;
  EXPECT_NE(outcome.err.find(GetParam().expected), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(mount / "edagen.data"));
}

INSTANTIATE_TEST_SUITE_P(
    Words, BadInputTest,
    ::testing::Values(
        BadWords{"no_phase", {"--clients", "2"}, "--phase: functional, physical or mixed is needed"},
        BadWords{
            "clients", {"--phase", "mixed", "--clients", "0"}, "--clients: '0' is not a whole number from 1 to 100000"},
        BadWords{
            "option", {"--phase", "mixed", "--cleints", "3"}, "--cleints: unknown option (did you mean '--clients'?)"},
        BadWords{"both",
                 {"--workload", "fio/8k-randread", "--phase", "mixed"},
                 "--phase: is short for --workload eda_mixed, and --workload fio/8k-randread is given, too (leave one"},
        BadWords{"fio_word",
                 {"--phase", "mixed", "--runtime", "60"},
                 "--runtime: unknown option (fio's; here: --duration TIME)"},
        BadWords{"fio_alias", {"--phase", "mixed", "--blocksize=4k"}, "(fio's; edagen workloads import-fio makes a"},
        BadWords{"other_command",
                 {"--phase", "mixed", "--latency-target", "2ms"},
                 "--latency-target: unknown option (is an option of curve and compare)"},
        BadWords{"fio_output",
                 {"--phase", "mixed", "--output", "r.json"},
                 "--output: unknown option (fio's; here: --json FILE)"},
        BadWords{"option_of_part",
                 {"workloads", "show", "eda_mixed", "--output", "w.json"},
                 "--output: unknown option (is an option of workloads import-fio)"},
        BadWords{"nothing_near", {"--phase", "mixed", "--p99", "2ms"}, "--p99: unknown option\n"},
        BadWords{
            "beginning", {"--phase", "mixed", "--keep"}, "--keep: unknown option (did you mean '--keep-dataset'?)"},
        BadWords{"command_behind",
                 {"run", "curve", "--phase", "mixed"},
                 "curve: unknown word (a command stands first: edagen curve ...)"},
        BadWords{"unit_behind",
                 {"--phase", "mixed", "--duration", "10", "s"},
                 "s: unknown word (a unit follows its number without a space: 10s)"},
        BadWords{"rate_with_space",
                 {"--phase", "mixed", "--rate", "5", "k"},
                 "k: unknown word (a unit follows its number without a space: 10k)"},
        BadWords{"directory",
                 {"/mnt/a b", "--phase", "mixed"},
                 "/mnt/a b: unknown word (a volume is named by --mount '/mnt/a b')"},
        BadWords{"behind_mount",
                 {"--phase", "mixed", "--mount", "/mnt/a", "/mnt/b"},
                 "/mnt/b: unknown word (a volume is named by --mount /mnt/b)"},
        BadWords{"behind_target",
                 {"--phase", "mixed", "--target", "sim:mm1", "extra"},
                 "extra: unknown word (--target takes one value each time it is given)"},
        BadWords{"behind_volume",
                 {"compare", "--phase", "mixed", "--volume", "a=/mnt/a", "b=/mnt/b"},
                 "b=/mnt/b: unknown word (--volume takes one value each time it is given)"},
        BadWords{"behind_refused_option",
                 {"compare", "--phase", "mixed", "--target", "sim:mm1", "extra"},
                 "extra: unknown word\n"},
        BadWords{"letter_as_directory",
                 {"--phase", "mixed", "--mount", "-q"},
                 "--mount: needs a value, and '-q' looks like an option"},
        BadWords{"letter", {"--phase", "mixed", "-t", "4"}, "-t: unknown option (options have whole words: edagen run"},
        BadWords{"option_as_file", {"--phase", "mixed", "--json", "--"}, "--json: needs a value, and '--' looks like"},
        BadWords{"option_as_directory",
                 {"--phase", "mixed", "--mount", "--dry-run"},
                 "--mount: needs a value, and '--dry-run' looks like an option"},
        BadWords{"syntax", {"--workload", "MOUNT/broken.json"}, "line 2, column 10"},
        BadWords{"unknown_op",
                 {"--workload", "MOUNT/typo.json"},
                 "#/op_mix/renmae: unknown name 'renmae' (did you mean 'rename'?)"},
        BadWords{"file_as_mount", {"--phase", "mixed", "--mount", "MOUNT/file"}, "is not a directory"},
        BadWords{"no_mount", {"--phase", "mixed", "--mount", "MOUNT/gone"}, "No such file or directory"},
        BadWords{"twice", {"--phase", "mixed", "--mount", "MOUNT", "--mount", "MOUNT/."}, "is the same directory as"},
        BadWords{"json_path",
                 {"--phase", "mixed", "--mount", "MOUNT", "--json", "/nonexistent/r.json"},
                 "--json /nonexistent"},
        BadWords{"too_big", {"--phase", "physical", "--mount", "MOUNT", "--dataset-scale", "100000"}, "too few"}),
    [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace edagen
