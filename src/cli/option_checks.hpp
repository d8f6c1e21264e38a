// Checks of options whose values CLI11 converts, the same for all of them. They are for transform(); CLI11 puts the
// name of the option before what they complain of.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "edagen/error.hpp"

namespace edagen {

/// Digits alone, or with commas between thousands: no sign, no fraction.
CLI::Validator whole_number(std::uint64_t low = 0, std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
CLI::Validator percentage();  ///< 0 to 100
CLI::Validator not_empty();   ///< of files, directories, names

/// The same of an option's value, which is not taken for one when it begins with "--": --json --csv x.
CLI::Validator option_text();

/// The message of an Error without its place.
std::string message_of(const Error& error);

/// That `name` has no effect beside any of `others`, so that both together are refused.
void exclude(CLI::App& app, const std::string& name, const std::vector<std::string>& others);

}  // namespace edagen
