#include "live/load_phase.hpp"

namespace edagen {

void LoadPhase::observe(const Event& event) {
  handle(
      event,
      [this](const PointBegan& point) {
        *this = LoadPhase();
        is_slice_ = point.is_slice;
      },
      [this](const WarmupExtended&) { warms_up_longer_ = true; },
      [this](const WindowBegan& window) { measures_again_ = window.again; });
}

std::string LoadPhase::text(bool in_window, const std::string& time) const {
  if (is_slice_) return "";
  if (in_window) return measures_again_ ? "measuring again" + time + " (latency trended)" : "measuring" + time;
  return warms_up_longer_ ? "longer warm-up" + time + " (latency trends)" : "warm-up" + time;
}

}  // namespace edagen
