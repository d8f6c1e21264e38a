// What a tuning may ask for.
#pragma once

#include <string>
#include <vector>

namespace edagen {

struct Tuning;

inline constexpr int most_read_ahead_kib = 1 << 20;

/// Throws Error (usage) with `where` as its place, when mount(8) would not read these as options of an NFS mount, or
/// would do something else than mount the export.
void check_tuning_options(const std::string& options, const std::string& where);

/// The name of the first of `others` with which a mount and its host are the same as with `tuning`; empty: there is
/// none.
std::string same_tuning(const Tuning& tuning, const std::vector<Tuning>& others);

}  // namespace edagen
