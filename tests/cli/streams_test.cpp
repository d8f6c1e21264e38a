// What is written while a run goes on, for other programs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line)
    if (c == ',') cells.emplace_back();
    else cells.back() += c;
  return cells;
}

std::vector<std::string> simulated(std::vector<std::string> more) {
  return together({"--target", "sim:regular", "--phase", "mixed", "--clients", "2", "--rate", "2000", "--warmup", "2s",
                   "--duration", "5s"},
                  more);
}

TEST(Streams, AJournalOnStdoutHasEachIntervalWithItsKindsOfOpAndTheTextGoesToStderr) {
  const Outcome run = edagen(simulated({"--journal", "-"}));
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.err.find("I/O rate"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists("-"));
  std::size_t warm = 0, measured = 0;
  for (const std::string& text : lines_of(run.out)) {
    const json line = json::parse(text);
    if (line["type"] != "interval") continue;
    (line["phase"] == "warmup" ? warm : measured) += 1;
    double operations = 0, bytes = 0;
    for (const auto& [kind, op] : line["ops"].items()) {
      operations += op["operations"].get<double>();
      bytes += op["bytes"].get<double>();
      EXPECT_LE(op["service_mean_ms"], op["response_mean_ms"]);
      EXPECT_GT(op["response_p99_ms"], 0);
    }
    EXPECT_GT(line["ops"].size(), 5u);
    EXPECT_NEAR(operations, line["ops_per_sec"].get<double>() * line["seconds"].get<double>(), 0.01);
    EXPECT_NEAR(bytes / 0x1p20, line["mib_per_sec"].get<double>() * line["seconds"].get<double>(), 0.01);
  }
  EXPECT_EQ(warm, 4u);
  EXPECT_EQ(measured, 10u);
}

TEST(Streams, AJournalWithKindsOfOpIsReadBack) {
  const TemporaryDirectory here;
  ASSERT_EQ(edagen(simulated({"--journal", here / "j.jsonl"})).status, 0);
  const Outcome report = edagen({"report", here / "j.jsonl"});
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_EQ(report.err, "");
  std::vector<std::string> lines = lines_of(text_of(here / "j.jsonl"));
  lines.resize(lines.size() - 2);  // as if it had been killed in the load point
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  here.write("killed.jsonl", text);
  const Outcome killed = edagen({"report", here / "killed.jsonl"});
  EXPECT_EQ(killed.err.find("broken"), std::string::npos) << killed.err;
  EXPECT_NE(killed.out.find("2,0"), std::string::npos) << killed.out;
}

TEST(Streams, ALineOfCsvForEachIntervalAddsUpToTheResult) {
  const TemporaryDirectory here;
  ASSERT_EQ(edagen(simulated({"--interval-csv", here / "i.csv", "--json", here / "r.json"})).status, 0);
  const std::vector<std::string> lines = lines_of(text_of(here / "i.csv"));
  ASSERT_EQ(lines.size(), 15u);
  const std::vector<std::string> names = cells_of(lines[0]);
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  double operations = 0;
  std::string before;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = cells_of(lines[i]);
    ASSERT_EQ(cells.size(), names.size()) << lines[i];
    EXPECT_GT(cells[0], before);
    before = cells[0];
    EXPECT_EQ(cells[place("phase")], i < 5 ? "warmup" : "measure");
    EXPECT_EQ(cells[place("purpose")], "\"load point\"");
    if (i >= 5) operations += std::stod(cells[place("operations")]);
    EXPECT_LE(std::stod(cells[place("service_mean_ms")]), std::stod(cells[place("response_mean_ms")]) * 1.0001);
    EXPECT_LE(std::stod(cells[place("response_p50_ms")]), std::stod(cells[place("response_p99_ms")]));
  }
  EXPECT_EQ(operations, json::parse(text_of(here / "r.json"))["load_points"][0]["operations"].get<double>());
}

