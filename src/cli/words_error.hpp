// What is wrong with the words of a command line, or with those that a configuration has in their place.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace edagen {

/// One line, with the nearest name that is known where the words went wrong.
std::string words_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace edagen
