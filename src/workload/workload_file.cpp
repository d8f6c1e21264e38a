#include "workload/workload_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/definition_file.hpp"
#include "base/json_schema.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

using nlohmann::json;

const DefinitionFolder folder{"workloads/", "workload"};
constexpr std::string_view schema_path = "workloads/schema/workload.schema.json";

/// The rate for "max": the weight of procs beside each other, and the start of a search.
constexpr double closed_loop_weight = 1000;

/// A JSON value and the place it was read from.
struct Node {
  const json& value;
  std::string where;

  Node at(const char* key) const { return {value.at(key), where + "/" + key}; }
  bool has(const char* key) const { return value.contains(key); }
  [[noreturn]] void refuse(const std::string& what, const std::string& hint = "") const {
    throw usage_error(where, what, hint);
  }
};

Bytes bytes_of(const Node& node) {
  if (node.value.is_string()) return parse_bytes(node.value.get<std::string>(), node.where);
  const auto bytes = node.value.get<std::uint64_t>();
  if (bytes > std::uint64_t{1} << 60) node.refuse("a size above 1 EiB");
  return static_cast<Bytes>(bytes);
}

/// A slot with inclusive ends; `low` must be at least `smallest`.
SizeDistribution::Slot slot_of(const Node& node, Bytes smallest) {
  const SizeDistribution::Slot slot{bytes_of(node.at("low")), bytes_of(node.at("high")),
                                    node.value.value("weight", 1.0)};
  if (slot.low < smallest) node.at("low").refuse(fmt::format("below {} byte", smallest));
  if (slot.low > slot.high) node.refuse("low is above high");
  return slot;
}

SizeDistribution distribution_of(const Node& node, Bytes largest) {
  const auto checked = [&](SizeDistribution sizes) {
    if (sizes.min() < 1) node.refuse("a size below 1 byte");
    if (sizes.max() > largest) node.refuse(fmt::format("a size above {}", format_bytes(largest)));
    return sizes;
  };
  if (!node.value.is_object()) return checked(SizeDistribution::fixed(bytes_of(node)));
  if (node.has("uniform")) {
    const auto slot = slot_of(node.at("uniform"), 1);
    return checked(SizeDistribution::uniform(slot.low, slot.high));
  }
  if (node.has("lognormal")) {
    const Node shape = node.at("lognormal");
    const auto slot = slot_of(shape, 1);
    const Bytes median = bytes_of(shape.at("median"));
    if (median < slot.low || median > slot.high) shape.at("median").refuse("outside low to high");
    return checked(SizeDistribution::lognormal(median, shape.value.at("sigma").get<double>(), slot.low, slot.high));
  }
  const Node list = node.at("weighted");
  std::vector<SizeDistribution::Slot> slots;
  double total = 0;
  for (std::size_t i = 0; i < list.value.size(); ++i) {
    const Node item{list.value[i], list.where + "/" + std::to_string(i)};
    if (item.has("size")) {
      const Bytes size = bytes_of(item.at("size"));
      slots.push_back({size, size, item.value.at("weight").get<double>()});
    } else {
      slots.push_back(slot_of(item, 1));
    }
    total += slots.back().weight;
  }
  if (total <= 0) list.refuse("the weights sum to zero");
  return checked(SizeDistribution::weighted(std::move(slots)));
}

OpWeights weights_of(const Node& node) {
  OpWeights weights{};
  double total = 0;
  for (const auto& [name, weight] : node.value.items()) {
    weights[static_cast<std::size_t>(*parse_op_kind(name))] = weight.get<double>();
    total += weight.get<double>();
  }
  if (total <= 0) node.refuse("the weights sum to zero", "give at least one op a weight above 0");
  return weights;
}

DatasetSpec dataset_of(const Node& node) {
  DatasetSpec dataset;
  dataset.data_files = node.value.value("data_files", std::uint64_t{0});
  dataset.empty_files = node.value.value("empty_files", std::uint64_t{0});
  dataset.directories = node.value.value("directories", std::uint64_t{1});
  dataset.depth = node.value.value("depth", 1);
  if (node.has("file_size")) dataset.file_size = distribution_of(node.at("file_size"), std::int64_t{16} * 1024 * GiB);
  if (dataset.data_files + dataset.empty_files == 0) node.refuse("no files", "set data_files or empty_files");
  return dataset;
}

IoSpec io_of(const Node& node) {
  IoSpec io;
  io.depth = node.value.value("depth", io.depth);
  io.direct = node.value.value("direct", io.direct);
  if (node.has("fsync")) io.fsync = enum_named<FsyncWhen>(node.value.at("fsync").get<std::string>()).value();
  return io;
}

