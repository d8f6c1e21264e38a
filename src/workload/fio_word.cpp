#include "workload/fio_word.hpp"

#include "edagen/error.hpp"

namespace edagen {

void FioWord::refuse(const std::string& what, const std::string& hint) const {
  throw usage_error(where + " " + option, what, hint);
}

}  // namespace edagen
