// What theory says of the stations that a search is held against.
#pragma once

#include <cmath>

#include "edagen/volume_model.hpp"

namespace edagen::testing {

/// The probability that an op waits at M/M/c.
inline double erlang_c(int servers, double offered) {
  double term = 1, sum = 1;
  for (int k = 1; k < servers; ++k) sum += term *= offered / k;
  const double last = term * offered / servers * servers / (servers - offered);
  return last / (sum + last);
}

/// Mean response over mean service of a station, FCFS, under Poisson arrivals; `load`: in service times, below
/// `servers`. Of deterministic service: one server alone (Pollaczek, Khinchine).
inline double mean_response(int servers, ServiceTimes times, double load) {
  return times == ServiceTimes::deterministic ? 1 + load / (2 * (1 - load))
                                              : 1 + erlang_c(servers, load) / (servers - load);
}

/// Ops/s at which the mean response is `target_ms`, with service of `service_ms`.
inline double true_rate(int servers, ServiceTimes times, double service_ms, double target_ms) {
  double low = 0, high = servers;
  for (int i = 0; i < 200; ++i) {
    const double load = (low + high) / 2;
    (mean_response(servers, times, load) * service_ms < target_ms ? low : high) = load;
  }
  return 1000 * low / service_ms;
}

/// Least possible standard deviation of an estimate of M/M/1's rate at a latency, relative, of one that measures for
/// `seconds` at that very rate: of the mean response (Daley, The serial correlation coefficients of waiting times in a
/// stationary single server queue, 1968), by the slope of the curve there.
inline double least_scatter(double service_ms, double rate, double seconds) {
  const double mu = 1000 / service_ms, rho = rate / mu;
  const double v = (rho * (2 + 5 * rho - 4 * rho * rho + rho * rho * rho) / std::pow(1 - rho, 4) + 1) / (mu * mu);
  return std::sqrt(v / (rate * seconds)) * std::pow(mu - rate, 2) / rate;
}

}  // namespace edagen::testing
