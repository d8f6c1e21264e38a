// Runs on nfs:// against the kernel's NFS server, and beside the kernel's NFS client. Asserts on counts, never on time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/lab_run.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace edagen::testing {
namespace {

using nlohmann::json;
using RpcCounts = std::map<std::string, double>;

/// The procedures in the order of the server's line of counts ("proc3 22 ...").
constexpr std::array knfsd_procedures = {"NULL",   "GETATTR", "SETATTR",  "LOOKUP", "ACCESS",  "READLINK",
                                         "READ",   "WRITE",   "CREATE",   "MKDIR",  "SYMLINK", "MKNOD",
                                         "REMOVE", "RMDIR",   "RENAME",   "LINK",   "READDIR", "READDIRPLUS",
                                         "FSSTAT", "FSINFO",  "PATHCONF", "COMMIT"};

/// What the server counted between two of its lines.
RpcCounts counted_by_server(const std::string& before, const std::string& after) {
  std::istringstream old_words(before), new_words(after);
  std::string word;
  old_words >> word >> word;
  new_words >> word >> word;
  RpcCounts counts;
  double old_count = 0, new_count = 0;
  for (const char* const name : knfsd_procedures)
    if (old_words >> old_count && new_words >> new_count && new_count > old_count) counts[name] = new_count - old_count;
  return counts;
}

RpcCounts counted_by_clients(const json& point) {
  RpcCounts counts;
  for (const json& mount : point["nfs"]["mounts"])
    for (const auto& [name, rpc] : mount["rpcs"].items()) counts[name] += rpc["requests"].get<double>();
  return counts;
}

double total(const RpcCounts& counts) {
  double all = 0;
  for (const auto& [name, count] : counts) all += count;
  return all;
}

/// A line for bash in the lab, in which `$E` is the program, and `$T` the server's export as a URL.
Lab in_nfs_lab(const std::vector<std::string>& lab_words, const std::string& line) {
  return in_lab(lab_words, {"bash", "-c", "E=" + edagen_path() + "; T=nfs://127.0.1.1/export; " + line});
}

class NfsLabCounts : public ::testing::TestWithParam<const char*> {};

/// The server is read before each of two load points: what it counts in between are the RPCs of the first,
/// whose window is too short to be measured again.
TEST_P(NfsLabCounts, TheServerCountsTheRpcsThatTheClientsCount) {
  const Lab lab = in_nfs_lab({"--mounts", "0"}, std::string("$E --phase ") + GetParam() +
                                                    R"( --clients 1 --dataset-scale 0.01 --rate 90 --warmup 0s \
      --duration 2s --repeat 2 --spin off --progress never -q --target $T --json /run/r.json \
      --before-point 'grep proc3 /proc/net/rpc/nfsd >>/run/counts' >/dev/null
    cat /run/counts; cat /run/r.json; $E clean --target $T)");
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  std::istringstream out(lab.outcome.out);
  std::string first, second, rest;
  std::getline(out, first);
  std::getline(out, second);
  std::getline(out, rest, '\0');
  const json result = json::parse(rest, nullptr, false);
  ASSERT_FALSE(result.is_discarded()) << lab.outcome.err << lab.outcome.out;
  EXPECT_NE(lab.outcome.err.find("there is no dataset"), std::string::npos) << lab.outcome.err;
  const json& point = result["load_points"][0];
  EXPECT_TRUE(point["errors"].empty()) << point["errors"];
  RpcCounts of_clients = counted_by_clients(point), of_server = counted_by_server(first, second);
  EXPECT_GT(total(of_clients), 100);
  for (const auto& [name, count] : of_clients) of_server.try_emplace(name, 0);
  // The window ends while an op or two are on their way; on a busy machine more ops end after it, of the kinds of which
  // there are most.
  const double due = 90 * 2, late = std::max(0.0, due - point["operations"].get<double>());
  for (const auto& [name, count] : of_server) EXPECT_NEAR(of_clients[name], count, 2 + 2 * late + 0.05 * count) << name;
}

INSTANTIATE_TEST_SUITE_P(Phases, NfsLabCounts, ::testing::Values("functional", "physical", "mixed"));

using Options = std::pair<const char*, const char*>;
class NfsLabLikeness : public ::testing::TestWithParam<std::tuple<const char*, Options>> {};

/// The same ops on the same files, both with empty caches, through a mount with O_DIRECT and through edagen's own
/// clients.
TEST_P(NfsLabLikeness, ALoadTakesTheRpcsOfTheKernelsClient) {
  const auto [phase, options] = GetParam();
  const Lab lab = in_nfs_lab({"--mounts", "1", "--options", std::string("vers=3,") + options.first},
                             std::string("run() { $E --phase ") + phase + R"( --clients 1 --dataset-scale 0.01 \
      --rate 120 --warmup 0s --duration 5s --spin off --progress never -q --direct --drop-caches --json /run/r.json "$@" \
      >/dev/null; cat /run/r.json; }; run --mount /mnt/nfs0; run --target "$T?attributes=)" +
                                 options.second + "\"");
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  std::istringstream out(lab.outcome.out);
  json mounted, own;
  ASSERT_NO_THROW(out >> mounted >> own) << lab.outcome.err << lab.outcome.out;
  RpcCounts of_kernel = counted_by_clients(mounted["load_points"][0]),
            of_own = counted_by_clients(own["load_points"][0]);
  EXPECT_GT(total(of_kernel), 200);
  // A program that reads to the end of a file takes one READ more with O_DIRECT.
  if (const json& ops = mounted["load_points"][0]["ops"]; ops.contains("read_file"))
    of_kernel["READ"] -= ops["read_file"]["operations"].get<double>();
  for (const auto& [name, count] : of_own) of_kernel.try_emplace(name, 0);
  // With actimeo=0 the kernel looks at each directory on the way from the dataset's root when it opens one.
  const double most_share = std::string(options.second) == "0" ? 0.08 : 0.05;
  for (const auto& [name, count] : of_kernel)
    EXPECT_NEAR(of_own[name], count, std::max(4.0, most_share * count)) << name;
}

