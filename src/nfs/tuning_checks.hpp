// What a tuning may ask for.
#pragma once

#include <string>

namespace edagen {

inline constexpr int most_read_ahead_kib = 1 << 20;

/// Throws Error (usage) with `where` as its place, when mount(8) would not read these as options of an NFS mount, or
/// would do something else than mount the export.
void check_tuning_options(const std::string& options, const std::string& where);

}  // namespace edagen
