// The last component of the path of a name.
#pragma once

#include <string_view>

#include "dataset/dataset_layout.hpp"

namespace edagen {

class LeafName {
 public:
  LeafName(const NameWriter& names, NameRef name)
      : size_(static_cast<std::size_t>(names.write_leaf(name, text_) - text_)) {}
  std::string_view view() const { return {text_, size_}; }

 private:
  char text_[32];  ///< a letter, a number and a closing 0
  std::size_t size_;
};

}  // namespace edagen
