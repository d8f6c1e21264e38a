// --label and --label-file: what the user says of a measurement.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace edagen {

/// `given`: KEY=TEXT each. `file`: such lines; empty ones and those that begin with # are left out; "": none. What is
/// given counts, not what the file says of the same key. A key has letters, digits, - _ and ., at most 64; a text at
/// most 1,000 bytes. Throws Error (usage).
std::map<std::string, std::string> labels_of(const std::vector<std::string>& given, const std::string& file);

}  // namespace edagen
