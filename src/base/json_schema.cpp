#include "base/json_schema.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "base/embedded.hpp"
#include "base/schema.hpp"
#include "base/schema_check.hpp"
#include "base/text_file.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"

namespace edagen {
namespace {

using nlohmann::json;
using Event = json::parse_event_t;

constexpr int deepest = 64;
constexpr std::size_t most_values = 20'000'000;
constexpr double largest_number = 1e18;  ///< what follows is whole ns and bytes, in 64 bits
constexpr double least_number = 1e-100;  ///< besides 0: what is divided by it stays finite

/// An embedded schema, read once.
const Schema& schema_at(std::string_view path) {
  static std::mutex mutex;
  static std::map<std::string, Schema, std::less<>> all;
  const std::lock_guard lock(mutex);
  if (const auto known = all.find(path); known != all.end()) return known->second;
  return all.try_emplace(std::string(path), json::parse(embedded_file(path)), std::string(path)).first->second;
}

}  // namespace

template <class Json>
Json parse_json(std::string_view text, const std::string& where) {
  std::size_t values = 0;
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto watch = [&](int depth, Event event, Json& parsed) {
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(parsed.template get<std::string>()).second)
      throw usage_error(where, fmt::format("the key '{}' is there twice in one object",
                                           one_line(parsed.template get_ref<const std::string&>(), 60)));
    if (event == Event::key || event == Event::object_end || event == Event::array_end) return true;
    if (depth > deepest) throw usage_error(where, fmt::format("is nested deeper than {} levels", deepest));
    if (++values > most_values)
      throw usage_error(where, fmt::format("holds more than {} values", format_count(most_values)));
    if (parsed.is_number_float()) {
      const double size = std::abs(parsed.template get<double>());
      if (size > largest_number || (size > 0 && size < least_number))
        throw usage_error(where, fmt::format("the number {:g} is too {}", parsed.template get<double>(),
                                             size > 1 ? "large" : "small"));
    }
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const json::exception& error) {
    std::string what = error.what();  // "[json.exception.parse_error.101] parse error at line 3, column 5: ..."
    if (const auto end = what.find("] "); end != std::string::npos) what.erase(0, end + 2);
    throw usage_error(where, "not JSON: " + what);
  }
}

template json parse_json<json>(std::string_view, const std::string&);
template nlohmann::ordered_json parse_json<nlohmann::ordered_json>(std::string_view, const std::string&);

json read_json_file(const std::string& path) { return parse_json(read_text_file(path, largest_definition), path); }

void check_schema(const json& document, std::string_view schema_path, const std::string& where,
                  const std::string& part) {
  const std::optional<Violation> violation = violation_of(document, schema_at(schema_path).rule(part));
  if (violation) throw usage_error(where + "#" + violation->pointer, violation->what, violation->hint);
}

}  // namespace edagen
