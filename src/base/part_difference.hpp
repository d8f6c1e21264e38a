// The difference of two things that consist of named parts.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace edagen {

/// The difference in words: "seed '1' is '2' now; host 'a' is 'none' now"; empty when there is none. Long values lose
/// their middle, each by itself, and keep the place where they differ. Only parts for which `counts` is true are
/// compared.
std::string part_difference(
    const std::map<std::string, std::string>& before, const std::map<std::string, std::string>& now,
    const std::function<bool(const std::string&)>& counts = [](const std::string&) { return true; });

/// What part_difference() returns, with what stands before it, in fewer words: the first `most` differences that end
/// within `room` bytes, at least one, and the number of others: "load '500' is '900' now, and 3 more". Control
/// characters are escaped as by one_line(). Empty: there is no difference in `text`.
std::string shortened_difference(const std::string& text, std::size_t most, std::size_t room);

/// The same with room for an Error, which would cut a longer text across its values.
std::string difference_for_error(const std::string& text);

}  // namespace edagen
