// The difference of two things that consist of named parts.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace edagen {

/// The difference in words: "seed '1' is '2' now; host 'a' is 'none' now"; empty when there is none. Only parts for
/// which `counts` is true are compared.
std::string part_difference(
    const std::map<std::string, std::string>& before, const std::map<std::string, std::string>& now,
    const std::function<bool(const std::string&)>& counts = [](const std::string&) { return true; });

}  // namespace edagen
