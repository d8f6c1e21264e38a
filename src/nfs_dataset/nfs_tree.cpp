#include "nfs_dataset/nfs_tree.hpp"

#include <algorithm>
#include <atomic>

#include "base/parallel.hpp"
#include "dataset/dataset_layout.hpp"
#include "dataset/dataset_names.hpp"
#include "dataset/foreign_files.hpp"
#include "edagen/error.hpp"
#include "nfs_dataset/nfs_checks.hpp"

namespace edagen {
namespace {

bool is_directory(const NfsEntry& entry) { return entry.file.attributes.type == NfsFileType::directory; }

class TreeLook {
 public:
  using Inside = std::function<void(const NfsEntry&, const std::string& path, int level)>;

  TreeLook(int depth, NfsSession& session, StuckWatch::Thread& thread)
      : deepest_(level_in_proc + depth), session_(session), thread_(thread) {}

  /// Calls `inside` for each directory in this one, with the level of its content.
  void at(const NfsHandle& directory, const std::string& path, int level, const Inside& inside) const {
    thread_.call_started("looking at", path);
    std::vector<NfsEntry> entries;
    const NfsStatus listed = session_.list(directory, entries);
    if (listed == NfsStatus::stale || listed == NfsStatus::noent) return;  // has just been removed
    require_ok(listed, path);
    for (const NfsEntry& entry : entries) {
      const NameInDataset named = name_in_dataset(entry.name, level, deepest_);
      if (named.kind == NameInDataset::Kind::own_file) continue;
      const std::string its_path = path + "/" + entry.name;
      if (named.kind == NameInDataset::Kind::directory) {
        if (const std::string why = why_not_directory(entry.file, session_.at()); !why.empty())
          throw usage_error(its_path, why, "move it away");
        inside(entry, its_path, named.level);
      } else if (named.kind == NameInDataset::Kind::foreign || is_directory(entry)) {
        refuse_foreign(its_path);
      }
    }
  }

  void all_below(const NfsHandle& directory, const std::string& path, int level) const {
    at(directory, path, level, [&](const NfsEntry& entry, const std::string& its_path, int its_level) {
      all_below(entry.file.handle, its_path, its_level);
    });
  }

 private:
  int deepest_;  ///< level of the deepest directories with files
  NfsSession& session_;
  StuckWatch::Thread& thread_;
};

struct Found {
  NfsHandle parent;
  NfsEntry entry;
  std::string path;  ///< of the parent
};

/// Calls `work` for all of `found`, in threads with sessions of their own.
void for_all(const NfsExport& at, const std::vector<Found>& found, std::size_t threads, const std::stop_token& stop,
             StuckWatch& watch, const std::function<void(NfsSession&, const Found&, StuckWatch::Thread&)>& work) {
  std::atomic<std::size_t> next{0};
  run_in_parallel(std::clamp<std::size_t>(found.size(), 1, threads), stop, [&](const std::stop_token& halt) {
    StuckWatch::Thread thread(watch);
    NfsSession session(at, stop);
    for (std::size_t i = next++; i < found.size() && !halt.stop_requested(); i = next++)
      work(session, found[i], thread);
  });
}

}  // namespace

void check_for_foreign(const NfsExport& at, const NfsHandle& directory, const std::string& path, int depth,
                       const std::function<bool(const std::string&)>& skips, std::size_t threads,
                       const std::stop_token& stop, StuckWatch& watch) {
  std::vector<Found> found;  // directories of procs
  {
    StuckWatch::Thread self(watch);
    NfsSession session(at, stop);
    const TreeLook look(depth, session, self);
    look.at(directory, path, level_of_clients, [&](const NfsEntry& client, const std::string& client_path, int level) {
      look.at(client.file.handle, client_path, level, [&](const NfsEntry& proc, const std::string&, int) {
        if (!skips(client.name + "/" + proc.name)) found.push_back({client.file.handle, proc, client_path});
      });
    });
  }
  for_all(at, found, threads, stop, watch, [&](NfsSession& session, const Found& proc, StuckWatch::Thread& thread) {
    TreeLook(depth, session, thread)
        .all_below(proc.entry.file.handle, proc.path + "/" + proc.entry.name, level_in_proc);
  });
}

bool NfsRemoval::entry(const NfsHandle& parent, const NfsEntry& listed, const std::string& path, int level) const {
  const NameInDataset named = name_in_dataset(listed.name, level, any_depth);
  if (named.kind == NameInDataset::Kind::own_file) return false;
  const std::string its_path = path + "/" + listed.name;
  const bool goes_down = named.kind == NameInDataset::Kind::directory;
  if (named.kind == NameInDataset::Kind::foreign || goes_down != is_directory(listed))
    return left_.add(its_path), false;
  NfsStatus removed = NfsStatus::ok;
  if (!goes_down) {
    thread_.call_started("removing", path, listed.name);
    removed = session_.remove(parent, listed.name);
  } else {
    if (const std::string why = why_not_directory(listed.file, session_.at()); !why.empty())
      throw run_error(its_path, why);
    if (!content(listed.file.handle, its_path, named.level)) return false;
    thread_.call_started("removing", path, listed.name);
    removed = session_.remove_directory(parent, listed.name);
  }
  if (removed != NfsStatus::noent) require_ok(removed, its_path);
  return true;
}

bool NfsRemoval::content(const NfsHandle& directory, const std::string& path, int level) const {
  thread_.call_started("listing", path);
  std::vector<NfsEntry> entries;
  const NfsStatus listed = session_.list(directory, entries);
  if (listed == NfsStatus::stale || listed == NfsStatus::noent) return true;  // has just been removed
  require_ok(listed, path);
  bool is_empty = true;
  for (const NfsEntry& inner : entries)
    if (!entry(directory, inner, path, level)) is_empty = false;
  return is_empty;
}

/// The threads share the procs' directories, two levels down.
bool remove_content(const NfsExport& at, const NfsHandle& directory, const std::string& path, std::size_t threads,
                    StuckWatch& watch, ForeignLeft& left) {
  StuckWatch::Thread self(watch);
  NfsSession session(at);
  self.call_started("listing", path);
  std::vector<NfsEntry> clients;
  require_ok(session.list(directory, clients), path);
  std::erase_if(clients, [](const NfsEntry& entry) { return is_own_name(entry.name); });
  std::vector<Found> found;
  for (const NfsEntry& client : clients) {
    if (!is_directory_name(client.name, level_of_clients) || !why_not_directory(client.file, at).empty()) continue;
    std::vector<NfsEntry> procs;
    require_ok(session.list(client.file.handle, procs), path + "/" + client.name);
    for (NfsEntry& proc : procs) found.push_back({client.file.handle, std::move(proc), path + "/" + client.name});
  }
  self.pause();
  ForeignLeft left_in_procs;
  for_all(at, found, threads, {}, watch, [&](NfsSession& own, const Found& each, StuckWatch::Thread& thread) {
    NfsRemoval(left_in_procs, own, thread).entry(each.parent, each.entry, each.path, level_of_procs);
  });
  // Goes through all that is left once more, so that this alone counts what is foreign.
  bool is_empty = true;
  for (const NfsEntry& client : clients)
    if (!NfsRemoval(left, session, self).entry(directory, client, path, level_of_clients)) is_empty = false;
  return is_empty;
}

}  // namespace edagen
