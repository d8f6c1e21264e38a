// Spoils texts, the same way for the same seed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "edagen/parts/random.hpp"

namespace edagen::testing {

class Mutations {
 public:
  explicit Mutations(std::uint64_t seed) : random_(seed) {}

  /// A few bytes changed, cut off, taken out, doubled, or numbers and long texts put in.
  std::string of_bytes(std::string text);
  /// Of JSON: a value of another type, a huge number, a deep nest, a long string, a member removed or doubled, two
  /// values swapped; some also in their bytes.
  std::string of_json(const std::string& text);
  /// The same in one of several lines of JSON; also lines doubled, swapped and left out.
  std::string of_json_lines(const std::string& text);

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.below(n)); }
  nlohmann::ordered_json odd_value();

  Random random_;
};

}  // namespace edagen::testing
