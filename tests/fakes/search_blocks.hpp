// Blocks for a search without any load: what a volume of a known curve would show.
#pragma once

#include <algorithm>
#include <cmath>

#include "edagen/parts/random.hpp"
#include "search/rate_search.hpp"

namespace edagen::testing {

/// A block of 2 s that reached `rate`; `value`: its latency, 1 at the target.
inline SearchBlock block_at(double rate, double value, Purpose purpose = Purpose::climb) {
  SearchBlock block;
  block.rate = block.requested = rate;
  block.seconds = 2;
  block.time = std::chrono::seconds(2);
  block.reached = true;
  block.ops = 2 * rate;
  block.values = {value};
  block.standard_errors = {value / std::sqrt(block.ops)};
  block.late = {false};
  block.latency = NanosF(1e6 * value);
  block.purpose = purpose;
  return block;
}

inline bool is(const AtTarget& answer, Invalid reason) {
  return std::ranges::find(answer.invalid, reason) != answer.invalid.end();
}

/// What a search, or the fixed points of a plan, answers to blocks that are there already.
inline AtTarget answer_to(const std::vector<SearchBlock>& blocks, const CurvePlan& plan, std::size_t target = 0) {
  RateSearch search(plan, target);
  for (const SearchBlock& block : blocks) search.add(block);
  return search.answer();
}

/// Mean latencies of M/M/1 with a capacity: they scatter more at a higher load and over fewer ops. An overload is not
/// reached.
class Mm1Blocks {
 public:
  Mm1Blocks(double capacity, Nanos target, std::uint64_t seed)
      : capacity_(capacity), target_(to_seconds(target)), random_(seed) {}

  SearchBlock operator()(const SearchStep& step) {
    const bool overload = step.rate >= capacity_;
    SearchBlock block = block_at(step.rate, 50, step.purpose);
    block.seconds = step.purpose == Purpose::demonstration ? 20 : step.seconds;
    block.time = from_seconds(1.1 * block.seconds);
    block.ops = block.seconds * std::min(step.rate, capacity_);
    block.reached = !overload;
    if (overload) {
      block.rate = capacity_;
    } else {
      const double scatter = std::min(0.25, 2 / (1 - step.rate / capacity_) / std::sqrt(block.ops));
      block.values = {(1 + scatter * random_.normal()) / (capacity_ - step.rate) / target_};
      block.standard_errors = {block.values[0] / std::sqrt(block.ops)};
    }
    block.latency = NanosF(1e9 * target_ * block.values[0]);
    return block;
  }

 private:
  double capacity_, target_;
  Random random_;
};

/// Carries a search out; returns all blocks that it asked for.
template <class Measure>
std::vector<SearchBlock> carry_out(RateSearch& search, Measure&& measure) {
  std::vector<SearchBlock> blocks;
  while (const std::optional<SearchStep> step = search.next()) {
    blocks.push_back(measure(*step));
    search.add(blocks.back());
  }
  return blocks;
}

}  // namespace edagen::testing