INSTANTIATE_TEST_SUITE_P(Phases, NfsLabLikeness,
                         ::testing::Combine(::testing::Values("functional", "physical", "mixed"),
                                            ::testing::Values(Options("actimeo=0", "0"),
                                                              Options("nocto,actimeo=600", "600"))),
                         [](const auto& its) {
                           const Options options = std::get<1>(its.param);
                           return fmt::format("{}_attributes_{}", std::get<0>(its.param), options.second);
                         });

TEST(NfsLabRun, TheKernelsClientAndEdagensOwnAreComparedOnOneExport) {
  const Lab lab = in_nfs_lab({"--mounts", "1"}, R"($E compare --volume kernel=/mnt/nfs0 --volume direct=$T \
      --phase functional --clients 2 --rate 60 --warmup 500ms --duration 2s --dataset-scale 0.01 --repeat 2 --spin off \
      --progress never --json /run/c.json >&2; cat /run/c.json; ls -A /mnt/export >&2; $E clean --target $T
      $E compare --volume kernel=/mnt/nfs0 --volume direct=$T --phase functional --rate 60 --dataset-scale 0.01 \
      --dry-run >&2)");
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  const json comparison = json::parse(lab.outcome.out, nullptr, false);
  ASSERT_FALSE(comparison.is_discarded()) << lab.outcome.err << lab.outcome.out;
  const json& variants = comparison["variants"];
  ASSERT_EQ(variants.size(), 2u);
  for (const json& variant : variants) {
    EXPECT_TRUE(variant["refused"].is_null()) << variant["refused"];
    EXPECT_EQ(variant["runs"].size(), 2u) << variant["name"];
    EXPECT_GT(variant["mean_rpcs_per_op"].get<double>(), 0.5) << variant["name"];
    EXPECT_TRUE(variant["work"].is_null() || variant["work"]["rpcs"].contains("GETATTR")) << variant["work"];
  }
  EXPECT_EQ(variants[1]["what"], "nfs://127.0.1.1/export");
  EXPECT_NE(lab.outcome.err.find("direct"), std::string::npos) << lab.outcome.err;
  EXPECT_NE(lab.outcome.err.find("there is no dataset"), std::string::npos) << lab.outcome.err;
  EXPECT_NE(lab.outcome.err.find("kernel and direct seem to work in one directory"), std::string::npos)
      << lab.outcome.err;
}

}  // namespace
}  // namespace edagen::testing

#endif
