#include "workload/op_stream.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace edagen {
namespace {

constexpr std::uint64_t largest_pool = std::uint64_t{1} << 16;  ///< empty files of a proc that may be renamed, removed
constexpr std::uint64_t growth_limit = std::uint64_t{1} << 24;  ///< names of a mix that only adds
constexpr std::uint64_t most_missing = 16;
constexpr std::uint64_t appends_per_rotation = 64;
/// How strongly a level population is drawn back: always when it is a quarter away from its start. It then deviates
/// by the root of an eighth of its start.
constexpr std::uint64_t pull = 4;

std::vector<double> positive(const OpWeights& weights) {
  std::vector<double> found;
  for (const double weight : weights)
    if (weight > 0) found.push_back(weight);
  return found;
}

/// By how much more names are made than removed, links included; above zero the population grows for ever.
double growth(const ProcSpec& spec) {
  using enum OpKind;
  return spec.weight(create) + spec.weight(symlink) + spec.weight(link) -
         spec.weight(unlink) * (1 - spec.unlink_nonempty_percent / 100) -
         spec.weight(rename) * spec.rename_over_percent / 100;
}

bool is_level(double growth) { return std::abs(growth) < 1e-9; }

std::uint64_t capacity(std::uint64_t initial, bool grows) {
  return grows ? std::max(growth_limit, 2 * initial) : std::max<std::uint64_t>(2 * initial, 2);
}

/// The nearest, so that O_DIRECT leaves the mean of a distribution as it is; at least one.
Bytes whole_units(Bytes length, Bytes unit) { return std::max(unit, round_down(length + unit / 2, unit)); }

NameRef data_name(std::uint64_t index) { return {NameClass::data, index}; }

Op plain(OpKind kind, NameRef name, NameRef other = {}) {
  Op op;
  op.kind = kind;
  op.name = name;
  op.other = other;
  return op;
}

}  // namespace

OpMix::OpMix(const OpWeights& weights) : weights_(weights), table_(positive(weights)) {
  for (const OpKind kind : all_op_kinds())
    if (weights[static_cast<std::size_t>(kind)] > 0) kinds_.push_back(kind);
}

OpStream::OpStream(const ProcSpec& spec, const OpMix& mix, const FilePopulation& files, std::uint64_t seed)
    : spec_(&spec),
      mix_(&mix),
      files_(files),
      random_(derive_seed(seed, 0x6f707374)),
      empty_(std::min(files.count(NameClass::empty), largest_pool),
             capacity(std::min(files.count(NameClass::empty), largest_pool), growth(spec) > 1e-9)),
      symlinks_(files.count(NameClass::symlink), growth_limit),
      hard_links_(files.count(NameClass::hard_link), growth_limit),
      made_dirs_(files.count(NameClass::made_dir),
                 capacity(initial_made_dirs, spec.weight(OpKind::mkdir) > spec.weight(OpKind::rmdir))),
      pool_start_(empty_.count()),
      still_empty_(files.count(NameClass::empty) - empty_.count()),
      level_files_(is_level(growth(spec)) ? pool_start_ : 0),
      level_dirs_(is_level(spec.weight(OpKind::mkdir) - spec.weight(OpKind::rmdir)) ? made_dirs_.count() : 0) {}

