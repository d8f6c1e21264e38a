// What differs between two things that are told part by part.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace edagen {

/// In words: "seed '1' is '2' now; host 'a' is 'none' now"; empty when nothing does. `counts`: whether a part does.
std::string part_difference(
    const std::map<std::string, std::string>& before, const std::map<std::string, std::string>& now,
    const std::function<bool(const std::string&)>& counts = [](const std::string&) { return true; });

}  // namespace edagen
