#include "report/text_table.hpp"

#include <algorithm>

#include "edagen/error.hpp"
#include "report/wrapped_text.hpp"

namespace edagen {

void TextTable::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = one_line(cell, std::string::npos);
  rows_.push_back(std::move(row));
}

std::string TextTable::str(std::size_t indent) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      const std::string room(widths[i] - columns_of(row[i]), ' ');
      line += words_.contains(i) ? row[i] + room : room + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace edagen
