#include "cli/nightly_config.hpp"
#include "input.hpp"
#include "text_file.hpp"

namespace edagen::fuzz {

void use_nightly(const std::string& text) {
  static_cast<void>(read_night_plan(TextFile(text, ".json").path(), {"edagen", "nightly"}));
}

}  // namespace edagen::fuzz
