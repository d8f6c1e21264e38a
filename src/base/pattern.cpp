#include "base/pattern.hpp"

#include <regex>

namespace edagen {

struct Pattern::Compiled {
  std::regex expression;
};

Pattern::Pattern(const std::string& expression)
    : compiled_(std::make_shared<const Compiled>(Compiled{std::regex(expression)})) {}

bool Pattern::is_in(const std::string& text) const { return std::regex_search(text, compiled_->expression); }

}  // namespace edagen
