// The comparison of one figure with its history, from which its verdict is made.
#pragma once

#include <cmath>
#include <numbers>
#include <optional>

#include "edagen/parts/latency_histogram.hpp"
#include "nights/baseline.hpp"
#include "nights/night.hpp"

namespace edagen {

struct FigureComparison {
  FigureVerdict verdict;
  std::optional<LogChange> change;
  double weight = 0;          ///< share of the false-alarm rate
  bool nights_vary = false;   ///< whether the nights before differ at all
  bool unmet = false;         ///< most runs of tonight missed the latency target, and few nights before did
  bool partly_unmet = false;  ///< some runs of tonight missed it, or most did as in nights before
  bool of_one_run = false;    ///< only one of tonight's runs has the figure, so that no run confirms it
  bool beside_unmet = false;  ///< the reference newly misses the latency target, in runs that it lacks for the ratio
  bool beside_bound = false;  ///< most runs of the references have a lower bound tonight, too
  bool is_unknown = false;    ///< a lower bound that earlier nights do not know better, so that it is not judged
  /// Changes of the volume's and of the reference's own values, where a reference that changed may explain a ratio.
  std::optional<LogChange> volume, reference;

  bool is_op_kind() const { return verdict.kind == FigureKind::op_kind; }
};

/// The limit of a loss as a logarithm: of a lower rate or of a higher latency.
inline double log_of_loss(const Gate& gate, FigureKind kind) {
  const double relative = gate.limit(kind);
  return higher_is_better(kind) ? -std::log1p(-relative) : std::log1p(relative);
}

/// The resolution of a figure, as of baseline_of(): a p99 is known as a bucket of a histogram, within which it is
/// interpolated. Earlier versions kept the middle of the bucket.
inline double resolution_of(FigureKind kind) {
  return kind == FigureKind::tail ? LatencyHistogram::half_bucket_share : 0;
}
/// That of the ratio of two such figures.
inline double resolution_of_ratio(FigureKind kind) { return std::numbers::sqrt2 * resolution_of(kind); }

/// Adds a sentence to the note of a figure.
inline void add_note(FigureVerdict& verdict, const std::string& note) {
  verdict.note += (verdict.note.empty() ? "" : "; ") + note;
}

}  // namespace edagen
