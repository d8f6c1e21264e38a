// Reads the options of a job of fio, and collects notes about them.
#pragma once

#include <string>

#include "workload/fio_import.hpp"
#include "workload/fio_sections.hpp"

namespace edagen {

class FioReader {
 public:
  FioReader(const FioSection& section, FioImport& import) : section_(section), import_(import) {}

  const FioSection& section() const { return section_; }
  FioImport& import() { return import_; }

  /// The word of an option, by its own name and not by aliases; nullptr when the job does not have it.
  const FioWord* word(const char* option) const { return section_.find(option); }
  bool is_set(const char* option) const { return word(option) != nullptr && fio_bool(*word(option)); }
  bool is_off(const char* option) const { return word(option) != nullptr && !fio_bool(*word(option)); }
  std::int64_t number(const char* option, std::int64_t otherwise) const;
  std::string text(const char* option, const char* otherwise) const;

  void note(const std::string& option, const std::string& what);
  /// Throws Error (usage) that names the place of the option, or of the section that lacks the option.
  [[noreturn]] void refuse(const char* option, const std::string& what, const std::string& hint = "") const;

 private:
  const FioSection& section_;
  FioImport& import_;
};

}  // namespace edagen
