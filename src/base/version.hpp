// The version of edagen.
#pragma once

#include <string_view>

namespace edagen {

/// "0.2.0": CMake's project version.
extern const std::string_view program_version;
/// "0.2.0 (0123456789-dirty)": with the commit that was checked out; the version alone when built without git.
extern const std::string_view program_version_and_commit;

}  // namespace edagen