void check_ops_have_objects(const ProcSpec& spec, const Node& node) {
  using enum OpKind;
  const auto needs = [&](std::initializer_list<OpKind> kinds, bool there, const char* what) {
    for (const OpKind kind : kinds)
      if (spec.weight(kind) > 0 && !there) {
        Node{node.value, node.where + "/op_mix/" + std::string(to_string(kind))}.refuse(
            fmt::format("'{}' needs {}", to_string(kind), what));
      }
  };
  needs({read_file, read_seq, read_rand, mmap_read, write_file, write_seq, write_rand, mmap_write, rmw, copyfile, open,
         symlink, readlink, link, lock, fsync},
        spec.dataset.data_files > 0, "dataset/data_files above 0");
  needs({create, unlink, rename, write_append, truncate, copyfile}, spec.dataset.empty_files > 0,
        "dataset/empty_files above 0");
  if (spec.weight(open) != spec.weight(close))
    Node{node.value, node.where + "/op_mix/open"}.refuse("the weights of 'open' and 'close' differ",
                                                         "every open is closed");
  needs({open}, spec.weight(read_seq) + spec.weight(write_seq) > 0, "'read_seq' or 'write_seq' to do something with");
}

void check_names_last(const ProcSpec& spec, const Node& node) {
  const auto lost = spec.lost_names();
  if (!lost) return;
  const std::string remover(to_string(lost->remover));
  const OpKind maker = lost->remover == OpKind::rmdir ? OpKind::mkdir : OpKind::create;
  Node{node.value, node.where + "/op_mix/" + remover}.refuse(
      fmt::format("the mix removes more names ({:g}) than it makes ({:g}), so that it cannot be kept", lost->removed,
                  lost->made),
      fmt::format("{:g} of {} in place of {:g} keeps it", spec.weight(maker) + lost->removed - lost->made,
                  to_string(maker), spec.weight(maker)));
}

ProcSpec proc_spec_of(const Node& node, const std::string& name) {
  ProcSpec spec;
  spec.name = name;
  spec.procs_per_job_set = node.value.value("procs_per_job_set", 5);
  const json& rate = node.value.at("ops_per_sec_per_proc");
  spec.closed_loop = rate.is_string();
  spec.ops_per_sec = spec.closed_loop ? closed_loop_weight : rate.get<double>();
  spec.weights = weights_of(node.at("op_mix"));
  spec.dataset = dataset_of(node.at("dataset"));
  if (node.has("transfer")) {
    const Node transfer = node.at("transfer");
    if (transfer.has("read")) spec.read_size = distribution_of(transfer.at("read"), 64 * MiB);
    if (transfer.has("write")) spec.write_size = distribution_of(transfer.at("write"), 64 * MiB);
  }
  const auto percent = [&](const char* group, const char* key) {
    return node.has(group) ? node.value.at(group).value(key, 0.0) : 0.0;
  };
  if (node.has("access")) {
    const Node access = node.at("access");
    if (access.has("alignment")) spec.alignment = bytes_of(access.at("alignment"));
    if (spec.alignment < 1 || spec.alignment > GiB) access.at("alignment").refuse("outside 1 B to 1 GiB");
    spec.ops_per_open = access.value.value("ops_per_open", spec.ops_per_open);
  }
  spec.skewed_percent = percent("access", "skewed_percent");
  spec.commit_percent = percent("write_percent", "commit");
  spec.direct_percent = percent("write_percent", "direct");
  spec.sync_percent = percent("write_percent", "sync");
  spec.rename_across_percent = percent("rename_percent", "across_directories");
  spec.rename_over_percent = percent("rename_percent", "over_existing");
  if (spec.rename_across_percent + spec.rename_over_percent > 100)
    node.at("rename_percent").refuse("the shares sum to more than 100");
  spec.unlink_nonempty_percent = node.value.value("unlink_nonempty_percent", 0.0);
  if (node.has("shared_files"))
    spec.shared_files.by = enum_named<SharedBy>(node.value.at("shared_files").get<std::string>()).value();
  spec.shared_files.set = node.value.value("shared_set", "");
  if (!spec.shared_files.set.empty() && spec.shared_files.by == SharedBy::none)
    node.at("shared_set").refuse("files are not shared", "\"shared_files\": \"client\" or \"all\"");
  spec.duplicate_percent = percent("data", "duplicate_percent");
  spec.compressible_percent = percent("data", "compressible_percent");
  if (node.has("io")) spec.io = io_of(node.at("io"));
  check_ops_have_objects(spec, node);
  check_names_last(spec, node);
  if (spec.io.depth > 1 && !spec.queueable())
    node.at("io").at("depth").refuse("the mix has ops that procs do one at a time",
                                     "only reads, writes, fsyncs, opens and closes queue");
  return spec;
}

