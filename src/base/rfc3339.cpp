#include "base/rfc3339.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <time.h>

namespace edagen {

std::string rfc3339(std::time_t seconds) { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds)); }

std::string rfc3339(std::chrono::sys_time<std::chrono::milliseconds> time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (time - seconds).count());
}

std::string rfc3339_now() { return rfc3339(std::time(nullptr)); }

std::optional<std::time_t> parse_rfc3339(const std::string& text) {
  std::tm parts{};
  const char* const end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end == nullptr) return std::nullopt;
  const std::time_t seconds = ::timegm(&parts);
  return rfc3339(seconds) == text ? std::optional(seconds) : std::nullopt;
}

}  // namespace edagen