TEST(Streams, OnATerminalNothingIsDrawnOverThem) {
  const TemporaryDirectory mount;
  for (const char* const stream : {"--journal", "--interval-csv", "--hdr-log"}) {
    std::string words = "stty rows 40 cols 120;";  // room for the screen
    for (const std::string& word :
         edagen_words({"--phase", "functional", "--mount", mount.path(), "--clients", "1", "--rate", "50",
                       "--dataset-scale", "0.01", "--warmup", "1s", "--duration", "2s", stream, "-"}))
      words += " '" + word + "'";
    const Outcome run = Program({"script", "-qec", words, "/dev/null"}).wait();
    if (run.status == 127) EDAGEN_SKIP("script is not installed");
    EXPECT_NE(run.out.find("I/O rate"), std::string::npos) << run.out;
    for (const char* const drawn : {"\033[K", "\033[J", "\033[H"})
      EXPECT_EQ(run.out.find(drawn), std::string::npos) << stream << run.out;
  }
}

TEST(Streams, ARunWhoseLinesHaveNoRoomEndsWithStatus1) {
  const Outcome run = edagen(simulated({"--hdr-log", "/dev/full"}));
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_NE(run.err.find("--hdr-log: "), std::string::npos) << run.err;
}

/// Prints of the log and of the result document, by the HdrHistogram of PyPI: counts and percentiles.
constexpr const char* decoder = R"(
import json, math, sys
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader
def new(): return HdrHistogram(1, 3600 * 10**9, 3)
logged = {}
reader = HistogramLogReader(sys.argv[1], new())
starts = []
while True:
    one = reader.get_next_interval_histogram()
    if one is None: break
    tag = one.get_tag() or "response"
    logged.setdefault(tag, new()).add(one)
    if tag == "response": starts.append(one.get_start_time_stamp())
point = json.load(open(sys.argv[2]))["load_points"][0]
merged = {"response": new(), "service": new()}
kinds = {}
for name, op in point["ops"].items():
    for which in merged:
        one = new()
        one.decode_and_add(op[which + "_histogram"])
        kinds[which + "." + name] = one
        merged[which].decode_and_add(op[which + "_histogram"])
def percentile(histogram, percent):  # without rounding the rank, as the library's own does
    rank = max(1, math.ceil(percent / 100 * histogram.get_total_count() - 1e-9))
    for item in histogram.get_recorded_iterator():
        if item.total_count_to_this_value >= rank: return item.value_iterated_to
def figures(histogram):
    return {"count": histogram.get_total_count(), "own p50": histogram.get_value_at_percentile(50) / 1e6,
            "max": histogram.get_max_value() / 1e6, "mean": histogram.get_mean_value() / 1e6,
            **{str(p): percentile(histogram, p) / 1e6 for p in (50, 90, 95, 99, 99.9)}}
print(json.dumps({"intervals": len(starts), "ascending": starts == sorted(starts),
                  "logged": {tag: figures(it) for tag, it in logged.items()},
                  "merged": {tag: figures(it) for tag, it in {**merged, **kinds}.items()}}))
)";

