// What an import of fio's jobs refuses, so that all of it can be mended at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "edagen/error.hpp"

namespace edagen {

/// what() is that of the first refusal.
class FioRefusals : public Error {
 public:
  /// `all` is not empty.
  explicit FioRefusals(std::vector<Error> all) : Error(all.front()), all_(std::move(all)) {}
  const std::vector<Error>& all() const { return all_; }

 private:
  std::vector<Error> all_;
};

class FioRefusalList {
 public:
  /// Keeps it once: each job has the options of [global].
  void add(const Error& error) {
    const auto is_same = [&](const Error& each) { return std::string_view(each.what()) == error.what(); };
    if (all_.size() < most && std::ranges::none_of(all_, is_same)) all_.push_back(error);
  }
  /// Keeps what `step` refuses.
  void attempt(const auto& step) {
    try {
      step();
    } catch (const FioRefusals& several) {
      for (const Error& each : several.all()) add(each);
    } catch (const Error& error) {
      add(error);
    }
  }
  /// Throws FioRefusals unless all steps were done.
  void throw_any() const {
    if (!all_.empty()) throw FioRefusals(all_);
  }

 private:
  static constexpr std::size_t most = 200;  ///< nobody reads more

  std::vector<Error> all_;
};

}  // namespace edagen
