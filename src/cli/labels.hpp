// --label and --label-file: the user's description of what is measured.
#pragma once

#include <map>
#include <string>

namespace edagen {

using Labels = std::map<std::string, std::string>;

/// Adds `text`, which is KEY=TEXT: a key has letters, digits, - _ and ., at most 64, a text at most 1,000 bytes. Throws
/// Error (usage) at `where`, also when the key is in `labels` already.
void add_label(Labels& labels, const std::string& text, const std::string& where);

/// `given`, and the labels of `file` that are not among them: a line for each; empty lines and those that begin with #
/// are left out; "": no file. Throws Error (usage).
Labels with_labels_of(Labels given, const std::string& file);

}  // namespace edagen