Op OpStream::next() {
  using enum OpKind;
  if (put_back_) return *std::exchange(put_back_, std::nullopt);
  const OpKind kind = mix_->sample(random_);
  switch (kind) {
    case open:
    case close: return session_op();
    case read_seq: return spec_->uses_sessions() ? session_op() : transfer(kind, read_cursor_, false);
    case write_seq: return spec_->uses_sessions() ? session_op() : transfer(kind, write_cursor_, true);
    case read_file: return read_whole();
    case write_file: return write_whole();
    case read_rand:
    case write_rand:
    case rmw:
    case lock:
    case fsync: return random_io(kind);
    case mmap_read: return mapped(kind, false);
    case mmap_write: return mapped(kind, true);
    case write_append: return append();
    case copyfile: return copy_file();
    case create: return turns_back(empty_, level_files_, true) ? remove_file() : create_file();
    case unlink: return turns_back(empty_, level_files_, false) ? create_file() : remove_file();
    case rename: return rename_file();
    case mkdir: return turns_back(made_dirs_, level_dirs_, true) ? remove_dir() : make_dir();
    case rmdir: return turns_back(made_dirs_, level_dirs_, false) ? make_dir() : remove_dir();
    case symlink: return make_link(kind, NameClass::symlink, symlinks_);
    case link: return make_link(kind, NameClass::hard_link, hard_links_);
    case readlink: return plain(kind, {NameClass::symlink, *symlinks_.pick_existing(random_)});
    case readdir: return plain(kind, {NameClass::dataset_dir, choose(files_.dataset().directories)});
    case statfs: return plain(kind, {});
    case stat:
    case access:
    case chmod: return any_file(kind);
    case truncate: return truncate_file();
  }
  return {};
}

// --- choosing files

std::uint64_t OpStream::choose(std::uint64_t count) {
  if (!random_.chance_percent(spec_->skewed_percent)) return random_.below(count);
  // Geometric: half of the choices fall on the whole set, a quarter on its first half, an eighth on the first
  // quarter...
  const int halvings = std::countl_zero(random_.next() | 1);
  return random_.below(std::max<std::uint64_t>(1, count >> halvings));
}

/// Whether an op that adds a name, or takes one away, is to do the opposite, since the population is above its level,
/// or below. Both happen as often, so that the shares of the mix stay.
bool OpStream::turns_back(const NamePool& pool, std::uint64_t level, bool adds) {
  const std::uint64_t from = adds ? level : pool.count(), to = adds ? pool.count() : level;
  return level > 0 && to > from && random_.below(level) < pull * (to - from);
}

bool OpStream::is_missing(std::uint64_t file) const {
  return std::find(missing_.begin(), missing_.end(), file) != missing_.end();
}

std::uint64_t OpStream::data_file() {
  std::uint64_t file = choose(files_.dataset().data_files);
  while (is_missing(file)) file = (file + 1) % files_.dataset().data_files;
  return file;
}

NameRef OpStream::empty_name(std::uint64_t slot) const {
  return {NameClass::empty, slot < pool_start_ ? slot : slot + still_empty_};
}

std::uint64_t OpStream::slot_of(std::uint64_t name) const { return name < pool_start_ ? name : name - still_empty_; }

std::optional<NameRef> OpStream::empty_file() {
  if (still_empty_ > 0 && random_.below(still_empty_ + empty_.count()) >= empty_.count())
    return NameRef{NameClass::empty, pool_start_ + choose(still_empty_)};
  if (const auto slot = empty_.pick_existing(random_)) return empty_name(*slot);
  return std::nullopt;
}

bool OpStream::is_in_use(std::uint64_t file) const {
  const auto works_on = [&](const Cursor& cursor) { return cursor.used && cursor.file == file; };
  return works_on(random_cursor_) || works_on(read_cursor_) || works_on(write_cursor_);
}

std::optional<std::uint64_t> OpStream::replaceable_data_file() {
  const std::uint64_t files = files_.dataset().data_files;
  const bool refilled = mix_->weight(OpKind::write_file) > 0;
  if (!refilled || missing_.size() + asides_.size() >= std::min(most_missing, files / 8)) return std::nullopt;
  std::uint64_t file = data_file();
  while (is_missing(file) || is_in_use(file)) file = (file + 1) % files;  // these are fewer than there are files
  return file;
}

Op OpStream::any_file(OpKind kind) {
  const std::uint64_t data = files_.dataset().data_files, empty = still_empty_ + empty_.count();
  if (data + empty == 0) return create_file();
  Op op = plain(kind, random_.below(data + empty) < data ? data_name(data_file()) : *empty_file());
  if (kind == OpKind::chmod) op.length = random_.below(2) == 0 ? 0644 : 0664;
  return op;
}

