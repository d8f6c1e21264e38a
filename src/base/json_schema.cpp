#include "base/json_schema.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <type_traits>
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

constexpr std::size_t deepest = 64;
constexpr std::size_t most_values = 20'000'000;
constexpr double largest_number = 1e18;  ///< numbers become whole ns and bytes, in 64 bits
constexpr double least_number = 1e-100;  ///< except 0, so that quotients stay finite

/// An embedded schema, which is read once.
const Schema& schema_at(std::string_view path) {
  static std::mutex mutex;
  static std::map<std::string, Schema, std::less<>> all;
  const std::lock_guard lock(mutex);
  if (const auto known = all.find(path); known != all.end()) return known->second;
  return all.try_emplace(std::string(path), json::parse(embedded_file(path)), std::string(path)).first->second;
}

/// Builds a document from the parser's events, in time and memory in proportion to the text: neither the parser's
/// callback, which looks through the parent of each object that ends, nor the search of an ordered object for each new
/// key.
template <class Json>
class DocumentBuilder {
 public:
  explicit DocumentBuilder(const std::string& where) : where_(where) {}
  Json take() { return std::move(root_); }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) {
    const double size = std::abs(value);
    if (size > largest_number || (size > 0 && size < least_number))
      throw usage_error(where_, fmt::format("the number {:g} is too {}", value, size > 1 ? "large" : "small"));
    return add(value);
  }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(typename Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    if (!open_.back().keys.insert(name).second)
      throw usage_error(where_, fmt::format("the key '{}' is there twice in one object", one_line(name, 60)));
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) {
    std::string what = error.what();  // "[json.exception.parse_error.101] parse error at line 3, column 5: ..."
    if (const auto end = what.find("] "); end != std::string::npos) what.erase(0, end + 2);
    throw usage_error(where_, "not JSON: " + what);
  }

 private:
  /// An object or array whose end has not come yet. Nothing is added to its parents meanwhile, so that it keeps its
  /// address.
  struct Open {
    Json* value;
    std::set<std::string> keys;
  };

  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json container) {
    if (open_.size() >= deepest) throw usage_error(where_, fmt::format("is nested deeper than {} levels", deepest));
    open_.push_back({place(std::move(container)), {}});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  Json* place(Json value) {
    if (++values_ > most_values)
      throw usage_error(where_, fmt::format("holds more than {} values", format_count(most_values)));
    if (open_.empty()) return &(root_ = std::move(value));
    Json& parent = *open_.back().value;
    if (parent.is_array()) return &parent.template get_ref<typename Json::array_t&>().emplace_back(std::move(value));
    auto& members = parent.template get_ref<typename Json::object_t&>();
    if constexpr (std::is_same_v<Json, json>) return &(members[std::move(key_)] = std::move(value));
    else return &members.emplace_back(std::move(key_), std::move(value)).second;  // the key is new
  }

  const std::string& where_;
  Json root_;
  std::vector<Open> open_;
  std::string key_;
  std::size_t values_ = 0;
};

}  // namespace

template <class Json>
Json parse_json(std::string_view text, const std::string& where) {
  DocumentBuilder<Json> builder(where);
  Json::sax_parse(text, &builder);
  return builder.take();
}

template json parse_json<json>(std::string_view, const std::string&);
template nlohmann::ordered_json parse_json<nlohmann::ordered_json>(std::string_view, const std::string&);

json read_json_file(const std::string& path) { return parse_json(read_text_file(path, largest_definition), path); }

void check_schema(const json& document, const Schema& schema, const std::string& where) {
  const std::optional<Violation> violation = violation_of(document, schema.rule());
  if (violation) throw usage_error(where + "#" + violation->pointer, violation->what, violation->hint);
}

void check_schema(const json& document, std::string_view schema_path, const std::string& where) {
  check_schema(document, schema_at(schema_path), where);
}

}  // namespace edagen
