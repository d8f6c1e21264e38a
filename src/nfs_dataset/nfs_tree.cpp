#include "nfs_dataset/nfs_tree.hpp"

#include <algorithm>
#include <atomic>

#include "base/parallel.hpp"
#include "dataset/dataset_layout.hpp"
#include "dataset/dataset_root.hpp"
#include "dataset/foreign_files.hpp"
#include "edagen/error.hpp"
#include "nfs_dataset/nfs_checks.hpp"

namespace edagen {
namespace {

/// Levels below the dataset directory, as in foreign_files.cpp.
constexpr int of_clients = 0, of_proc = 2, of_files = 3;

bool is_directory(const NfsEntry& entry) { return entry.file.attributes.type == NfsFileType::directory; }

class TreeLook {
 public:
  using Inside = std::function<void(const NfsEntry&, const std::string& path, int level)>;

  TreeLook(int depth, NfsSession& session, StuckWatch::Thread& thread)
      : last_(of_proc + depth), session_(session), thread_(thread) {}

  /// Calls `inside` for each directory in this one, with the level of its content.
  void at(const NfsHandle& directory, const std::string& path, int level, const Inside& inside) const {
    thread_.call_started("looking at", path);
    std::vector<NfsEntry> entries;
    const NfsStatus listed = session_.list(directory, entries);
    if (listed == NfsStatus::stale || listed == NfsStatus::noent) return;  // has just been removed
    require_ok(listed, path);
    for (const NfsEntry& entry : entries) {
      const bool is_removed_file = is_of_removed_file(entry.name.c_str()) && !is_directory(entry);
      if ((level == of_clients && is_own_name(entry.name)) || is_removed_file) continue;
      const std::string its_path = path + "/" + entry.name;
      const bool has_files = level >= of_files && level <= last_;
      const NameClass cls = has_files ? NameWriter::parse_leaf(entry.name).cls : NameClass::none;
      const bool goes_down = level < last_ && is_directory_name(entry.name, level);
      if (goes_down || cls == NameClass::made_dir) {
        if (const std::string why = why_not_directory(entry.file, session_.at()); !why.empty())
          throw usage_error(its_path, why, "move it away");
        inside(entry, its_path, goes_down ? level + 1 : last_ + 1);  // nothing is made in a made_dir
      } else if (cls == NameClass::none || is_directory(entry)) {
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
  int last_;  ///< level of the files in the deepest directories
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
    look.at(directory, path, of_clients, [&](const NfsEntry& client, const std::string& client_path, int level) {
      look.at(client.file.handle, client_path, level, [&](const NfsEntry& proc, const std::string&, int) {
        if (!skips(client.name + "/" + proc.name)) found.push_back({client.file.handle, proc, client_path});
      });
    });
  }
  for_all(at, found, threads, stop, watch, [&](NfsSession& session, const Found& proc, StuckWatch::Thread& thread) {
    TreeLook(depth, session, thread).all_below(proc.entry.file.handle, proc.path + "/" + proc.entry.name, of_proc);
  });
}

void remove_tree(NfsSession& session, const NfsHandle& parent, const std::string& name, const NfsFile& file,
                 const std::string& path, StuckWatch::Thread& thread) {
  const std::string shown = path + "/" + name;
  NfsStatus removed = NfsStatus::ok;
  if (file.attributes.type != NfsFileType::directory) {
    thread.call_started("removing", path, name);
    removed = session.remove(parent, name);
  } else {
    if (const std::string why = why_not_directory(file, session.at()); !why.empty()) throw run_error(shown, why);
    thread.call_started("listing", path, name);
    std::vector<NfsEntry> entries;
    const NfsStatus listed = session.list(file.handle, entries);
    if (listed == NfsStatus::stale || listed == NfsStatus::noent) return;
    require_ok(listed, shown);
    for (const NfsEntry& entry : entries) remove_tree(session, file.handle, entry.name, entry.file, shown, thread);
    thread.call_started("removing", path, name);
    removed = session.remove_directory(parent, name);
  }
  if (removed != NfsStatus::noent) require_ok(removed, shown);
}

/// The threads share the procs' directories, two levels down.
void remove_content(const NfsExport& at, const NfsHandle& directory, const std::string& path, std::size_t threads,
                    StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  NfsSession session(at);
  self.call_started("listing", path);
  std::vector<NfsEntry> rest;
  require_ok(session.list(directory, rest), path);
  std::erase_if(rest, [](const NfsEntry& entry) { return is_own_name(entry.name); });
  std::vector<Found> found;
  for (const NfsEntry& client : rest) {
    if (!why_not_directory(client.file, at).empty()) continue;
    std::vector<NfsEntry> procs;
    require_ok(session.list(client.file.handle, procs), path + "/" + client.name);
    for (NfsEntry& proc : procs) found.push_back({client.file.handle, std::move(proc), path + "/" + client.name});
  }
  self.pause();
  for_all(at, found, threads, {}, watch, [](NfsSession& own, const Found& each, StuckWatch::Thread& thread) {
    remove_tree(own, each.parent, each.entry.name, each.entry.file, each.path, thread);
  });
  for (const NfsEntry& entry : rest) remove_tree(session, directory, entry.name, entry.file, path, self);
}

}  // namespace edagen
