#include "report/text_table.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "edagen/error.hpp"

namespace edagen {

void TextTable::add(std::vector<Cell> row) {
  for (Cell& cell : row) cell.text = one_line(cell.text, std::string::npos);
  rows_.push_back(std::move(row));
}

std::string TextTable::str(std::size_t indent) const {
  std::vector<std::string> lines(rows_.size() + 1, std::string(indent, ' '));
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].shown == Shown::on_page) continue;
    const auto text_of = [&](std::size_t line) { return line == 0 ? columns_[i].head : rows_[line - 1].at(i).text; };
    std::size_t width = 0;
    for (std::size_t line = 0; line < lines.size(); ++line) width = std::max(width, columns_of(text_of(line)));
    for (std::size_t line = 0; line < lines.size(); ++line) {
      const std::string text = text_of(line), room(width - columns_of(text), ' ');
      lines[line] += (i > 0 ? "  " : "") + (words_.contains(i) ? text + room : room + text);
    }
  }
  std::string all;
  for (std::string& line : lines) all += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  return all;
}

Document TextTable::block(const char* style) const {
  Document heads = Document::array(), rows = Document::array();
  const auto is_shown = [&](std::size_t i) { return columns_[i].shown != Shown::in_text; };
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (is_shown(i)) heads.push_back(columns_[i].head);
  for (const std::vector<Cell>& row : rows_) {
    Document cells = Document::array();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!is_shown(i)) continue;
      if (*row[i].style) cells.push_back({{"text", row[i].text}, {"style", row[i].style}});
      else cells.push_back(row[i].text);
    }
    rows.push_back(std::move(cells));
  }
  return {{"table", std::move(rows)}, {"heads", std::move(heads)}, {"style", style}};
}

}  // namespace edagen
