#include "base/descendants.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "base/number.hpp"

namespace edagen {
namespace {

/// All processes that have not ended, by parent.
std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> children;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename().string();
    const auto pid = whole_number_of<pid_t>(name);
    if (!pid) continue;
    std::ifstream file(entry.path() / "stat");
    std::string line;
    std::getline(file, line, '\0');
    const std::size_t name_end = line.rfind(')');  // the name may hold anything
    if (name_end == std::string::npos) continue;
    std::istringstream fields(line.substr(name_end + 1));
    std::string state;
    pid_t parent = 0;
    if (fields >> state >> parent && state != "Z" && state != "X") children.emplace(parent, *pid);
  }
  return children;
}

std::set<pid_t> children_of(pid_t parent, const std::multimap<pid_t, pid_t>& all) {
  std::set<pid_t> children;
  for (auto [each, end] = all.equal_range(parent); each != end; ++each) children.insert(each->second);
  return children;
}

}  // namespace

Descendants::Descendants() : before_(children_of(::getpid(), children_by_parent())) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

Descendants::~Descendants() { ::prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0); }

std::set<pid_t> Descendants::running() const {
  const std::multimap<pid_t, pid_t> all = children_by_parent();
  std::set<pid_t> found, next = children_of(::getpid(), all);
  for (const pid_t pid : before_) next.erase(pid);
  while (!next.empty()) {
    const pid_t pid = *next.begin();
    next.erase(next.begin());
    if (found.insert(pid).second) next.merge(children_of(pid, all));
  }
  return found;
}

void Descendants::send(int signal) const {
  for (const pid_t pid : running()) ::kill(pid, signal);
}

}  // namespace edagen