// --- data

void OpStream::fit(Op& op, Bytes size, Bytes length) {
  const Bytes unit = op.direct ? spec_->io.direct_block : 1;
  op.length = std::min(whole_units(length, unit), round_down(size, unit));
  const Bytes places = (size - op.length) / spec_->alignment + 1;
  op.offset = static_cast<Bytes>(random_.below(static_cast<std::uint64_t>(places))) * spec_->alignment;
}

void OpStream::place(Cursor& cursor, bool writing) {
  cursor = {.file = data_file(), .placed = true, .used = true};
  draw_flags(cursor, writing);
}

void OpStream::draw_flags(Cursor& cursor, bool writing) {
  const bool wanted = (writing && random_.chance_percent(spec_->direct_percent)) || spec_->io.direct;
  const Bytes block = spec_->io.direct_block;
  cursor.direct = wanted && spec_->alignment % block == 0 && files_.file_size(cursor.file) >= block;
  cursor.sync = writing && random_.chance_percent(spec_->sync_percent);
}

Op OpStream::random_io(OpKind kind) {
  if (random_ops_left_ == 0 || is_missing(random_cursor_.file)) {
    place(random_cursor_, true);
    random_ops_left_ = spec_->ops_per_open;
  }
  --random_ops_left_;
  Op op = plain(kind, data_name(random_cursor_.file));
  op.direct = random_cursor_.direct;
  op.sync = random_cursor_.sync;
  if (kind == OpKind::fsync) return op;
  const bool reads = kind == OpKind::read_rand;
  fit(op, files_.file_size(op.name.index), (reads ? spec_->read_size : spec_->write_size).sample(random_));
  op.commit = (kind == OpKind::write_rand || kind == OpKind::rmw) && draw_commit();
  return op;
}

Op OpStream::mapped(OpKind kind, bool writing) {
  Op op = plain(kind, data_name(data_file()));
  fit(op, files_.file_size(op.name.index), (writing ? spec_->write_size : spec_->read_size).sample(random_));
  op.commit = writing && (draw_commit() || syncs_at_close());
  return op;
}

Op OpStream::read_whole() {
  Op op = plain(OpKind::read_file, data_name(data_file()));
  op.length = files_.file_size(op.name.index);
  op.direct = spec_->io.direct && op.length % spec_->io.direct_block == 0;
  return op;
}

/// Of a data file; or the rename that an op before has written a file for.
Op OpStream::write_whole() {
  const auto ready = std::find_if(asides_.begin(), asides_.end(), [&](const Aside& aside) {
    return !is_missing(aside.file) && !is_in_use(aside.file);
  });
  if (ready != asides_.end()) {
    Op op = plain(OpKind::rename, empty_name(ready->slot), data_name(ready->file));
    op.replacing = true;
    asides_.erase(ready);
    return op;
  }
  std::uint64_t file = 0;
  if (missing_.empty()) {
    file = data_file();
  } else {
    file = missing_.front();
    missing_.erase(missing_.begin());
  }
  return write_whole(data_name(file), files_.file_size(file));
}

Op OpStream::write_whole(NameRef name, Bytes size) {
  Op op = plain(OpKind::write_file, name);
  op.length = size;
  op.commit = draw_commit() || syncs_at_close();
  op.direct = random_.chance_percent(spec_->direct_percent) || spec_->io.direct;
  op.direct = op.direct && op.length % spec_->io.direct_block == 0;
  op.sync = random_.chance_percent(spec_->sync_percent);
  return op;
}

Op OpStream::session_op() {
  Cursor& cursor = session_.writing ? write_cursor_ : read_cursor_;
  const OpKind kind = session_.writing ? OpKind::write_seq : OpKind::read_seq;
  if (!session_.open) return open_session();
  if (session_.transfers_left == 0) {
    session_.open = false;
    Op op = plain(OpKind::close, data_name(session_.file));
    op.writing = session_.writing;
    return op;
  }
  --session_.transfers_left;
  return transfer(kind, cursor, session_.writing);
}

