#include <gtest/gtest.h>

#include <cerrno>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "support/error_of.hpp"
#include "workload/op_stream.hpp"
#include "workload/workload_file.hpp"

namespace edagen {
namespace {

constexpr std::uint64_t sharers = 3;

ProcSpec sharing_everything() {
  ProcSpec spec;
  spec.name = "everything";
  spec.weights.fill(1);
  spec.dataset = {.data_files = 100, .empty_files = 61, .directories = 7};
  spec.rename_across_percent = 30;
  spec.rename_over_percent = 40;
  spec.unlink_nonempty_percent = 60;
  spec.shared_files.by = SharedBy::client;
  return spec;
}

/// Procs that share files, and their ops in turn.
class Sharers {
 public:
  explicit Sharers(const ProcSpec& its_spec) : spec(its_spec), mix(spec.weights) {
    for (std::uint64_t i = 0; i < sharers; ++i) {
      files.emplace_back(spec, spec.dataset, 1, SharerPlace{i, sharers});
      ops.emplace_back(spec, mix, files.back(), i + 1);
    }
  }
  template <class F>
  void each_op(F f) {
    for (int i = 0; i < 40'000; ++i)
      for (std::uint64_t proc = 0; proc < sharers; ++proc) f(proc, ops[proc].next());
  }

  ProcSpec spec;
  OpMix mix;
  std::vector<FilePopulation> files;
  std::vector<OpStream> ops;
};

bool is_own(NameClass cls) {
  return cls == NameClass::empty || cls == NameClass::made_dir || cls == NameClass::symlink ||
         cls == NameClass::hard_link;
}

TEST(SharedFiles, EachProcMakesAndRemovesNamesOfItsOwn) {
  Sharers procs(sharing_everything());
  std::map<std::pair<NameClass, std::uint64_t>, std::set<std::uint64_t>> users;
  procs.each_op([&](std::uint64_t proc, const Op& op) {
    for (const NameRef name : {op.name, op.other})
      if (is_own(name.cls)) users[{name.cls, name.index}].insert(proc);
  });
  ASSERT_GT(users.size(), 300u);
  for (const auto& [name, its] : users) EXPECT_EQ(its.size(), 1u) << static_cast<int>(name.first) << " " << name.second;
}

TEST(SharedFiles, AllProcsReadEachDataFileAndNoTwoRemoveTheSame) {
  Sharers procs(sharing_everything());
  std::map<std::uint64_t, std::set<std::uint64_t>> readers, removers;
  procs.each_op([&](std::uint64_t proc, const Op& op) {
    if (op.kind == OpKind::read_file) readers[op.name.index].insert(proc);
    if (op.kind == OpKind::unlink && op.name.cls == NameClass::data) removers[op.name.index].insert(proc);
    if (op.kind == OpKind::rename && op.other.cls == NameClass::data) removers[op.other.index].insert(proc);
  });
  EXPECT_EQ(readers.size(), 100u);
  for (const auto& [file, its] : readers) EXPECT_EQ(its.size(), sharers) << file;
  EXPECT_GT(removers.size(), 50u);
  for (const auto& [file, its] : removers) EXPECT_EQ(its.size(), 1u) << file;
}

TEST(SharedFiles, NamesKeepTheirDirectoryAndLinksTheirTarget) {
  const ProcSpec spec = sharing_everything();
  for (std::uint64_t number = 0; number < sharers; ++number) {
    const FilePopulation files(spec, spec.dataset, 1, SharerPlace{number, sharers});
    for (std::uint64_t i = 0; i < 1000; ++i) {
      for (const NameClass cls : {NameClass::data, NameClass::empty, NameClass::made_dir, NameClass::symlink}) {
        const NameRef own{cls, i}, shared = files.shared_name(own);
        EXPECT_EQ(files.own_name(shared), own);
        if (is_own(cls)) EXPECT_EQ(files.sharer_of(shared), number);
        else EXPECT_EQ(shared, own);
        EXPECT_EQ(shared.index % (cls == NameClass::symlink ? 100 : 7), i % (cls == NameClass::symlink ? 100 : 7));
      }
    }
  }
}

TEST(SharedFiles, AProcAloneHasTheNamesThatItHasWithoutSharing) {
  ProcSpec spec = sharing_everything();
  const OpMix mix(spec.weights);
  OpStream alone(spec, mix, FilePopulation(spec, spec.dataset, 1, SharerPlace{0, 1}), 1);
  ProcSpec unshared = spec;
  unshared.shared_files = {};
  OpStream other(unshared, mix, FilePopulation(unshared, unshared.dataset, 1), 1);
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(alone.next(), other.next()) << i;
}

TEST(SharedFiles, AFailedCreateIsTakenBackInTheNamesOfItsProc) {
  Sharers procs(sharing_everything());
  std::set<std::uint64_t> failed, made;
  procs.each_op([&](std::uint64_t proc, const Op& op) {
    if (proc != 1 || op.name.cls != NameClass::empty) return;
    if (op.kind == OpKind::rename) made.insert(op.other.index);
    if (op.kind == OpKind::create && failed.insert(op.name.index).second) procs.ops[1].failed(op);
    else if (op.kind == OpKind::create) made.insert(op.name.index);
    else if (op.kind == OpKind::unlink && failed.contains(op.name.index))
      EXPECT_TRUE(made.contains(op.name.index)) << "removed what could not be made";
  });
  EXPECT_GT(failed.size(), 10u);
}

TEST(SharedFiles, ASequentialTransferThatFailsIsFollowedByOneInAnotherFile) {
  ProcSpec spec = sharing_everything();
  spec.weights.fill(0);
  for (const OpKind kind : {OpKind::read_seq, OpKind::write_seq}) spec.weights[static_cast<std::size_t>(kind)] = 1;
  spec.dataset.file_size = SizeDistribution::fixed(MiB);
  const OpMix mix(spec.weights);
  OpStream ops(spec, mix, FilePopulation(spec, spec.dataset, 1, SharerPlace{0, sharers}), 1);
  std::set<std::uint64_t> files;
  for (int i = 0; i < 100; ++i) {
    const Op op = ops.next();
    EXPECT_EQ(op.offset, 0) << i;
    files.insert(op.name.index);
    ops.failed(op);
  }
  EXPECT_GT(files.size(), 30u);
}

TEST(SharedFiles, OnlyWhatAnotherProcCanHaveDoneIsALostRace) {
  ProcSpec spec = sharing_everything();
  const auto loses = [](const ProcSpec& its, std::uint64_t of, OpKind kind, NameClass cls, int error) {
    const OpMix mix(its.weights);
    const OpStream ops(its, mix, FilePopulation(its, its.dataset, 1, SharerPlace{0, of}), 1);
    Op op;
    op.kind = kind;
    op.name.cls = cls;
    return ops.loses_race(op, error);
  };
  using enum OpKind;
  EXPECT_TRUE(loses(spec, 2, read_file, NameClass::data, ENOENT));
  EXPECT_TRUE(loses(spec, 2, read_rand, NameClass::data, short_read_error));
  EXPECT_TRUE(loses(spec, 2, lock, NameClass::data, EAGAIN));
  EXPECT_FALSE(loses(spec, 1, read_file, NameClass::data, ENOENT)) << "nobody else is there";
  EXPECT_FALSE(loses(spec, 2, stat, NameClass::empty, ENOENT)) << "the proc's own file";
  EXPECT_FALSE(loses(spec, 2, write_file, NameClass::data, ENOSPC));
  EXPECT_FALSE(loses(spec, 2, read_rand, NameClass::data, EAGAIN));
  spec.unlink_nonempty_percent = spec.rename_over_percent = 0;
  EXPECT_FALSE(loses(spec, 2, read_file, NameClass::data, ENOENT)) << "no proc removes data files";
  spec.weights[static_cast<std::size_t>(write_file)] = 0;
  EXPECT_FALSE(loses(spec, 2, read_rand, NameClass::data, short_read_error)) << "no proc writes them anew";
}

nlohmann::json workload_json(const char* changes) {
  nlohmann::json document = nlohmann::json::parse(builtin_workload_text("eda_functional"));
  document.merge_patch(nlohmann::json::parse(changes));
  return document;
}

std::string why_refused(const nlohmann::json& document) {
  return testing::error_of([&] { parse_workload(document, "x.json"); });
}

TEST(SharedFiles, AreReadFromAWorkloadFileAndWrongValuesAreRefused) {
  EXPECT_EQ(parse_workload(workload_json("{}"), "x").proc_kinds[0].shared_files.by, SharedBy::none);
  EXPECT_EQ(parse_workload(workload_json(R"({"shared_files": "client"})"), "x").proc_kinds[0].shared_files.by,
            SharedBy::client);
  EXPECT_NE(why_refused(workload_json(R"({"shared_files": "clients"})")).find("x.json#/shared_files"),
            std::string::npos);
  EXPECT_NE(why_refused(workload_json(R"({"shared_set": "a"})")).find("x.json#/shared_set: files are not shared"),
            std::string::npos);
}

TEST(SharedFiles, KindsThatNameOneSetHaveOneDataset) {
  const auto blend = [](const char* first, const char* second) {
    nlohmann::json document = {{"schema", "edagen.workload/1"}, {"name", "b"}, {"phase", "custom"}};
    document["blend"] = {{{"workload", workload_json(first)}, {"procs", 1}},
                         {{"workload", workload_json(second)}, {"procs", 2}}};
    return document;
  };
  const char* const set = R"({"shared_files": "all", "shared_set": "a"})";
  EXPECT_EQ(why_refused(blend(set, set)), "");
  EXPECT_NE(why_refused(blend(set, R"({"shared_files": "client", "shared_set": "a"})")).find("is shared by others"),
            std::string::npos);
  EXPECT_NE(why_refused(blend(set, R"({"shared_files": "all", "shared_set": "a", "dataset": {"data_files": 7}})"))
                .find("#/shared_set: 'a' has another dataset"),
            std::string::npos);
  EXPECT_EQ(why_refused(blend(set, R"({"shared_files": "client", "dataset": {"data_files": 7}})")), "")
      << "another set may have other files";
}

}  // namespace
}  // namespace edagen
