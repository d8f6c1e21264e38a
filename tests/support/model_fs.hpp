// Which names exist, as a file system would know it: refuses what a real one would refuse.
#pragma once

#include <map>
#include <set>
#include <string>

#include "dataset/dataset_layout.hpp"

namespace edagen::testing {

class ModelFs {
 public:
  explicit ModelFs(const FilePopulation& files) : names_(files.dataset()) {
    for (const NameClass cls :
         {NameClass::data, NameClass::empty, NameClass::symlink, NameClass::hard_link, NameClass::made_dir})
      for (std::uint64_t i = 0; i < files.count(cls); ++i)
        there_[names_.path({cls, i})] = cls == NameClass::data ? files.file_size(i) : 0;
  }

  /// "" or why the op would fail.
  std::string apply(const Op& op) {
    const std::string name = names_.path(op.name), other = names_.path(op.other);
    const auto must_exist = [&](const std::string& path) { return there_.contains(path) ? "" : path + " is missing"; };
    const auto must_not_exist = [&](const std::string& path) { return there_.contains(path) ? path + " exists" : ""; };
    std::string wrong;
    switch (op.kind) {
      case OpKind::create:
      case OpKind::mkdir:
      case OpKind::symlink:
      case OpKind::link:
        wrong = must_not_exist(name);
        if (op.kind == OpKind::link && wrong.empty()) wrong = must_exist(other);
        there_[name] = 0;
        break;
      case OpKind::unlink:
      case OpKind::rmdir:
        wrong = must_exist(name);
        there_.erase(name);
        break;
      case OpKind::rename:
        wrong = must_exist(name);
        if (wrong.empty()) wrong = op.replacing ? must_exist(other) : must_not_exist(other);
        there_[other] = size_of(op.name);
        there_.erase(name);
        break;
      case OpKind::write_file:
        if (op.name.cls == NameClass::empty) wrong = must_exist(name);
        there_[name] = op.length;
        break;
      case OpKind::open:
        wrong = open_.empty() ? must_exist(name) : "opened twice";
        open_ = name;
        within_first_session_ = false;
        break;
      case OpKind::close:
        wrong = open_ == name || within_first_session_ ? "" : "closed what is not open";
        open_.clear();
        within_first_session_ = false;
        break;
      case OpKind::readdir:
      case OpKind::statfs: break;
      case OpKind::read_file:
      case OpKind::read_rand:
      case OpKind::read_seq:
      case OpKind::mmap_read:
      case OpKind::mmap_write:
      case OpKind::rmw:
      case OpKind::write_rand:
      case OpKind::write_seq:
      case OpKind::copyfile:
        wrong = must_exist(name);
        if (wrong.empty() && op.offset + op.length > there_[name]) wrong = name + " is shorter than the op needs";
        break;
      default: wrong = must_exist(name);
    }
    return wrong;
  }

  std::size_t names() const { return there_.size(); }
  bool exists(NameRef name) const { return there_.contains(names_.path(name)); }
  Bytes size_of(NameRef name) const {
    const auto found = there_.find(names_.path(name));
    return found == there_.end() ? 0 : found->second;
  }

 private:
  NameWriter names_;
  std::map<std::string, Bytes> there_;
  std::string open_;
  bool within_first_session_ = true;  ///< a proc begins anywhere in it
};

}  // namespace edagen::testing
