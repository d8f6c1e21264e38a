#include "support/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "support/paths.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

std::string temporary_file() {
  std::string pattern = (std::filesystem::temp_directory_path() / "edagen-test-out-XXXXXX").string();
  ::close(::mkstemp(pattern.data()));
  return pattern;
}

}  // namespace

Program::Program(std::vector<std::string> words, std::map<std::string, std::string> environment)
    : out_path_(temporary_file()), err_path_(temporary_file()) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ != 0) return;
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(::open(out_path_.c_str(), O_WRONLY), STDOUT_FILENO);
  ::dup2(::open(err_path_.c_str(), O_WRONLY), STDERR_FILENO);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

Program::~Program() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  std::filesystem::remove(out_path_);
  std::filesystem::remove(err_path_);
}

void Program::signal(int number) const { ::kill(pid_, number); }

Outcome Program::wait() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(out_path_), text_of(err_path_)};
}

bool Program::wait_for_stderr(const std::string& text, std::size_t times) {
  const auto is_there = [&] {
    const std::string all = text_of(err_path_);
    std::size_t seen = 0;
    for (std::size_t at = 0; seen < times && (at = all.find(text, at)) != std::string::npos; at += text.size()) ++seen;
    return seen >= times;
  };
  for (int i = 0; i < 6000; ++i) {
    if (is_there()) return true;
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_)
      return is_there();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

::testing::AssertionResult is_refused(const Outcome& outcome, const std::string& part) {
  if (outcome.status == 2 && outcome.err.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "status " << outcome.status << ", without '" << part << "': " << outcome.err;
}

std::vector<std::string> edagen_words(std::vector<std::string> words) {
  words.insert(words.begin(), edagen_path());
  return words;
}

Outcome edagen(std::vector<std::string> words, std::map<std::string, std::string> environment) {
  return Program(edagen_words(std::move(words)), std::move(environment)).wait();
}

std::vector<std::string> together(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Outcome shell(const std::string& line) { return Program({"bash", "-c", line}).wait(); }

bool is_installed(const std::string& program) { return shell("command -v " + program).status == 0; }

}  // namespace edagen::testing
