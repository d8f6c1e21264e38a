#include "load/shards.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace edagen {
namespace {

/// Ops/s that one spinning worker serves; each shard may have one.
constexpr double ops_per_sec_of_shard = 60e3;
std::size_t spinning_shards(double ops_per_sec) {
  return 1 + static_cast<std::size_t>(ops_per_sec / ops_per_sec_of_shard);
}

}  // namespace

Shards::Shards(const std::vector<ShardProc*>& procs, const Options& options, const Shard::Failed& failed)
    : open_loop_(options.ops_per_sec.has_value()), spare_(std::make_unique<IntervalStats>(options.groups)) {
  std::vector<ShardProc*> serial, queued;
  std::vector<double> shares(options.groups, 0);
  std::map<std::size_t, std::size_t> clients;  // in the order in which they come
  for (ShardProc* const proc : procs) {
    (options.all_queued || proc->depth > 1 ? queued : serial).push_back(proc);
    if (options.all_queued) clients.try_emplace(proc->client, clients.size());
    if (proc->active && proc->paced && !proc->schedule.open_loop()) shares[proc->group] += proc->own_ops_per_sec;
  }
  serial_procs_ = serial.size();
  if (MixBalancer::are_needed(shares)) shares_ = std::make_unique<MixBalancer>(shares);
  const auto deal = [&](const std::vector<ShardProc*>& all, std::size_t most, auto& shards) {
    const std::size_t parts = options.all_queued ? clients.size() : all.size();
    const std::size_t count = std::min({most, usable_processor_count(), options.most_workers, parts});
    for (std::size_t i = 0; i < count && !all.empty(); ++i) {
      std::vector<ShardProc*> part;
      for (std::size_t p = 0; p < all.size(); ++p)
        if ((options.all_queued ? clients.at(all[p]->client) : p) % count == i) part.push_back(all[p]);
      using Made = typename std::remove_reference_t<decltype(shards)>::value_type::element_type;
      shards.push_back(std::make_unique<Made>(std::move(part), options.groups, options.spin, shares_.get(), failed));
      all_.push_back(shards.back().get());
    }
  };
  spinners_ =
      open_loop_ ? std::min(spinning_shards(*options.ops_per_sec), usable_processor_count()) : usable_processor_count();
  deal(serial, spinners_, serial_);
  deal(queued, options.all_queued ? spinners_ : usable_processor_count(), queued_);
}

bool Shards::suit(double ops_per_sec) const {
  const double shards = ops_per_sec / ops_per_sec_of_shard, spinners = static_cast<double>(spinners_);
  return shards > spinners - 1.5 && (shards < 1.5 * spinners || spinners_ == usable_processor_count());
}

void Shards::begin_window(Window window) {
  for (Shard* const shard : all_) shard->begin_window(window);
}

void Shards::harvest(IntervalStats& stats) {
  for (Shard* const shard : all_) {
    shard->harvest(spare_);
    stats.merge(*spare_);
    spare_->clear();
  }
}

bool Shards::are_idle() const {
  return std::ranges::all_of(all_, [](Shard* shard) { return shard->is_idle(); });
}

std::uint64_t Shards::errors() const {
  std::uint64_t sum = 0;
  for (const Shard* const shard : all_) sum += shard->errors();
  return sum;
}

std::uint64_t Shards::operations() const {
  std::uint64_t sum = 0;
  for (const Shard* const shard : all_) sum += shard->operations();
  return sum;
}

void Shards::add_procs(std::vector<GroupStats>& groups) const {
  for (Shard* const shard : all_)
    shard->with_procs([&](const ShardProc& proc) {
      if (!proc.active) return;
      GroupStats& group = groups[proc.group];
      group.share += proc.own_ops_per_sec;
      group.paced = proc.paced;
      group.add_proc(proc.schedule.open_loop() ? std::optional(proc.ops_per_sec) : std::nullopt, proc.due, proc.ended);
    });
}

std::size_t Shards::depth() const {
  std::size_t depth = 0;
  for (Shard* const shard : all_)
    shard->with_procs([&](const ShardProc& proc) { depth += proc.active ? proc.depth : 0; });
  return depth;
}

Nanos Shards::first_op() const {
  Nanos first = Nanos::max();
  for (Shard* const shard : all_) first = std::min(first, shard->first_op());
  return first == Nanos::max() ? Nanos(0) : first;
}

}  // namespace edagen
