// What a directory holds, and taking it away.
#pragma once

#include <functional>
#include <string>

#include "base/stuck_watch.hpp"

namespace edagen {

/// Calls f(name, type as in dirent) for each entry of the directory but . and .. . `path` is the directory's, for
/// messages. Throws Error (run) when it cannot be listed to its end; then f was not called.
void for_each_name(int directory, const std::string& path, const std::function<void(const char*, unsigned char)>& f);

/// Removes an empty directory; false with errno when it cannot be. One that is not empty is given some seconds: FUSE
/// keeps a file that was removed while it was open under another name until it hears, later, that it was closed.
bool remove_emptied(int parent, const char* name);

/// Removes `name` in `parent`, whose path is `path`, with all it holds. Follows no link and enters no other mount:
/// those are an Error (run), as is all else that cannot be removed.
void remove_tree(int parent, const char* name, const std::string& path, StuckWatch::Thread& thread);

}  // namespace edagen
