#include "nfs_dataset/nfs_dataset.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "edagen/error.hpp"
#include "nfs_dataset/nfs_checks.hpp"
#include "nfs_dataset/nfs_directory_builder.hpp"
#include "nfs_dataset/nfs_tree.hpp"

namespace edagen {
namespace {

/// The sessions of one thread, one for each export that it comes to.
class Sessions {
 public:
  explicit Sessions(const std::vector<NfsRoot>& roots, std::stop_token stop = {})
      : roots_(roots), stop_(std::move(stop)), sessions_(roots.size()) {}
  NfsSession& to(std::size_t root) {
    if (!sessions_[root]) sessions_[root] = std::make_unique<NfsSession>(roots_[root].at(), stop_);
    return *sessions_[root];
  }

 private:
  const std::vector<NfsRoot>& roots_;
  std::stop_token stop_;
  std::vector<std::unique_ptr<NfsSession>> sessions_;
};

/// Finds the directory `name` in `parent`, making it if needed.
NfsFile make_directory(NfsSession& session, const NfsHandle& parent, const std::string& parent_path,
                       const std::string& name, uid_t owner) {
  NfsFile made;
  const NfsStatus status = session.make_directory(parent, name, made);
  if (status == NfsStatus::exist) return own_directory(session, parent, parent_path, name, owner);
  require_ok(status, parent_path + "/" + name);
  return made;
}

}  // namespace

NfsDataset::NfsDataset(const DatasetPlan& plan, const std::vector<NfsExport>& exports, bool reuse,
                       BuildTogether* together)
    : Dataset(plan, reuse, together) {
  std::vector<PlaceRoom> room;
  for (const NfsExport& at : exports) {
    NfsSession session(at);
    const NfsRoot& root = roots_.emplace_back(at, session);
    found_.add(root.path(), root.marker());
    room.push_back({at.name(), at.volume(), at.free});
  }
  if (found_.is_new()) check_room(plan_, room);
}

bool NfsDataset::is_begun() const {
  NfsSession session(roots_.front().at());
  return roots_.front().claimed() && roots_.front().is_marked(session);
}

bool NfsDataset::is_marked() const {
  return std::ranges::any_of(roots_, [](const NfsRoot& root) {
    NfsSession session(root.at());
    return root.exists() && root.is_marked(session);
  });
}

std::optional<Error> NfsDataset::loss_of_lock(const std::stop_token& stop) const {
  for (const NfsRoot& root : roots_) {
    NfsSession session(root.at(), stop);
    if (auto loss = root.loss_of_lock(session)) return loss;
  }
  return std::nullopt;
}

void NfsDataset::check_roots_for_foreign_files(int depth, const Skips& of_others, std::size_t threads,
                                               const std::stop_token& stop, StuckWatch& watch) const {
  for (const NfsRoot& root : roots_)
    if (root.marker())
      check_for_foreign(root.at(), root.directory(), root.path(), depth, of_others, threads, stop, watch);
}

void NfsDataset::claim_roots(DatasetMarker& fresh, bool follows, StuckWatch::Thread& self,
                             const std::stop_token& stop) {
  Sessions sessions(roots_, stop);
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    self.call_started("opening", roots_[i].path());
    if (follows) roots_[i].claim_with_leader(sessions.to(i), fresh);
    else roots_[i].claim(sessions.to(i), fresh);
    fresh.id = roots_[i].marker()->id;
  }
}

void NfsDataset::make_proc_directories(StuckWatch::Thread& self, const std::stop_token& stop) {
  Sessions sessions(roots_, stop);
  NfsFile client;
  std::string made_last;
  for (std::size_t i = 0; i < plan_.procs.size(); ++i) {
    const PlannedProc& proc = plan_.procs[i];
    if (!plan_.has_directory(i) || !has(proc) || stop.stop_requested()) continue;
    const NfsRoot& root = roots_[proc.mount];
    const std::string& name = proc.directory;
    const auto slash = name.find('/');
    const std::string client_path = root.path() + "/" + name.substr(0, slash);
    self.call_started("making", root.path(), name);
    NfsSession& session = sessions.to(proc.mount);
    if (name.substr(0, slash) != made_last) {
      made_last = name.substr(0, slash);
      client = make_directory(session, root.directory(), root.path(), made_last, root.owner());
    }
    make_directory(session, client.handle, client_path, name.substr(slash + 1), root.owner());
  }
}

void NfsDataset::build_directories(DirectoryQueue& queue, BuildCounters& counters, StuckWatch::Thread& self,
                                   const std::stop_token& stop) {
  Sessions sessions(roots_, stop);
  NfsDirectoryBuilder builder(counters, self);
  while (const auto next = queue.take(stop)) {
    const PlannedProc& proc = plan_.procs[next->proc];
    builder.build(sessions.to(proc.mount), proc.directory, plan_.files_of(next->proc), roots_[proc.mount], next->index,
                  stop);
  }
}

void NfsDataset::mark_complete(StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  Sessions sessions(roots_);
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    self.call_started("marking", roots_[i].path());
    roots_[i].mark_complete(sessions.to(i));
  }
}

void NfsDataset::remove(std::size_t threads, StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  Sessions sessions(roots_);
  ForeignLeft left;
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    NfsRoot& root = roots_[i];
    self.call_started("looking at", root.path());
    const bool is_gone = root.is_gone(sessions.to(i));
    self.pause();
    // Removed by the first of several URLs that lead to it.
    if (is_gone && !root.is_of_another()) spdlog::warn("{} was removed by somebody else during the run", root.path());
    if (!is_gone) root.remove(sessions.to(i), threads, watch, left);
  }
  left.check();
}

}  // namespace edagen