Op OpStream::open_session() {
  const double reads = mix_->weight(OpKind::read_seq), writes = mix_->weight(OpKind::write_seq);
  const double transfers = (reads + writes) / mix_->weight(OpKind::open);
  session_.open = true;
  session_.writing = random_.uniform() * (reads + writes) >= reads;
  session_.transfers_left = static_cast<std::uint64_t>(transfers + random_.uniform());  // `transfers` on average
  Cursor& cursor = session_.writing ? write_cursor_ : read_cursor_;
  if (!cursor.placed || is_missing(cursor.file)) place(cursor, session_.writing);
  else draw_flags(cursor, session_.writing);
  session_.file = cursor.file;
  Op op = plain(OpKind::open, data_name(cursor.file));
  op.writing = session_.writing;
  op.direct = cursor.direct;
  op.sync = cursor.sync;
  return op;
}

/// Goes on at the cursor. At the end of the file it starts the same file again while a session has it open,
/// else the next file.
Op OpStream::transfer(OpKind kind, Cursor& cursor, bool writing) {
  if (!session_.open && (!cursor.placed || is_missing(cursor.file))) place(cursor, writing);
  Op op = plain(kind, data_name(cursor.file));
  op.direct = cursor.direct;
  op.sync = cursor.sync;
  const Bytes unit = op.direct ? spec_->io.direct_block : 1;
  const Bytes size = round_down(files_.file_size(cursor.file), unit);
  cursor.offset = round_up(cursor.offset, unit);
  if (cursor.offset >= size) cursor.offset = 0;
  const Bytes drawn = (writing ? spec_->write_size : spec_->read_size).sample(random_);
  op.offset = cursor.offset;
  op.length = std::min(whole_units(drawn, unit), size - op.offset);
  op.commit = writing && draw_commit();
  cursor.offset += op.length;
  if (cursor.offset >= size) {
    cursor.offset = 0;
    cursor.placed = session_.open && session_.transfers_left > 0;
  }
  return op;
}

Op OpStream::append() {
  const auto file = empty_file();
  if (!file) return create_file();
  Op op = plain(OpKind::write_append, *file);
  op.length = spec_->write_size.sample(random_);
  op.truncating = random_.below(appends_per_rotation) == 0;
  op.commit = draw_commit() || syncs_at_close();
  return op;
}

Op OpStream::truncate_file() {
  const auto file = empty_file();
  if (!file) return create_file();
  Op op = plain(OpKind::truncate, *file);
  op.length = random_.below(2) == 0 ? 0 : spec_->write_size.sample(random_);
  return op;
}

Op OpStream::copy_file() {
  const auto to = empty_file();
  if (!to) return create_file();
  Op op = plain(OpKind::copyfile, data_name(data_file()), *to);
  op.length = files_.file_size(op.name.index);
  op.commit = syncs_at_close();
  return op;
}

// --- names

Op OpStream::create_file() {
  const auto index = free_slot();
  if (!index) return remove_file();  // the population is at its limit: turn back
  empty_.insert(*index);
  return plain(OpKind::create, empty_name(*index));
}

Op OpStream::remove_file() {
  for (auto [pool, cls] : {std::pair{&symlinks_, NameClass::symlink}, {&hard_links_, NameClass::hard_link}}) {
    if (pool->count() <= files_.count(cls)) continue;
    const std::uint64_t index = *pool->pick_existing(random_);
    pool->erase(index);
    return plain(OpKind::unlink, {cls, index});
  }
  if (random_.chance_percent(spec_->unlink_nonempty_percent)) {
    if (const auto file = replaceable_data_file()) {
      missing_.push_back(*file);
      return plain(OpKind::unlink, data_name(*file));
    }
  }
  const auto index = empty_.pick_existing(random_);
  if (!index) return create_file();
  empty_.erase(*index);
  return plain(OpKind::unlink, empty_name(*index));
}

