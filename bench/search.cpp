// What the search for the rate at a latency target costs, against ten equally spaced load points: measured time and
// error on M/M/1 stations, whose truth is known. Times are virtual.
#include "edagen/search.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tests/fakes/station_setup.hpp"

namespace edagen {
namespace {

struct Cost {
  double error = 0;      ///< mean of |found / truth - 1|
  double durations = 0;  ///< measured, in full runs
};

Cost cost_of(double target_ms, std::size_t points, int seeds) {
  Cost cost;
  for (int seed = 1; seed <= seeds; ++seed) {
    testing::StationSetup setup(1, 1e6, ServiceTimes::exponential, static_cast<std::uint64_t>(seed));
    CurvePlan plan;
    plan.load.arrivals = Arrivals::poisson;
    plan.load.duration = std::chrono::seconds(2000);
    plan.load.warmup = std::chrono::seconds(200);
    plan.targets = {from_seconds(target_ms / 1e3)};
    plan.own_rate = 100;
    plan.points = points;
    plan.max_rate = points > 0 ? 950 : 0;
    CurveObserver quiet;
    const Curve curve = measure(setup.runner(), plan, quiet);
    const double truth = 1000 - 1000 / target_ms;
    cost.error += std::abs(curve.answers[0].ops_per_sec / truth - 1) / seeds;
    for (const CurvePoint& point : curve.points) cost.durations += to_seconds(point.stats.length) / 2000 / seeds;
  }
  return cost;
}

}  // namespace
}  // namespace edagen

int main() {
  fmt::print("M/M/1, 20 seeds      search: error %, full runs      10 load points: error %, full runs\n");
  for (const double target : {2.0, 5.0, 10.0}) {
    const edagen::Cost search = edagen::cost_of(target, 0, 20), points = edagen::cost_of(target, 10, 20);
    fmt::print("target {:>4} ms  {:>22.2f} {:>14.2f} {:>26.2f} {:>14.2f}\n", target, 100 * search.error,
               search.durations, 100 * points.error, points.durations);
  }
}
