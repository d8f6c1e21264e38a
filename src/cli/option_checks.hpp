// How the values of options are checked, the same for all of them and before anything else happens. To be given to
// transform(); what is wrong is told by CLI11 after the name of the option.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace edagen {

/// Digits alone, or with commas between thousands: no sign, no fraction.
CLI::Validator whole_number(std::uint64_t low = 0, std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
CLI::Validator percentage();  ///< 0 to 100
CLI::Validator a_duration();  ///< as parse_duration
CLI::Validator latencies();   ///< as parse_latency, one or more, separated by commas
CLI::Validator a_size();      ///< as parse_bytes
CLI::Validator a_rate();      ///< as parse_rate
CLI::Validator a_rate_or_max();
CLI::Validator one_of(std::vector<std::string> names);
CLI::Validator not_empty();    ///< of files, directories, names
CLI::Validator a_file();       ///< and not stdout
CLI::Validator an_endpoint();  ///< as parse_endpoint

/// That `name` has no effect beside any of `others`, so that both together are refused.
void exclude(CLI::App& app, const std::string& name, const std::vector<std::string>& others);

}  // namespace edagen