Op OpStream::rename_file() {
  const auto from = empty_.pick_existing(random_);
  if (!from) return create_file();
  const double draw = random_.uniform() * 100;
  if (draw < spec_->rename_over_percent) {
    if (const auto file = replaceable_data_file()) {
      // Write aside, then replace: this op and a write_file to come change places.
      empty_.erase(*from);
      asides_.push_back({*from, *file});
      return write_whole(empty_name(*from), files_.file_size(*file));
    }
    const auto over = empty_.pick_existing(random_);
    if (over && *over != *from) {
      empty_.erase(*from);
      Op op = plain(OpKind::rename, empty_name(*from), empty_name(*over));
      op.replacing = true;
      return op;
    }
  }
  std::optional<std::uint64_t> to;
  if (draw >= spec_->rename_over_percent + spec_->rename_across_percent) to = free_in_directory_of(*from);
  if (!to) to = free_slot();
  if (!to) return remove_file();
  empty_.erase(*from);
  empty_.insert(*to);
  return plain(OpKind::rename, empty_name(*from), empty_name(*to));
}

bool OpStream::is_free(std::uint64_t slot) const {
  return !empty_.exists(slot) && std::ranges::find(asides_, slot, &Aside::slot) == asides_.end();
}

std::optional<std::uint64_t> OpStream::free_slot() {
  for (std::size_t tries = 0; tries <= 2 * most_missing; ++tries) {
    const auto slot = empty_.pick_free(random_);
    if (!slot || is_free(*slot)) return slot;
  }
  return std::nullopt;  // next to none is left
}

std::optional<std::uint64_t> OpStream::free_in_directory_of(std::uint64_t slot) {
  // Names of one directory are `directories` apart; look at some of them, from a random one on.
  const std::uint64_t directories = files_.dataset().directories;
  const std::uint64_t first = empty_name(slot).index % directories;
  const std::uint64_t end = empty_name(empty_.new_names_below()).index;
  const std::uint64_t names = first < end ? (end - first - 1) / directories + 1 : 0;
  if (names == 0) return std::nullopt;
  std::uint64_t place = random_.below(names);
  for (int tries = 0; tries < 16; ++tries, place = (place + 1) % names) {
    const std::uint64_t name = first + place * directories;
    if (name >= pool_start_ && name < pool_start_ + still_empty_) continue;
    if (const std::uint64_t found = slot_of(name); is_free(found)) return found;
  }
  return std::nullopt;
}

Op OpStream::make_dir() {
  const auto index = made_dirs_.pick_free(random_);
  if (!index) return remove_dir();
  made_dirs_.insert(*index);
  return plain(OpKind::mkdir, {NameClass::made_dir, *index});
}

Op OpStream::remove_dir() {
  const auto index = made_dirs_.pick_existing(random_);
  if (!index) return make_dir();
  made_dirs_.erase(*index);
  return plain(OpKind::rmdir, {NameClass::made_dir, *index});
}

Op OpStream::make_link(OpKind kind, NameClass cls, NamePool& pool) {
  const auto index = pool.pick_free(random_);
  if (!index) return remove_file();
  // A link goes to the data file of its own number, which may be away for a moment: a link to it cannot be made then.
  const std::uint64_t target = *index % files_.dataset().data_files;
  if (cls == NameClass::hard_link && is_missing(target)) return any_file(OpKind::stat);
  pool.insert(*index);
  return plain(kind, {cls, *index}, data_name(target));
}

void OpStream::failed(const Op& op) {
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
      } else if (!is_missing(op.name.index)) {
        missing_.push_back(op.name.index);
      }
      break;
    case OpKind::open:
      session_.open = false;
      (session_.writing ? write_cursor_ : read_cursor_).placed = false;
      break;
    default: break;
  }
}

}  // namespace edagen
