// Writing whole texts to descriptors, and files that are replaced as a whole.
#pragma once

#include <string>
#include <string_view>

#include "base/descriptor.hpp"

namespace edagen {

/// Calls write(2) until all of `text` is written, and waits where a pipe or a terminal that does not block is full.
/// False with errno after an error. `written`, if given, receives the number of bytes that were written.
bool write_all(int file, std::string_view text, std::size_t* written = nullptr);

/// The same, then fsync(2) and close(2): the text is on the storage. False with errno.
bool write_durably(Descriptor file, std::string_view text);

/// Replaces the file `name` in `directory` by a new one of mode 0644: `text` is written durably to the file `beside`,
/// which is then renamed. A file `beside` that an earlier process left is removed. False with errno: then the file
/// `name` is as it was, and no file `beside` is left.
bool replace_file(int directory, const char* name, const std::string& beside, std::string_view text);

}  // namespace edagen
