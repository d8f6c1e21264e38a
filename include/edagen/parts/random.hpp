// Seeds and the random number generator. Ops, files, schedules and simulations derive from one seed, each by a label of
// its own, so that they do not depend on threads or timing. Ids and the stamps in written data do not derive from it.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace edagen {

/// SplitMix64's finaliser (Steele, Lea, Flood 2014): a bijection that mixes all bits.
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A seed of its own for each (parent, label) pair.
constexpr std::uint64_t derive_seed(std::uint64_t parent, std::uint64_t label) {
  return mix_bits(mix_bits(parent) ^ label);
}

/// xoshiro256++ (Blackman, Vigna 2019). 32 bytes of state; not for use by two threads at once.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (auto& word : state_) word = seed = mix_bits(seed);
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Uniform in [0, n); n > 0. By multiplication (Lemire 2019); the bias is below n / 2^64.
  std::uint64_t below(std::uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * n) >> 64);
  }

  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // The variates are not a library's: the sequence of ops that a seed gives must not change with its version.

  /// A value of the exponential distribution with mean 1.
  double exponential() { return -std::log(1 - uniform()); }  // 1 - uniform() is exact

  /// A value of the standard normal distribution (Box, Muller 1958).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

  /// True with probability `percent` / 100.
  bool chance_percent(double percent) {
    if (percent <= 0) return false;
    // The threshold does not wait for the number: a branch that no processor can predict is decided sooner.
    return percent >= 100 ||
           static_cast<std::int64_t>(next() >> 11) < static_cast<std::int64_t>(percent * (0x1p53 / 100));
  }

 private:
  std::uint64_t state_[4];
};

}  // namespace edagen
