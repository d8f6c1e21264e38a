#include "base/json_schema.hpp"
#include "input.hpp"
#include "report/csv.hpp"
#include "report/terminal.hpp"
#include "result/result_file.hpp"
#include "result/result_json.hpp"
#include "text_file.hpp"

namespace edagen::fuzz {
namespace {

void show(const TextFile& file) {
  const Result result = read_result(file.path());
  static_cast<void>(result_text(result));
  static_cast<void>(csv_text(result));
  static_cast<void>(dumped(to_json(result), 2));
}

}  // namespace

void use_result(const std::string& text) { show(TextFile(text, ".json")); }
void use_journal(const std::string& text) { show(TextFile(text, ".jsonl")); }

}  // namespace edagen::fuzz
