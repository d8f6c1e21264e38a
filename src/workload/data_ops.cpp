#include "workload/data_ops.hpp"

#include <algorithm>
#include <cmath>

#include "workload/op_parts.hpp"

namespace edagen {
namespace {

/// Rounds to the nearest unit, at least one, so that O_DIRECT keeps the mean of a distribution.
Bytes whole_units(Bytes length, Bytes unit) { return std::max(unit, round_down(length + unit / 2, unit)); }

double transfers_per_open(const OpMix& mix) {
  return (mix.weight(OpKind::read_seq) + mix.weight(OpKind::write_seq)) / mix.weight(OpKind::open);
}

}  // namespace

void DataOps::fit(Op& op, Bytes size, Bytes length, Random& random) const {
  const Bytes unit = op.direct ? spec_->io.direct_block : 1;
  op.length = std::min(whole_units(length, unit), round_down(size, unit));
  const Bytes places = (size - op.length) / spec_->alignment + 1;
  op.offset = static_cast<Bytes>(random.below(static_cast<std::uint64_t>(places))) * spec_->alignment;
}

void DataOps::place(Place at, bool writing, NameSpace& names, Random& random) {
  cursors_[at] = {.file = names.data_file(random), .placed = true};
  names.hold(at, cursors_[at].file);
  draw_flags(cursors_[at], writing, names, random);
}

void DataOps::draw_flags(Cursor& cursor, bool writing, const NameSpace& names, Random& random) const {
  const bool wanted = (writing && random.chance_percent(spec_->direct_percent)) || spec_->io.direct;
  const Bytes block = spec_->io.direct_block;
  cursor.direct = wanted && spec_->alignment % block == 0 && names.files().file_size(cursor.file) >= block;
  cursor.sync = writing && random.chance_percent(spec_->sync_percent);
}

Op DataOps::at_random(OpKind kind, NameSpace& names, Random& random) {
  const Cursor& cursor = cursors_[of_random_ops];
  if (random_ops_left_ == 0 || names.is_missing(cursor.file)) {
    place(of_random_ops, true, names, random);
    random_ops_left_ = spec_->ops_per_open;
  }
  --random_ops_left_;
  Op op = plain(kind, data_name(cursor.file));
  op.direct = cursor.direct;
  op.sync = cursor.sync;
  if (kind == OpKind::fsync) return op;
  const bool reads = kind == OpKind::read_rand;
  fit(op, names.files().file_size(op.name.index), (reads ? spec_->read_size : spec_->write_size).sample(random),
      random);
  op.commit = (kind == OpKind::write_rand || kind == OpKind::rmw) && draw_commit(*spec_, random);
  return op;
}

Op DataOps::mapped(OpKind kind, const NameSpace& names, Random& random) const {
  const bool writing = kind == OpKind::mmap_write;
  Op op = plain(kind, data_name(names.data_file(random)));
  fit(op, names.files().file_size(op.name.index), (writing ? spec_->write_size : spec_->read_size).sample(random),
      random);
  op.commit = writing && (draw_commit(*spec_, random) || syncs_at_close(*spec_));
  return op;
}

Op DataOps::sequential(OpKind kind, const OpMix& mix, NameSpace& names, Random& random) {
  if (kind == OpKind::open || kind == OpKind::close || spec_->uses_sessions()) return session_op(mix, names, random);
  return transfer(kind == OpKind::write_seq, names, random);
}

Op DataOps::session_op(const OpMix& mix, NameSpace& names, Random& random) {
  if (!session_.open) {
    begin_session(mix, names, random);
    session_.transfers_left = static_cast<std::uint64_t>(transfers_per_open(mix) + random.uniform());  // on average
    return session_edge(OpKind::open);
  }
  if (session_.transfers_left == 0) {
    session_.open = false;
    return session_edge(OpKind::close);
  }
  --session_.transfers_left;
  return transfer(session_.writing, names, random);
}

void DataOps::begin_within_session(const OpMix& mix, NameSpace& names, Random& random) {
  const double transfers = transfers_per_open(mix);
  const double done =
      random.uniform() * (transfers + 2) - 1;  // transfers that are done; below 0: the open is still to come
  if (done < 0) return;
  begin_session(mix, names, random);
  session_.transfers_left = static_cast<std::uint64_t>(std::ceil(std::max(0.0, transfers - done)));
}

void DataOps::begin_session(const OpMix& mix, NameSpace& names, Random& random) {
  const double reads = mix.weight(OpKind::read_seq), writes = mix.weight(OpKind::write_seq);
  session_.open = true;
  session_.writing = random.uniform() * (reads + writes) >= reads;
  const Place at = place_of(session_.writing);
  Cursor& cursor = cursors_[at];
  if (!cursor.placed || names.is_missing(cursor.file)) place(at, session_.writing, names, random);
  else draw_flags(cursor, session_.writing, names, random);
  session_.file = cursor.file;
}

/// The open or the close of the session.
Op DataOps::session_edge(OpKind kind) const {
  const Cursor& cursor = cursors_[place_of(session_.writing)];
  Op op = plain(kind, data_name(session_.file));
  op.writing = session_.writing;
  op.direct = cursor.direct;
  op.sync = cursor.sync;
  return op;
}

/// Goes on at the cursor. At the end of the file the transfer starts the same file again while a session has it open,
/// else the next file.
Op DataOps::transfer(bool writing, NameSpace& names, Random& random) {
  const Place at = place_of(writing);
  Cursor& cursor = cursors_[at];
  if (!session_.open && (!cursor.placed || names.is_missing(cursor.file))) place(at, writing, names, random);
  Op op = plain(writing ? OpKind::write_seq : OpKind::read_seq, data_name(cursor.file));
  op.direct = cursor.direct;
  op.sync = cursor.sync;
  const Bytes unit = op.direct ? spec_->io.direct_block : 1;
  const Bytes size = round_down(names.files().file_size(cursor.file), unit);
  cursor.offset = round_up(cursor.offset, unit);
  if (cursor.offset >= size) cursor.offset = 0;
  const Bytes drawn = (writing ? spec_->write_size : spec_->read_size).sample(random);
  op.offset = cursor.offset;
  op.length = std::min(whole_units(drawn, unit), size - op.offset);
  op.commit = writing && draw_commit(*spec_, random);
  cursor.offset += op.length;
  if (cursor.offset >= size) {
    cursor.offset = 0;
    cursor.placed = session_.open && session_.transfers_left > 0;
  }
  return op;
}

void DataOps::failed(const Op& op) {
  // A shared file that another proc has removed would be missed by each op up to the next open or the end of the file.
  const bool writes = op.kind == OpKind::write_seq, transfers = writes || op.kind == OpKind::read_seq;
  if (spec_->shared_files.by != SharedBy::none) {
    if (op.name == data_name(cursors_[of_random_ops].file)) random_ops_left_ = 0;
    Cursor& cursor = cursors_[place_of(writes)];
    if (transfers && !session_.open && op.name == data_name(cursor.file)) cursor.placed = false;
  }
  if (op.kind != OpKind::open) return;
  session_.open = false;
  cursors_[place_of(session_.writing)].placed = false;
}

}  // namespace edagen
