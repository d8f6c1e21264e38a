// Columns of text, aligned for a terminal, or as a table of a page.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "result/json_fields.hpp"

namespace edagen {

enum class Shown { everywhere, in_text, on_page };

struct Column {
  Column(std::string title, Shown where = Shown::everywhere) : head(std::move(title)), shown(where) {}
  Column(const char* title, Shown where = Shown::everywhere) : Column(std::string(title), where) {}
  std::string head;
  Shown shown;
};

struct Cell {
  Cell(std::string content, const char* its_style = "") : text(std::move(content)), style(its_style) {}
  Cell(const char* content) : text(content) {}
  std::string text;
  const char* style = "";  ///< on a page: "good", "bad" or "text"
};

class TextTable {
 public:
  /// Columns of words, counted from 0, are aligned left, those of figures right.
  explicit TextTable(std::vector<Column> columns, std::set<std::size_t> words = {0})
      : columns_(std::move(columns)), words_(std::move(words)) {}
  /// Cells may hold text of whatever origin: each is shown on its one line.
  void add(std::vector<Cell> row);
  bool empty() const { return rows_.empty(); }
  /// Lines, each with `indent` spaces before it; columns are two or more spaces apart.
  std::string str(std::size_t indent = 0) const;
  /// A block of a page (page_blocks.hpp).
  Document block(const char* style = "") const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
  std::set<std::size_t> words_;
};

}  // namespace edagen
