// The slices of a comparison as a value: which variant is measured next and for how long, until the intervals of the
// ratios are as narrow as requested or the time is over. See docs/design/slices.md.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "compare/pilots.hpp"
#include "compare/slice_blocks.hpp"
#include "compare/slice_obstacle.hpp"
#include "compare/target_rates.hpp"
#include "edagen/parts/random.hpp"

namespace edagen {

/// Constants of the slices. Seconds, unless the name has another unit.
struct SlicePolicy {
  double pilot_seconds = 2;          ///< shortest pilot, from which the time to settle is found
  double max_pilot_seconds = 10;     ///< longest pilot, whatever the rate
  std::size_t pilot_intervals = 20;  ///< of a pilot
  double min_interval_ops = 20;      ///< fewest ops in such an interval, where the pilot can be long enough
  std::size_t pilots = 2;            ///< of each variant
  double min_slice_seconds = 0.5;    ///< shortest slice of a length from the data
  double max_slice_seconds = 10;     ///< longest such slice
  double min_slice_ops = 200;        ///< fewest ops in such a slice
  double first_settle_count = 4;     ///< first such length, in times to settle
  std::size_t length_blocks = 12;    ///< blocks of one length before another length is considered
  double length_gain_share = 0.9;    ///< another length must need this share of the time, or less
  std::size_t min_blocks = 10;       ///< fewest blocks that may end a comparison for its precision
  double look_factor = 1.1;          ///< growth of the number of blocks from one look at the precision to the next
  double climb_seconds = 20;         ///< expected of a variant's climb to its rate at a latency target
};

struct SlicePlan {
  std::size_t variants = 2;
  double ops_per_sec = 0;  ///< requested; 0: a closed loop, or rates at a latency target
  /// By variant, where rates at a latency target are compared: the search for it, which outlives the series.
  std::vector<const CurvePlan*> searches = {};
  Nanos warmup{0};                   ///< load on each variant before all slices
  std::optional<Nanos> length = {};  ///< of the window of each slice; nullopt: from the data
  std::optional<double> until = {};  ///< ends when the half-width of all intervals of the ratios is at most this
  Nanos max_time{0};                 ///< of all load but the shape
  bool shape = false;                ///< after the slices the curve of each variant is measured, as its search has it
  std::uint64_t seed = 1;            ///< of the order of slices
  SlicePolicy policy = {};

  /// The time without which no length from the data is found.
  Nanos shortest_time() const;
  /// The time without which not even one block fits, however short the climbs are.
  Nanos least_time() const;
  /// What settles for longer than a slice of a given length is not settled in it either.
  double pilot_seconds(double rate) const;
};

/// A load that the series requests.
struct Slice {
  enum class What : std::uint8_t { climb, warm_up, pilot, slice, shape };
  What what = What::slice;
  std::size_t variant = 0;
  std::uint64_t block = 0;    ///< of a slice, from 1
  Nanos settle{0};            ///< passes first and does not count
  Nanos length{0};            ///< of the window
  std::size_t intervals = 1;  ///< of the window
  double ops_per_sec = 0;     ///< 0: as all slices
};

/// What a load has shown.
struct SliceSeen {
  std::optional<RunFigures> figures = {};       ///< nullopt: it was interrupted or has failed, and shows nothing
  std::vector<double> interval_responses = {};  ///< means, in the order of the intervals; 0: no op ended in it
  std::optional<SearchBlock> block = {};        ///< held against the target, where there is one
  Nanos took{0};                                ///< with all that came before and after the window
  std::optional<EndReason> end = {};            ///< why no other load may follow
};

/// Pure: no clock and no runner inside. Whoever measures does
///
///   while (const std::optional<Slice> slice = series.next()) series.add(measure(*slice));
class SliceSeries {
 public:
  explicit SliceSeries(const SlicePlan& plan);

  /// The same load until add() is called; nullopt: the series has ended.
  std::optional<Slice> next();
  /// What the requested load has shown.
  void add(SliceSeen seen);

  /// The slices of a variant so far as measured, with their places.
  const std::vector<RunFigures>& slices(std::size_t variant) const { return slices_[variant]; }
  /// Before the window of each slice; nullopt: not found yet.
  std::optional<Nanos> settle() const { return settle_; }
  Nanos length() const { return length_; }
  /// The time of all load so far, without the shape.
  Nanos spent() const { return spent_; }
  /// Why the slices have ended; nullopt: they go on.
  std::optional<EndReason> end() const { return end_; }
  /// A variant has no rate at the latency target, or its queue takes too long to settle: the series has ended before
  /// its first slice.
  const std::optional<SliceObstacle>& obstacle() const { return obstacle_; }

 private:
  enum class Stage { climb, warm_up, pilots, blocks, shape };

  void request(Slice::What what, Nanos settle, Nanos length, std::size_t intervals);
  bool request_climb();
  std::vector<std::size_t> random_order();
  double ops_per_sec() const { return rates_ ? rates_->lowest_rate() : plan_.ops_per_sec; }
  Nanos pilot_interval() const;
  void find_settling();
  Nanos fitting(double seconds) const;
  void adapt_length();
  bool is_precise();
  void request_block();
  void end_blocks(EndReason why);
  void request_shape();
  void add_shape(const Slice& slice, const SliceSeen& seen);

  const SlicePlan plan_;
  Random random_;
  Stage stage_;
  std::optional<TargetRates> rates_;  ///< nullopt: all slices have the plan's rate
  std::deque<Slice> requested_;
  std::optional<SliceObstacle> obstacle_;
  std::vector<std::vector<RunFigures>> slices_, half_slices_;  ///< by variant; halves: with the first half's response
  std::optional<Pilots> pilots_;                               ///< nullopt: none was requested yet
  std::optional<Nanos> settle_;
  bool are_too_short_ = false;                     ///< slices of a given length, for the queue of a variant
  double shortest_seconds_, longest_seconds_ = 0;  ///< of a slice of a length from the data
  Nanos length_{0}, spent_{0};
  std::uint64_t blocks_ = 0, length_since_ = 0, next_look_;
  std::optional<EndReason> end_;
};

}  // namespace edagen
