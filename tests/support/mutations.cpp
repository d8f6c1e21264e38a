#include "support/mutations.hpp"

#include <limits>
#include <vector>

#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

using Json = nlohmann::ordered_json;

void collect(const Json& value, const Json::json_pointer& at, std::vector<Json::json_pointer>& places) {
  places.push_back(at);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], at / i, places);
  if (value.is_object())
    for (const auto& [key, member] : value.items()) collect(member, at / key, places);
}

}  // namespace

Json Mutations::odd_value() {
  switch (below(30)) {
    case 0: return nullptr;
    case 1: return true;
    case 2: return -1;
    case 3: return 0;
    case 4: return 1;
    case 5: return 0.5;
    case 6: return -0.0;
    case 7: return 1e300;
    case 8: return -1e18;
    case 9: return 1e18;
    case 10: return 1e-99;
    case 11: return 5e-324;
    case 12: return std::numeric_limits<std::uint64_t>::max();
    case 13: return std::numeric_limits<std::int64_t>::max();
    case 14: return std::numeric_limits<std::int64_t>::min();
    case 15: return std::int64_t{1} << 60;
    case 16: return 1'000'000'000;
    case 17: return 2147483648;
    case 18: return "";
    case 19: return "max";
    case 20: return "1e400";
    case 21: return "99999999TiB";
    case 22: return "16TiB";
    case 23: return "../\n\x1b[2J";
    case 24: return std::string(below(20) == 0 ? 100'000 : 300, 'x');
    case 25: return Json::array();
    case 26: return Json::object();
    case 27: return Json::array({nullptr, 1, "x"});
    case 28: return Json{{"low", 1}, {"high", "1EiB"}};
    default: {
      Json nest = 1;
      for (std::size_t i = below(200); i > 0; --i) nest = Json::array({std::move(nest)});
      return nest;
    }
  }
}

std::string Mutations::of_bytes(std::string text) {
  for (std::size_t times = 1 + below(3); times > 0; --times) {
    if (text.empty()) return text;
    const std::size_t at = below(text.size()), length = std::min(below(40), text.size() - at);
    switch (below(9)) {
      case 0: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
      case 1: text[at] = static_cast<char>(below(256)); break;
      case 2: text.resize(at); break;
      case 3: text.erase(at, length); break;
      case 4: text.insert(below(text.size()), text.substr(at, length)); break;
      case 5: text.insert(at, std::string(below(200), "x9 [{\n\"\0:\xff"[below(10)])); break;
      case 6: {
        const auto digit = text.find_first_of("0123456789", at);
        if (digit == std::string::npos) break;
        static const std::vector<std::string> numbers = {
            "-1", "0",    "1e400",     "18446744073709551616", "9223372036854775807", "nan", "inf",
            "-",  "1e18", "0.0000001", "4294967296",           "16777216t",           ""};
        text.replace(digit, 1, numbers[below(numbers.size())]);
        break;
      }
      case 7: {
        const auto brace = text.find('{', at);
        if (brace != std::string::npos) text.insert(brace + 1, R"("name":null,"name":7,)");
        break;
      }
      default: {
        const std::size_t start = text.rfind('\n', at), end = text.find('\n', at);
        if (start != std::string::npos && end != std::string::npos) text.insert(start, text.substr(start, end - start));
      }
    }
  }
  return text;
}

std::string Mutations::of_json(const std::string& text) {
  Json document = Json::parse(text);
  for (std::size_t times = 1 + below(2); times > 0; --times) {
    std::vector<Json::json_pointer> places;
    collect(document, Json::json_pointer(), places);
    const Json::json_pointer& at = places[below(places.size())];
    const bool inside = !at.empty();
    switch (below(6)) {
      case 0:
        if (inside && document[at.parent_pointer()].is_object()) document[at.parent_pointer()].erase(at.back());
        break;
      case 1:
        if (inside && document[at.parent_pointer()].is_array())
          document[at.parent_pointer()].push_back(Json(document[at]));
        break;
      case 2: document[at] = Json(document[places[below(places.size())]]); break;
      case 3:
        if (document[at].is_number()) document[at] = document[at].get<double>() * (below(2) == 0 ? 1e9 : 1e-9);
        break;
      default: document[at] = odd_value();
    }
  }
  std::string made = document.dump();
  return below(8) == 0 ? of_bytes(std::move(made)) : made;
}

std::string Mutations::of_json_lines(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  const std::size_t at = below(lines.size()), other = below(lines.size());
  switch (below(8)) {
    case 0: lines[at] = of_bytes(lines[at]); break;
    case 1: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at)); break;
    case 2: std::swap(lines[at], lines[other]); break;
    case 3: lines.push_back(std::string(lines[at])); break;
    case 4: lines[at] += lines[other]; break;
    default: lines[at] = of_json(lines[at]);
  }
  std::string made;
  for (const std::string& line : lines) made += line + "\n";
  return below(8) == 0 ? of_bytes(std::move(made)) : made;
}

}  // namespace edagen::testing
