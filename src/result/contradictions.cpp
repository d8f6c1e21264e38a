#include "result/contradictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr std::array<const char*, 6> ascending = {"p50", "p90", "p95", "p99", "p99_9", "max"};

bool has_number(const Document& document, const char* key) {
  return document.contains(key) && document[key].is_number();
}

/// By more than rounding does.
bool is_above(const Document& figures, const char* one, const char* other) {
  return figures[one].get<double>() > 1.01 * figures[other].get<double>() + 1e-6;
}

/// Of latencies: "p99 is below p95"; else empty.
std::string disorder_in(const Document& figures) {
  if (!std::ranges::all_of(ascending, [&](const char* key) { return has_number(figures, key); })) return "";
  for (std::size_t i = 1; i < ascending.size(); ++i)
    if (is_above(figures, ascending[i - 1], ascending[i]))
      return fmt::format("{} is below {}", ascending[i], ascending[i - 1]);
  return has_number(figures, "mean") && is_above(figures, "mean", "max") ? "the mean is above the maximum" : "";
}

/// Of a load point.
std::string wrong_sum_in(const Document& point) {
  if (!has_number(point, "operations") || !point.contains("ops") || !point["ops"].is_object()) return "";
  const auto all = point["operations"].get<std::uint64_t>();
  std::uint64_t sum = 0;
  for (const auto& [kind, op] : point["ops"].items()) sum += op.value("operations", std::uint64_t{0});
  return sum == all ? "" : fmt::format("its kinds of op are {} ops together, not {}", sum, all);
}

std::string wrong_validity_in(const Document& judged) {
  if (!judged.contains("valid") || !judged["valid"].is_boolean() || !judged.contains("invalid_reasons")) return "";
  const bool reasons = !judged["invalid_reasons"].empty();
  if (judged["valid"].get<bool>() != reasons) return "";
  return reasons ? "is valid, and has invalid_reasons" : "is not valid, and has no invalid_reasons";
}

}  // namespace

void check_contradictions(const Document& document, const std::string& where) {
  if (document.is_object())
    for (const std::string& wrong : {disorder_in(document), wrong_sum_in(document), wrong_validity_in(document)})
      if (!wrong.empty()) throw usage_error(where, "contradicts itself: " + wrong);
  if (!document.is_structured()) return;
  for (const auto& [key, value] : document.items())
    if (value.is_structured()) check_contradictions(value, where + "/" + key);
}

}  // namespace edagen
