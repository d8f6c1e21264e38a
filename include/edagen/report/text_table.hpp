// Columns of text, aligned.
#pragma once

#include <string>
#include <vector>

namespace edagen {

class TextTable {
 public:
  /// The first column is aligned left, the others right.
  explicit TextTable(std::vector<std::string> heads) : rows_{std::move(heads)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// Lines, each with `indent` spaces before it; columns are two or more spaces apart.
  std::string str(std::size_t indent = 0) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace edagen
