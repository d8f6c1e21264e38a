// Which ratios of a comparison mean something, and how those that stand together are written.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "edagen/comparison_result.hpp"

namespace edagen {

/// Whether the ratio means nothing, because one of the two rates is a lower bound.
bool is_bound(const VariantFigures& variant, const VariantFigures& baseline);
/// Whether variants are compared, and none has a verdict, as runs are invalid.
bool has_no_verdict(const ComparisonResult& comparison);
/// Whether the interval shows no difference and is so wide that it would not show a factor either: there are too few
/// repeats, as is often so with two.
bool is_too_wide(const AgainstFirst& against);
/// Whether there is an interval that is worth reading.
inline bool has_interval(const AgainstFirst& against) {
  return against.verdict != Verdict::invalid_runs && against.confidence_95[1] && !is_too_wide(against);
}
/// Whether a variant has a ratio to the baseline that means something.
inline bool has_ratio_to(const VariantFigures& baseline, const VariantFigures& variant) {
  return variant.has_ratio() && !is_bound(variant, baseline);
}

/// As changes, "+3.2 %", or, where one of them or an end of an interval is far from 1, all as factors, "15.9x". One of
/// each beside each other would be read wrongly.
class Ratios {
 public:
  explicit Ratios(const ComparisonResult& comparison);  ///< of its variants to the baseline
  explicit Ratios(const FactorEffects& effects);        ///< of factors and of pairs of them
  bool are_factors() const { return factors_; }
  /// The ends of an interval of a ratio.
  using Ends = std::array<std::optional<double>, 2>;
  std::string text(double ratio) const;
  std::string text(const Ends& interval) const;  ///< "+1.0 % to +5.4 %"; the interval has an upper end

 private:
  void see(double ratio) { factors_ |= ratio >= 2 || ratio <= 0.5; }
  void see(double ratio, const Ends& interval);

  bool factors_ = false;
};

}  // namespace edagen
