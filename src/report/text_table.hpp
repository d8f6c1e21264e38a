// Columns of text, aligned.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace edagen {

class TextTable {
 public:
  /// Columns of words, counted from 0, are aligned left, those of figures right.
  explicit TextTable(std::vector<std::string> heads, std::set<std::size_t> words = {0})
      : rows_{std::move(heads)}, words_(std::move(words)) {}
  /// Cells may hold text of whatever origin: each is shown on its one line.
  void add(std::vector<std::string> row);
  /// Lines, each with `indent` spaces before it; columns are two or more spaces apart.
  std::string str(std::size_t indent = 0) const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::set<std::size_t> words_;
};

}  // namespace edagen
