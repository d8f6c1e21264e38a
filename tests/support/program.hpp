// Runs programs as a user does, and says what came of it.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace edagen::testing {

struct Outcome {
  int status = -1;  ///< exit status; 128 + signal when it was killed
  std::string out, err;
};

class Program {
 public:
  explicit Program(std::vector<std::string> words, std::map<std::string, std::string> environment = {});
  ~Program();  ///< kills it if it still runs
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void signal(int number) const;
  pid_t pid() const { return pid_; }
  Outcome wait();
  /// Waits until what it has written to stderr so far holds `text` so many times; false after 60 s or when it has
  /// ended.
  bool wait_for_stderr(const std::string& text, std::size_t times = 1);

 private:
  pid_t pid_ = -1;
  std::string out_path_, err_path_;
};

/// Whether it has refused its words or files, with `part` among what it printed on stderr.
::testing::AssertionResult is_refused(const Outcome& outcome, const std::string& part);

/// edagen with these words.
Outcome edagen(std::vector<std::string> words, std::map<std::string, std::string> environment = {});
/// What bash makes of a line.
Outcome shell(const std::string& line);
bool is_installed(const std::string& program);
std::vector<std::string> edagen_words(std::vector<std::string> words);
std::vector<std::string> together(std::vector<std::string> words, const std::vector<std::string>& more);

}  // namespace edagen::testing
