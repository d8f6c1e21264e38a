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

/// What part_difference() returns, with what stands before it, in fewer words: its first ten differences, or of long
/// ones fewer, and the number of others: "load '500' is '900' now, and 3 more". An Error, which would cut a longer text
/// across its values, has room for it. Control characters are escaped as by one_line(). Empty: there is no difference
/// in `text`.
std::string difference_for_error(const std::string& text);

/// The same with the first two differences, or the first of long ones, as a terminal and a chat have room for them. A
/// text without a difference is returned as one line of `bytes` at most.
std::string few_differences(const std::string& text, std::size_t bytes = 400);

}  // namespace edagen