/// Kinds of procs that share a set of files must mean the same files.
void check_equal_sets(const std::vector<std::pair<std::string, json>>& kinds, const std::vector<ProcSpec>& specs) {
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (std::size_t before = 0; before < i; ++before) {
      const SharedFiles &shared = specs[i].shared_files, &earlier = specs[before].shared_files;
      if (shared.set.empty() || shared.set != earlier.set) continue;
      const std::string where = kinds[i].first + "#/shared_set";
      if (shared.by != earlier.by)
        throw usage_error(where, fmt::format("'{}' is shared by others in '{}'", shared.set, specs[before].name),
                          "the same \"shared_files\"");
      if (kinds[i].second.at("dataset") != kinds[before].second.at("dataset"))
        throw usage_error(where, fmt::format("'{}' has another dataset in '{}'", shared.set, specs[before].name),
                          "the same \"dataset\"");
    }
}

/// Refuses members that a blend would not use: the load would be another than that of the file.
void check_blends_alone(const json& document, const std::string& where) {
  constexpr std::array<std::string_view, 6> members = {"schema", "name", "phase", "description", "sources", "blend"};
  for (const auto& [name, unused] : document.items())
    if (std::ranges::find(members, name) == members.end())
      throw usage_error(fmt::format("{}#/{}", where, name),
                        "has no effect on a blend: each of its workloads has its own",
                        R"("blend": [{"workload": {"extends": "eda_functional", ...}, "procs": 3}, ...])");
}

/// The workload that the file `where` calls `name`: a built-in one, or a path beside that file.
std::string beside(const std::string& name, const std::string& where) {
  if (!DefinitionFolder::is_path(name) || name.starts_with('/') || where.find('/') == std::string::npos) return name;
  return where.substr(0, where.rfind('/') + 1) + name;
}

/// Names the files of a blend as seen from here: the document may be merged into one of another directory.
void name_parts(json& document, const std::string& where) {
  if (!document.is_object() || !document.contains("blend") || !document["blend"].is_array()) return;
  for (json& part : document["blend"])
    if (part.is_object() && part.contains("workload") && part["workload"].is_string())
      part["workload"] = beside(part["workload"], where);
}

using Files = std::vector<std::string>;

/// Reads a definition; a file is added to `files`.
json read_definition(const std::string& name_or_path, Files& files) {
  if (DefinitionFolder::is_path(name_or_path)) files.push_back(name_or_path);
  return folder.read(name_or_path);
}

/// The document merged into the workload that it extends (RFC 7396: null removes a member).
json resolved(json document, const std::string& where, Files& files, int levels = 0) {
  name_parts(document, where);
  if (!document.is_object() || !document.contains("extends")) return document;
  if (!document["extends"].is_string()) throw usage_error(where + "#/extends", "is not a workload's name");
  const std::string base_name = beside(document["extends"], where);
  if (levels == 8) throw usage_error(where + "#/extends", "workloads extend each other without end");
  json base = resolved(read_definition(base_name, files), base_name, files, levels + 1);
  document.erase("extends");
  base.merge_patch(document);
  return base;
}

}  // namespace

std::vector<std::string> builtin_workload_names() { return folder.names(); }

std::string builtin_workload_text(const std::string& name) { return folder.text(name); }

WorkloadSpec load_workload(const std::string& name_or_path) {
  if (name_or_path.ends_with(".fio"))
    throw usage_error(name_or_path, "is a job file of fio",
                      fmt::format("edagen workloads import-fio {} --output FILE.json", name_or_path));
  Files files;
  WorkloadSpec workload = parse_workload(read_definition(name_or_path, files), name_or_path);
  workload.files.insert(workload.files.begin(), files.begin(), files.end());
  return workload;
}

WorkloadSpec parse_workload(const json& written, const std::string& where) {
  WorkloadSpec workload;
  const json document = resolved(written, where, workload.files);
  check_schema(document, schema_path, where);
  workload.name = document.at("name");
  workload.phase = document.at("phase");
  workload.description = document.value("description", "");
  if (document.contains("sources")) workload.sources = document.at("sources");
  if (!document.contains("blend")) {
    workload.proc_kinds.push_back(proc_spec_of({document, where + "#"}, workload.name));
    return workload;
  }
  check_blends_alone(document, where);
  const json& blend = document.at("blend");
  std::vector<std::pair<std::string, json>> kinds;
  for (std::size_t i = 0; i < blend.size(); ++i) {
    const std::string part_where = fmt::format("{}#/blend/{}/workload", where, i);
    const json& part = blend[i].at("workload");
    const std::string part_name = part.is_string() ? part.get<std::string>() : part_where;
    const json source = part.is_string()
                            ? resolved(read_definition(part_name, workload.files), part_name, workload.files)
                            : resolved(part, where, workload.files);
    check_schema(source, schema_path, part_name);
    if (source.contains("blend")) throw usage_error(part_where, "is itself a blend");
    ProcSpec spec = proc_spec_of({source, part_name + "#"}, source.at("name"));
    spec.procs_per_job_set = blend[i].at("procs");
    workload.proc_kinds.push_back(std::move(spec));
    kinds.emplace_back(part_name, source);
  }
  check_equal_sets(kinds, workload.proc_kinds);
  return workload;
}

}  // namespace edagen