TEST(Streams, HdrHistogramOfPyPiReadsTheLogAndTheResultAndTellsTheSamePercentiles) {
  const TemporaryDirectory here;
  const Outcome made = shell("python3 -m venv " + (here / "venv") + " && " + (here / "venv") +
                             "/bin/pip install --quiet hdrhistogram==0.10.8 2>&1");
  if (made.status != 0) EDAGEN_SKIP("hdrhistogram cannot be installed: " + made.out + made.err);
  ASSERT_EQ(edagen(simulated({"--hdr-log", here / "log", "--json", here / "r.json"})).status, 0);
  here.write("decode.py", decoder);
  const Outcome decoded =
      Program({here / "venv/bin/python3", here / "decode.py", here / "log", here / "r.json"}).wait();
  ASSERT_EQ(decoded.status, 0) << decoded.err << text_of(here / "log").substr(0, 2000);
  const json theirs = json::parse(decoded.out);
  const json point = json::parse(text_of(here / "r.json"))["load_points"][0];
  EXPECT_EQ(theirs["intervals"], 10);
  EXPECT_TRUE(theirs["ascending"].get<bool>());
  const auto expect_same = [](const json& figures, const json& ours, const std::string& what) {
    for (const auto& [percent, name] :
         {std::pair("50", "p50"), {"90", "p90"}, {"95", "p95"}, {"99", "p99"}, {"99.9", "p99_9"}})
      // Theirs is the middle of a bucket, in which ours is interpolated, or the exact maximum.
      EXPECT_NEAR(figures[percent].get<double>(), ours[name].get<double>(), 0.009 * ours[name].get<double>())
          << what << " " << name;
    EXPECT_NEAR(figures["max"].get<double>(), ours["max"].get<double>(), 0.001 * ours["max"].get<double>()) << what;
    EXPECT_NEAR(figures["mean"].get<double>(), ours["mean"].get<double>(), 0.009 * ours["mean"].get<double>()) << what;
  };
  for (const char* const which : {"response", "service"}) {
    const json& ours = point["latency_ms"][which];
    EXPECT_NEAR(theirs["logged"][which]["count"].get<double>(), 10'000, 500);
    EXPECT_EQ(theirs["logged"][which]["count"], theirs["merged"][which]["count"]);
    EXPECT_NEAR(theirs["logged"][which]["own p50"].get<double>(), ours["p50"].get<double>(),
                0.009 * ours["p50"].get<double>());
    expect_same(theirs["logged"][which], ours, std::string("log, ") + which);
    expect_same(theirs["merged"][which], ours, std::string("result, ") + which);
    for (const auto& [kind, op] : point["ops"].items()) {
      const std::string tag = std::string(which) + "." + kind;
      EXPECT_EQ(theirs["logged"][tag]["count"], theirs["merged"][tag]["count"]) << tag;
      expect_same(theirs["merged"][tag], op["latency_ms"][which], tag);
    }
  }
}

/// Debian: libhdrhistogram-java.
constexpr const char* java_histograms = "/usr/share/java/hdrhistogram.jar";

TEST(Streams, HdrHistogramOfJavaReadsTheLogAndTellsTheSamePercentiles) {
  if (Program({"java", "-version"}).wait().status != 0) EDAGEN_SKIP("java is not installed");
  if (!std::ifstream(java_histograms)) EDAGEN_SKIP("libhdrhistogram-java is not installed");
  const TemporaryDirectory here;
  ASSERT_EQ(edagen(simulated({"--hdr-log", here / "log", "--json", here / "r.json"})).status, 0);
  const json latencies = json::parse(text_of(here / "r.json"))["load_points"][0]["latency_ms"];
  for (const std::string which : {"response", "service"}) {
    std::vector<std::string> words =
        words_of(std::string("java -cp ") + java_histograms + " org.HdrHistogram.HistogramLogProcessor -i " +
                 (here / "log") + " -o " + (here / which) + " -outputValueUnitRatio 1");  // ns
    if (which != "response") words.insert(words.end(), {"-tag", which});
    const Outcome decoded = Program(words).wait();
    ASSERT_EQ(decoded.status, 0) << decoded.err;
    // The last line: "4.000: I:2001 ( 50% 90% max ) T:10001 ( 50% 90% 99% 99.9% 99.99% max )".
    const std::string last = lines_of(text_of(here / which)).back();
    std::istringstream all(last.substr(last.find("T:") + 2));
    double count = 0, p50 = 0, p90 = 0, p99 = 0;
    std::string bracket;
    all >> count >> bracket >> p50 >> p90 >> p99;
    EXPECT_NEAR(count, 10'000, 500) << last;
    const json& ours = latencies[which];
    for (const auto& [name, theirs] : {std::pair("p50", p50), {"p90", p90}, {"p99", p99}})
      // It rounds the rank, which may lead to the next bucket.
      EXPECT_NEAR(theirs / 1e6, ours[name].get<double>(), 0.03 * ours[name].get<double>()) << which << " " << name;
  }
}

}  // namespace
}  // namespace edagen::testing
