#include "input.hpp"

#include <algorithm>
#include <stdexcept>

#include "edagen/error.hpp"

namespace edagen::fuzz {

const Input& input_named(std::string_view name) {
  const auto found =
      std::find_if(std::begin(inputs), std::end(inputs), [&](const Input& input) { return input.name == name; });
  if (found == std::end(inputs)) throw std::logic_error("no such input");
  return *found;
}

std::string fault_of(const Input& input, const std::string& text, bool& used) {
  constexpr std::size_t longest_error = 1500;
  used = false;
  try {
    input.use(text);
    used = true;
    return "";
  } catch (const Error& error) {
    const std::string what = error.what();
    if (error.kind() != Error::Kind::usage) return "not a usage error: " + what;
    if (what.size() > longest_error) return "a long error: " + what;
    return what.find('\n') == std::string::npos ? "" : "an error of several lines: " + what;
  } catch (const std::exception& error) {
    return std::string("not an Error: ") + error.what();
  }
}

}  // namespace edagen::fuzz
