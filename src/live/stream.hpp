// A file of lines that grows while a session goes on.
#pragma once

#include <fcntl.h>
#include <spdlog/spdlog.h>

#include <optional>
#include <string>

#include "base/stuck_watch.hpp"
#include "edagen/error.hpp"
#include "edagen/run_plan.hpp"
#include "result/line_file.hpp"

namespace edagen {

class Stream {
 public:
  /// `watch` names a call that hangs, as of a FIFO that nobody reads; it outlives this.
  Stream(Place place, StuckWatch& watch) : place_(std::move(place)), watch_(watch) {}

  /// Makes the file and returns true, the first time. A failure is logged, and the session goes on.
  bool opens() {
    if (file_ || !why_not_.empty()) return false;
    StuckWatch::Thread self(watch_);
    self.call_started("opening " + place_.name, place_.path);
    try {
      file_.emplace(place_.name, place_.path, O_TRUNC, place_.directory);
    } catch (const Error& error) {
      why_not_ = error.what();
      spdlog::error("{}", error.what());
    }
    return file_.has_value();
  }
  bool is_open() const { return file_.has_value(); }
  void add(const std::string& line) {
    if (!file_) return;
    StuckWatch::Thread self(watch_);
    self.call_started("writing " + place_.name, place_.path);
    file_->add(line);
  }
  /// As LineFile::lack(); or why there is no file.
  std::string lost() const { return file_ ? file_->lack() : why_not_; }
  /// As LineFile::lack_in_storage(); or why there is no file.
  std::string lost_in_storage() const { return file_ ? file_->lack_in_storage() : why_not_; }
  /// What a result notes of the file; empty: it is whole.
  std::string write_failure() const {
    const std::string lost = this->lost();
    return lost.empty() || !file_ ? lost : place_.name + " " + place_.path + ": " + lost;
  }
  const std::string& name() const { return place_.name; }

 private:
  Place place_;
  StuckWatch& watch_;
  std::optional<LineFile> file_;
  std::string why_not_;
};

}  // namespace edagen
