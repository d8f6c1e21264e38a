// The options of messages: how much is printed, and how.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <string_view>

#include "edagen/parts/named_enum.hpp"

namespace edagen {

enum class When { automatic, always, never };  ///< automatic: on a terminal
template <>
inline constexpr std::array<std::string_view, 3> enum_names<When>{"auto", "always", "never"};

struct LoggingOptions {
  std::string prefix;  ///< of each message; empty: of the host that leads, or of one alone
  When progress = When::automatic, color = When::automatic;
  bool quiet = false, verbose = false;

  void add_to(CLI::App& app);
  /// Sets up the log; after parsing. `dated`: each line begins with the time.
  void apply(bool dated = false) const;
  /// Whether a line of progress is drawn over.
  bool live_line() const;
};

}  // namespace edagen
