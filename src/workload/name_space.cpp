#include "workload/name_space.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "workload/op_parts.hpp"

namespace edagen {
namespace {

constexpr std::uint64_t largest_pool = std::uint64_t{1}
                                       << 16;  ///< empty files of a proc that may be renamed or removed
constexpr std::uint64_t growth_limit = std::uint64_t{1} << 24;  ///< names of a mix that only adds
constexpr std::uint64_t most_missing = 16;
/// The strength with which a level population is drawn back: an op always turns back when the population is a quarter
/// away from its start. The standard deviation is then the root of an eighth of the start.
constexpr std::uint64_t pull = 4;

/// The share of ops that make names minus the share that removes them, links included; above zero the population grows
/// for ever.
double growth(const ProcSpec& spec) {
  using enum OpKind;
  // No more data files are removed than write_file makes again, as in ProcSpec::lost_names().
  const double data_files = std::min(spec.weight(unlink) * spec.unlink_nonempty_percent / 100, spec.weight(write_file));
  return spec.weight(create) + spec.weight(symlink) + spec.weight(link) - (spec.weight(unlink) - data_files) -
         spec.weight(rename) * spec.rename_over_percent / 100;
}

bool is_level(double growth) { return std::abs(growth) < 1e-9; }

std::uint64_t capacity(std::uint64_t initial, bool grows) {
  return grows ? std::max(growth_limit, 2 * initial) : std::max<std::uint64_t>(2 * initial, 2);
}

}  // namespace

NameSpace::NameSpace(const ProcSpec& spec, const OpMix& mix, const FilePopulation& files)
    : spec_(&spec),
      files_(files),
      empty_(std::min(files.count(NameClass::empty), largest_pool),
             capacity(std::min(files.count(NameClass::empty), largest_pool), growth(spec) > 1e-9)),
      symlinks_(files.count(NameClass::symlink), growth_limit),
      hard_links_(files.count(NameClass::hard_link), growth_limit),
      made_dirs_(files.count(NameClass::made_dir),
                 capacity(initial_made_dirs, spec.weight(OpKind::mkdir) > spec.weight(OpKind::rmdir))),
      pool_start_(empty_.count()),
      still_empty_(files.count(NameClass::empty) - empty_.count()),
      level_files_(is_level(growth(spec)) ? pool_start_ : 0),
      level_dirs_(is_level(spec.weight(OpKind::mkdir) - spec.weight(OpKind::rmdir)) ? made_dirs_.count() : 0) {
  use(mix);
}

Op NameSpace::change(OpKind kind, Random& random) {
  using enum OpKind;
  switch (kind) {
    case create: return turns_back(empty_, level_files_, true, random) ? remove_file(random) : create_file(random);
    case unlink: return turns_back(empty_, level_files_, false, random) ? create_file(random) : remove_file(random);
    case mkdir: return turns_back(made_dirs_, level_dirs_, true, random) ? remove_dir(random) : make_dir(random);
    case rmdir: return turns_back(made_dirs_, level_dirs_, false, random) ? make_dir(random) : remove_dir(random);
    case symlink: return make_link(kind, NameClass::symlink, symlinks_, random);
    case link: return make_link(kind, NameClass::hard_link, hard_links_, random);
    default: return rename_file(random);
  }
}

std::uint64_t NameSpace::choose(std::uint64_t count, Random& random) const {
  if (!random.chance_percent(spec_->skewed_percent)) return random.below(count);
  // Geometric: half of the choices fall on the whole set, a quarter on its first half, an eighth on the first
  // quarter...
  const int halvings = std::countl_zero(random.next() | 1);
  return random.below(std::max<std::uint64_t>(1, count >> halvings));
}

/// Whether an op that adds or removes a name must do the opposite, because the population is above or below its level.
/// Both cases are equally frequent, so that the shares of the mix stay.
bool NameSpace::turns_back(const NamePool& pool, std::uint64_t level, bool adds, Random& random) const {
  const std::uint64_t from = adds ? level : pool.count(), to = adds ? pool.count() : level;
  return level > 0 && to > from && random.below(level) < pull * (to - from);
}

bool NameSpace::is_missing(std::uint64_t file) const {
  return std::find(missing_.begin(), missing_.end(), file) != missing_.end();
}

std::uint64_t NameSpace::data_file(Random& random) const {
  std::uint64_t file = choose(files_.dataset().data_files, random);
  while (is_missing(file)) file = (file + 1) % files_.dataset().data_files;
  return file;
}

NameRef NameSpace::empty_name(std::uint64_t slot) const {
  return {NameClass::empty, slot < pool_start_ ? slot : slot + still_empty_};
}

std::uint64_t NameSpace::slot_of(std::uint64_t name) const { return name < pool_start_ ? name : name - still_empty_; }

NameRef NameSpace::empty_file(Random& random) const {
  if (still_empty_ > 0 && random.below(empty_files()) >= empty_.count())
    return {NameClass::empty, pool_start_ + choose(still_empty_, random)};
  return empty_name(*empty_.pick_existing(random));
}

bool NameSpace::is_held(std::uint64_t file) const { return std::ranges::find(held_, file) != held_.end(); }

std::optional<std::uint64_t> NameSpace::replaceable_data_file(Random& random) const {
  // Each sharer removes files of its own turn, so that no two procs remove the same file.
  const SharerPlace place = files_.place();
  const std::uint64_t turns = files_.dataset().data_files / place.sharers;
  if (!refills_ || missing_.size() + asides_.size() >= std::min(most_missing, turns / 8)) return std::nullopt;
  std::uint64_t turn = data_file(random) / place.sharers % turns;
  const auto file = [&] { return turn * place.sharers + place.number; };
  while (is_missing(file()) || is_held(file())) turn = (turn + 1) % turns;  // fewer than all are missing or held
  return file();
}

Op NameSpace::any_file(OpKind kind, Random& random) {
  const std::uint64_t data = files_.dataset().data_files, all = data + empty_files();
  if (all == 0) return create_file(random);
  Op op = plain(kind, random.below(all) < data ? data_name(data_file(random)) : empty_file(random));
  if (kind == OpKind::chmod) op.length = random.below(2) == 0 ? 0644 : 0664;
  return op;
}

// --- ops

Op NameSpace::create_file(Random& random) {
  const auto index = free_slot(random);
  if (!index) {
    // The population is at its limit. When it is empty, all names are those of files that are to replace data files.
    return empty_.count() > 0 ? remove_file(random) : write_file(random);
  }
  empty_.insert(*index);
  return plain(OpKind::create, empty_name(*index));
}

Op NameSpace::remove_file(Random& random) {
  for (auto [pool, cls] : {std::pair{&symlinks_, NameClass::symlink}, {&hard_links_, NameClass::hard_link}}) {
    if (pool->count() <= files_.count(cls)) continue;
    const std::uint64_t index = *pool->pick_existing(random);
    pool->erase(index);
    return plain(OpKind::unlink, {cls, index});
  }
  if (random.chance_percent(spec_->unlink_nonempty_percent)) {
    if (const auto file = replaceable_data_file(random)) {
      missing_.push_back(*file);
      return plain(OpKind::unlink, data_name(*file));
    }
  }
  const auto index = empty_.pick_existing(random);
  if (!index) return create_file(random);
  empty_.erase(*index);
  return plain(OpKind::unlink, empty_name(*index));
}

Op NameSpace::rename_file(Random& random) {
  const auto from = empty_.pick_existing(random);
  if (!from) return create_file(random);
  const double draw = random.uniform() * 100;
  if (draw < spec_->rename_over_percent) {
    if (const auto file = replaceable_data_file(random)) {
      // A write to a new name and a later rename replace the file: this op and a future write_file change places.
      empty_.erase(*from);
      asides_.push_back({*from, *file});
      return write_whole(empty_name(*from), files_.file_size(*file), random);
    }
    const auto over = empty_.pick_existing(random);
    if (over && *over != *from) {
      empty_.erase(*from);
      Op op = plain(OpKind::rename, empty_name(*from), empty_name(*over));
      op.replacing = true;
      return op;
    }
  }
  std::optional<std::uint64_t> to;
  if (draw >= spec_->rename_over_percent + spec_->rename_across_percent) to = free_in_directory_of(*from, random);
  if (!to) to = free_slot(random);
  if (!to) return remove_file(random);
  empty_.erase(*from);
  empty_.insert(*to);
  return plain(OpKind::rename, empty_name(*from), empty_name(*to));
}

bool NameSpace::is_free(std::uint64_t slot) const {
  return !empty_.exists(slot) && std::ranges::find(asides_, slot, &Aside::slot) == asides_.end();
}

std::optional<std::uint64_t> NameSpace::free_slot(Random& random) const {
  for (std::size_t tries = 0; tries <= 2 * most_missing; ++tries) {
    const auto slot = empty_.pick_free(random);
    if (!slot || is_free(*slot)) return slot;
  }
  return std::nullopt;  // hardly any file is left
}

std::optional<std::uint64_t> NameSpace::free_in_directory_of(std::uint64_t slot, Random& random) const {
  // Numbers of names in one directory are `directories` apart. Some of them are tried, from a random one on.
  const std::uint64_t directories = files_.dataset().directories;
  const std::uint64_t first = empty_name(slot).index % directories;
  const std::uint64_t end = empty_name(empty_.new_names_below()).index;
  const std::uint64_t names = first < end ? (end - first - 1) / directories + 1 : 0;
  if (names == 0) return std::nullopt;
  std::uint64_t place = random.below(names);
  for (int tries = 0; tries < 16; ++tries, place = (place + 1) % names) {
    const std::uint64_t name = first + place * directories;
    if (name >= pool_start_ && name < pool_start_ + still_empty_) continue;
    if (const std::uint64_t found = slot_of(name); is_free(found)) return found;
  }
  return std::nullopt;
}

Op NameSpace::make_dir(Random& random) {
  const auto index = made_dirs_.pick_free(random);
  if (!index) return remove_dir(random);
  made_dirs_.insert(*index);
  return plain(OpKind::mkdir, {NameClass::made_dir, *index});
}

Op NameSpace::remove_dir(Random& random) {
  const auto index = made_dirs_.pick_existing(random);
  if (!index) return make_dir(random);
  made_dirs_.erase(*index);
  return plain(OpKind::rmdir, {NameClass::made_dir, *index});
}

Op NameSpace::make_link(OpKind kind, NameClass cls, NamePool& pool, Random& random) {
  const auto index = pool.pick_free(random);
  if (!index) return remove_file(random);
  // A link goes to the data file of its own number. While that file is missing no link to it can be made.
  const std::uint64_t target = *index % files_.dataset().data_files;
  if (cls == NameClass::hard_link && is_missing(target)) return any_file(OpKind::stat, random);
  pool.insert(*index);
  return plain(kind, {cls, *index}, data_name(target));
}

Op NameSpace::write_file(Random& random) {
  const auto ready = std::find_if(asides_.begin(), asides_.end(),
                                  [&](const Aside& aside) { return !is_missing(aside.file) && !is_held(aside.file); });
  if (ready != asides_.end()) {
    Op op = plain(OpKind::rename, empty_name(ready->slot), data_name(ready->file));
    op.replacing = true;
    asides_.erase(ready);
    return op;
  }
  std::uint64_t file = 0;
  if (missing_.empty()) {
    file = data_file(random);
  } else {
    file = missing_.front();
    missing_.erase(missing_.begin());
  }
  return write_whole(data_name(file), files_.file_size(file), random);
}

Op NameSpace::write_whole(NameRef name, Bytes size, Random& random) const {
  Op op = plain(OpKind::write_file, name);
  op.length = size;
  op.commit = draw_commit(*spec_, random) || syncs_at_close(*spec_);
  op.direct = random.chance_percent(spec_->direct_percent) || spec_->io.direct;
  op.direct = op.direct && op.length % spec_->io.direct_block == 0;
  op.sync = random.chance_percent(spec_->sync_percent);
  return op;
}

void NameSpace::failed(const Op& op) {
  const auto pool_of = [&](NameClass cls) -> NamePool* {
    switch (cls) {
      case NameClass::empty: return &empty_;
      case NameClass::symlink: return &symlinks_;
      case NameClass::hard_link: return &hard_links_;
      case NameClass::made_dir: return &made_dirs_;
      default: return nullptr;
    }
  };
  NamePool* pool = pool_of(op.name.cls);
  const std::uint64_t slot = op.name.cls == NameClass::empty ? slot_of(op.name.index) : op.name.index;
  switch (op.kind) {
    case OpKind::create:
    case OpKind::mkdir:
    case OpKind::symlink:
    case OpKind::link: pool->erase(slot); break;
    case OpKind::unlink:
    case OpKind::rmdir:
      if (pool) pool->insert(slot);
      else std::erase(missing_, op.name.index);
      break;
    case OpKind::rename:
      empty_.insert(slot);
      if (!op.replacing) empty_.erase(slot_of(op.other.index));
      break;
    case OpKind::write_file:
      if (pool) {
        std::erase_if(asides_, [&](const Aside& aside) { return aside.slot == slot; });
        pool->insert(slot);
      } else if (!is_missing(op.name.index) && missing_.size() + 1 < files_.dataset().data_files) {
        missing_.push_back(op.name.index);  // never the last file: the other ops need one
      }
      break;
    default: break;
  }
}

}  // namespace edagen
