// The phase of a load in words, as the live line and the screen have it.
#pragma once

#include <string>

#include "edagen/session.hpp"

namespace edagen {

class LoadPhase {
 public:
  void observe(const Event& event);
  /// "warm-up", "longer warm-up for 8 s (latency trends)", "measuring", "measuring again for 8 s (latency trended)",
  /// where `time` is " for 8 s". Empty for a slice, whose purpose names its phase.
  std::string text(bool in_window, const std::string& time = "") const;

 private:
  bool is_slice_ = false, warms_up_longer_ = false, measures_again_ = false;
};

}  // namespace edagen
