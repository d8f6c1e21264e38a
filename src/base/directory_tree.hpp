// Listing directories, and removing empty ones.
#pragma once

#include <functional>
#include <string>

namespace edagen {

/// Calls f(name, type as in dirent) for each entry of the directory except . and .. . `path` is the directory's, for
/// messages. Throws Error (run) when the directory cannot be listed to its end; f was not called then.
void for_each_name(int directory, const std::string& path, const std::function<void(const char*, unsigned char)>& f);

/// Removes an empty directory; returns false with errno when that fails. Waits some seconds for a directory that is not
/// empty: FUSE keeps a file that was removed while open under another name until the close arrives, later.
bool remove_emptied(int parent, const char* name);

}  // namespace edagen
