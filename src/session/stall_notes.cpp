#include "session/stall_notes.hpp"

#include <fmt/format.h>

#include <optional>

#include "edagen/units.hpp"
#include "result/stall.hpp"

namespace edagen {

void StallNotes::add(const std::string& variant, std::uint64_t repeat, const Result& result) {
  if (result.load_points.empty() || !result.load_points.back().has_response()) return;
  const PointFigures& point = result.load_points.back();  // of a load at a rate, the only one
  const auto time = [](Seconds seconds) { return format_duration(from_seconds(seconds.count())); };
  const std::optional<StalledTime> stall = stalled_time(point);
  notes_[{variant, repeat}] = fmt::format(
      "{}, repeat {}, which began at {}, stalled: {}", variant, repeat, result.started_at,
      stall ? fmt::format("from about {} into its window on, ops waited for up to {}", time(stall->begins),
                          time(stall->length))
            : fmt::format("the longest response is {} ms", format_millis(point.latency.response.max.count())));
}

std::vector<std::string> StallNotes::notes_of(const ComparisonResult& comparison) const {
  std::vector<std::string> notes;
  if (comparison.is_sliced()) return notes;
  for (const VariantFigures& variant : comparison.variants)
    for (const RunFigures& run : variant.runs) {
      const auto note = notes_.find({variant.name, run.repeat});
      if (note != notes_.end() && is_stalled_run(run, variant, comparison)) notes.push_back(note->second);
    }
  return notes;
}

}  // namespace edagen
