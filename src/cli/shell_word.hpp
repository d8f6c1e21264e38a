// Words of commands that are printed for the user to run.
#pragma once

#include <string>

namespace edagen {

/// `word` as a shell reads it back: in single quotes where it has to be.
std::string shell_word(const std::string& word);

}  // namespace edagen
