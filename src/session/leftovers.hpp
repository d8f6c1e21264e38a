// The datasets that stay if the process ends at once. Each change is emitted, so that whoever ends the process has the
// present ones.
#pragma once

#include <map>
#include <string>

#include "edagen/event.hpp"

namespace edagen {

/// A dataset that a run of a comparison has made, and that is removed at the end of the comparison.
struct MadeDataset {
  std::string id;
  DatasetLeft left;  ///< without mounts: these are gone when the run ends
};

/// Not thread-safe.
class Leftovers {
 public:
  explicit Leftovers(EventSink emit) : emit_(std::move(emit)) {}

  /// The dataset of the run that goes on. Without mounts: none.
  void set_current(DatasetLeft dataset) {
    current_ = std::move(dataset);
    emit_change();
  }
  /// By variant of a comparison.
  const std::map<std::size_t, MadeDataset>& made() const { return made_; }
  void add_made(std::size_t variant, MadeDataset dataset) {
    made_[variant] = std::move(dataset);
    emit_change();
  }
  void erase_made(std::size_t variant) {
    made_.erase(variant);
    emit_change();
  }
  /// Its mounts may have other names in each variant.
  void erase_made_with_id(const std::string& id) {
    std::erase_if(made_, [&](const auto& dataset) { return dataset.second.id == id; });
    emit_change();
  }
  void erase_made_on(const std::vector<std::string>& mounts) {
    std::erase_if(made_, [&](const auto& dataset) { return dataset.second.left.mounts == mounts; });
    emit_change();
  }

 private:
  void emit_change() const {
    std::vector<DatasetLeft> all;
    if (!current_.mounts.empty()) all.push_back(current_);
    for (const auto& [variant, dataset] : made_)
      if (!dataset.left.mounts.empty() && dataset.left.mounts != current_.mounts) all.push_back(dataset.left);
    for (DatasetLeft& dataset : all) dataset.why = DatasetLeft::Why::hanging_call;
    emit_(LeftoversChanged{all});
  }

  EventSink emit_;
  DatasetLeft current_;
  std::map<std::size_t, MadeDataset> made_;
};

}  // namespace edagen
