// Times of the day and date as text (RFC 3339), in UTC.
#pragma once

#include <chrono>
#include <ctime>
#include <optional>
#include <string>

namespace edagen {

/// "2026-01-31T01:00:00Z"
std::string rfc3339(std::time_t seconds);
/// "2026-01-31T01:00:00.125Z"
std::string rfc3339(std::chrono::sys_time<std::chrono::milliseconds> time);
std::string rfc3339_now();

/// The seconds that rfc3339() gives as `text`; nullopt when `text` has another form.
std::optional<std::time_t> parse_rfc3339(const std::string& text);

}  // namespace edagen
