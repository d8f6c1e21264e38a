#include "result/contradictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "edagen/error.hpp"
#include "result/answer_contradictions.hpp"
#include "result/point_contradictions.hpp"

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

std::string wrong_validity_in(const Document& judged) {
  if (!judged.contains("valid") || !judged["valid"].is_boolean() || !judged.contains("invalid_reasons")) return "";
  const bool valid = judged["valid"].get<bool>(), reasons = !judged["invalid_reasons"].empty();
  if (valid == reasons) return valid ? "is valid, and has invalid_reasons" : "is not valid, and has no invalid_reasons";
  for (const char* const rate : {"achieved_ops_per_sec", "ops_per_sec"})
    if (valid && judged.contains(rate) && judged[rate].is_null()) return fmt::format("is valid, and {} is null", rate);
  return "";
}

/// Of a result; that of a comparison has no counts.
bool is_load_point(const Document& document) {
  return document.contains("purpose") && has_number(document, "operations");
}

bool is_answer(const Document& document) {
  return has_number(document, "target_ms") && document.contains("demonstrated");
}

std::string wrong_end_in(const Document& document) {
  if (document.contains("status") && document["status"] == std::string(to_string(Status::complete)) &&
      document.contains("failure") && !document["failure"].is_null())
    return "is complete, and has a failure";
  return has_number(document, "ort_ms") && document["ort_ms"] < 0 ? "ort_ms is below 0" : "";
}

/// `result_above`: what the document is a part of; empty: not known. Labels are the user's, of any name.
void check(const Document& document, const Document& result_above, const std::string& where) {
  const bool is_result = document.is_object() && document.contains("at_latency_target") &&
                         document["at_latency_target"].is_array();  // of a comparison it is a text
  const Document& result = is_result ? document : result_above;
  for (const auto& [key, value] : document.items())
    if (value.is_structured() && key != "labels") check(value, result, where + "/" + key);
  if (!document.is_object()) return;
  for (const std::string& wrong : {disorder_in(document), wrong_validity_in(document), wrong_end_in(document),
                                   is_load_point(document) ? contradiction_in_point(document, result) : "",
                                   is_answer(document) ? contradiction_in_answer(document, result) : ""})
    if (!wrong.empty()) throw usage_error(where, "contradicts itself: " + wrong);
}

}  // namespace

void check_contradictions(const Document& document, const std::string& where) {
  check(document, Document::object(), where);
}

}  // namespace edagen
