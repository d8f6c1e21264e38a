#include "input.hpp"
#include "nights/history_file.hpp"
#include "nights/judge.hpp"
#include "report/history_page.hpp"
#include "report/history_text.hpp"
#include "report/judgement_text.hpp"
#include "text_file.hpp"

namespace edagen::fuzz {

void use_nights(const std::string& text) {
  const History history = read_history(TextFile(text, ".jsonl").path());
  if (history.nights.empty()) return;
  static_cast<void>(history_text(history.nights));
  static_cast<void>(history_html(history.nights, {}));
  const NightJudgement judgement =
      judge(std::span(history.nights).first(history.nights.size() - 1), history.nights.back(), {});
  static_cast<void>(judgement_text(judgement));
  static_cast<void>(judgement_junit(judgement));
}

}  // namespace edagen::fuzz
