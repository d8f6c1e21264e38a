// What edagen does with each kind of input that comes from outside, for the fuzzers (fuzz/CMakeLists.txt), their
// corpora and the spoiled files of the tests.
#pragma once

#include <string>
#include <string_view>

namespace edagen::fuzz {

struct Input {
  const char* name;  ///< of its folder in fuzz/corpus
  /// Reads `text` and uses what was read. Throws Error (usage) when it is refused.
  void (*use)(const std::string& text);
};

void use_workload(const std::string& text);
void use_volume(const std::string& text);
void use_tunings(const std::string& text);
void use_result(const std::string& text);
void use_journal(const std::string& text);
void use_labels(const std::string& text);
void use_fio(const std::string& text);
void use_mountstats(const std::string& text);
void use_mountinfo(const std::string& text);
void use_nfs_replies(const std::string& text);
void use_nights(const std::string& text);
void use_nightly(const std::string& text);

inline constexpr Input inputs[] = {
    {"workload", use_workload},     {"volume", use_volume},       {"tunings", use_tunings},
    {"result", use_result},         {"journal", use_journal},     {"fio", use_fio},
    {"mountstats", use_mountstats}, {"mountinfo", use_mountinfo}, {"nights", use_nights},
    {"nightly", use_nightly},       {"labels", use_labels},       {"nfs_replies", use_nfs_replies}};

/// std::logic_error when there is none.
const Input& input_named(std::string_view name);

/// What is wrong with what came of `text`; empty when it was used, or refused in one line. `used` says which.
std::string fault_of(const Input& input, const std::string& text, bool& used);

}  // namespace edagen::fuzz
