#include "compare/comparison_file.hpp"
#include "input.hpp"
#include "report/comparison_text.hpp"
#include "report/csv.hpp"
#include "report/terminal.hpp"
#include "result/result_json.hpp"
#include "text_file.hpp"

namespace edagen::fuzz {
namespace {

std::string text_of(const Result& result) { return result_text(result); }
std::string text_of(const ComparisonResult& comparison) { return comparison_text(comparison); }

void show(const TextFile& file) {
  std::visit(
      [](const auto& result) {
        static_cast<void>(text_of(result));
        static_cast<void>(csv_text(result));
        static_cast<void>(json_text(result));
      },
      read_any_result(file.path()));
}

}  // namespace

void use_result(const std::string& text) { show(TextFile(text, ".json")); }
void use_journal(const std::string& text) { show(TextFile(text, ".jsonl")); }

}  // namespace edagen::fuzz
