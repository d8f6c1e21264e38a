#include "workload/fio_reader.hpp"

#include "edagen/error.hpp"

namespace edagen {

std::int64_t FioReader::number(const char* option, std::int64_t otherwise) const {
  return word(option) == nullptr ? otherwise : fio_number(*word(option));
}

std::string FioReader::text(const char* option, const char* otherwise) const {
  return word(option) == nullptr ? otherwise : word(option)->text();
}

void FioReader::note(const std::string& option, const std::string& what) {
  import_.notes.push_back({section_.name, option, what});
}

void FioReader::refuse(const char* option, const std::string& what, const std::string& hint) const {
  if (word(option) != nullptr) word(option)->refuse(what, hint);
  throw usage_error(section_.where + " " + option, what, hint);
}

}  // namespace edagen
