#include "workload/op_stream.hpp"

#include <cerrno>
#include <utility>

#include "workload/op_parts.hpp"

namespace edagen {
namespace {

constexpr std::uint64_t appends_per_rotation = 64;

}  // namespace

OpStream::OpStream(const ProcSpec& spec, const OpMix& mix, const FilePopulation& files, std::uint64_t seed)
    : spec_(&spec),
      mix_(&mix),
      random_(derive_seed(seed, 0x6f707374)),
      names_(spec, mix, files),
      data_(spec),
      shares_(files.place().sharers > 1) {
  if (spec.uses_sessions()) data_.begin_within_session(mix, names_, random_);
}

Op OpStream::next() { return put_back_ || shares_ ? put_back_or_shared() : own(); }

Op OpStream::put_back_or_shared() {
  if (put_back_) return *std::exchange(put_back_, std::nullopt);
  Op op = own();
  op.name = names_.files().shared_name(op.name);
  op.other = names_.files().shared_name(op.other);
  return op;
}

Op OpStream::own() {
  using enum OpKind;
  const OpKind kind = mix_->sample(random_);
  switch (kind) {
    case open:
    case close:
    case read_seq:
    case write_seq: return data_.sequential(kind, *mix_, names_, random_);
    case read_rand:
    case write_rand:
    case rmw:
    case lock:
    case fsync: return data_.at_random(kind, names_, random_);
    case mmap_read:
    case mmap_write: return data_.mapped(kind, names_, random_);
    case read_file: return read_whole();
    case write_file: return names_.write_file(random_);
    case write_append: return append();
    case truncate: return truncate_file();
    case copyfile: return copy_file();
    case create:
    case unlink:
    case rename:
    case mkdir:
    case rmdir:
    case symlink:
    case link: return names_.change(kind, random_);
    case stat:
    case access:
    case chmod: return names_.any_file(kind, random_);
    case readlink: return plain(kind, names_.link_to_read(random_));
    case readdir:
      return plain(kind, {NameClass::dataset_dir, names_.choose(names_.files().dataset().directories, random_)});
    case statfs: return plain(kind, {});
  }
  return {};
}

Op OpStream::read_whole() {
  Op op = plain(OpKind::read_file, data_name(names_.data_file(random_)));
  op.length = names_.files().file_size(op.name.index);
  op.direct = spec_->io.direct && op.length % spec_->io.direct_block == 0;
  return op;
}

Op OpStream::append() {
  if (names_.empty_files() == 0) return names_.create_file(random_);
  const NameRef file = names_.empty_file(random_);
  Op op = plain(OpKind::write_append, file);
  op.length = spec_->write_size.sample(random_);
  op.truncating = random_.below(appends_per_rotation) == 0;
  op.commit = draw_commit(*spec_, random_) || syncs_at_close(*spec_);
  return op;
}

Op OpStream::truncate_file() {
  if (names_.empty_files() == 0) return names_.create_file(random_);
  const NameRef file = names_.empty_file(random_);
  Op op = plain(OpKind::truncate, file);
  op.length = random_.below(2) == 0 ? 0 : spec_->write_size.sample(random_);
  return op;
}

Op OpStream::copy_file() {
  if (names_.empty_files() == 0) return names_.create_file(random_);
  const NameRef to = names_.empty_file(random_);
  Op op = plain(OpKind::copyfile, data_name(names_.data_file(random_)), to);
  op.length = names_.files().file_size(op.name.index);
  op.commit = syncs_at_close(*spec_);
  return op;
}

void OpStream::failed(const Op& op) {
  Op own_op = op;
  if (shares_) {
    own_op.name = names_.files().own_name(op.name);
    own_op.other = names_.files().own_name(op.other);
  }
  names_.failed(own_op);
  data_.failed(own_op);
}

bool OpStream::loses_race(const Op& op, int error) const {
  if (!shares_ || (op.name.cls != NameClass::data && op.other.cls != NameClass::data)) return false;
  switch (error) {
    case ENOENT:
    case ESTALE: return spec_->removes_data_files();
    case short_read_error:
    case bus_error: return spec_->weight(OpKind::write_file) > 0;  // it truncates the file first
    case EAGAIN:
    case EACCES: return op.kind == OpKind::lock;
    default: return false;
  }
}

}  // namespace edagen
