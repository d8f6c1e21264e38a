// Listing and removing directories.
#pragma once

#include <functional>
#include <string>

#include "base/stuck_watch.hpp"

namespace edagen {

/// Calls f(name, type as in dirent) for each entry of the directory except . and .. . `path` is the directory's, for
/// messages. Throws Error (run) when the directory cannot be listed to its end; f was not called then.
void for_each_name(int directory, const std::string& path, const std::function<void(const char*, unsigned char)>& f);

/// Removes an empty directory; returns false with errno when that fails. Waits some seconds for a directory that is not
/// empty: FUSE keeps a file that was removed while open under another name until the close arrives, later.
bool remove_emptied(int parent, const char* name);

/// Removes `name` in `parent`, whose path is `path`, with everything in it. Follows no link and enters no other mount:
/// both are an Error (run), like everything else that cannot be removed.
void remove_tree(int parent, const char* name, const std::string& path, StuckWatch::Thread& thread);

}  // namespace edagen
