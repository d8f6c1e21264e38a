#include "report/staleness_text.hpp"

#include <fmt/format.h>

#include "edagen/units.hpp"

namespace edagen {

TextTable staleness_table(const StalenessFigures& staleness) {
  TextTable table(
      {"stale data", "checks", {"stale", Shown::on_page}, "stale %", "periods", "unended", "p50 ms", "max ms"});
  const auto count = [](std::uint64_t many) { return format_count(static_cast<double>(many)); };
  const auto add = [&](const char* shown, const StaleFigures& seen) {
    if (seen.looks == 0) {
      table.add({shown, "0", "-", "-", "-", "-", "-", "-"});
      return;
    }
    const std::string longest = format_millis(seen.stale_for_max.count());
    table.add({shown, count(seen.looks), count(seen.stale), fmt::format("{:.1f}", 100 * seen.stale_share),
               count(seen.periods), count(seen.unended),
               seen.stale_for_p50 ? format_millis(seen.stale_for_p50->count()) : "> " + longest,
               (seen.unended > 0 ? "> " : "") + longest});
  };
  add("attributes (stat)", staleness.attributes);
  add("data (open, read)", staleness.data);
  add("created files not found", staleness.lookups);
  return table;
}

std::string staleness_text(const StalenessFigures& staleness) {
  const bool unended = staleness.attributes.unended + staleness.data.unended + staleness.lookups.unended > 0;
  return staleness_table(staleness).str() +
         (unended ? "unended: still stale when the watching ended, so that they last longer than was seen\n" : "");
}

}  // namespace edagen
