// Notes of several results or variants: what more than one of them has stands there once, with their names.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "edagen/result.hpp"

namespace edagen {

/// A line for each note, in their order: "a, b: the dataset fits". `named`: names, and the notes of each.
std::vector<std::string> notes_with_names(const std::vector<std::pair<std::string, std::vector<std::string>>>& named);

/// Takes the notes that several results have out of all of them. Returns a line for each: "a, c: the
/// dataset fits", or "all results: ...". `names`: of the results.
std::vector<std::string> take_shared_notes(std::vector<Result>& results, const std::vector<std::string>& names);

}  // namespace edagen
