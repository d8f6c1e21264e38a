// Several observers of one session.
#pragma once

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "edagen/session_observer.hpp"

namespace edagen {

/// Tells all what it is told, in their order.
class Audience final : public SessionObserver {
 public:
  /// Not empty; all outlive this. The first one abandons the process where that must be.
  explicit Audience(std::vector<SessionObserver*> observers) : observers_(std::move(observers)) {}

  void window_began() override { tell(&SessionObserver::window_began); }
  void window_ended() override { tell(&SessionObserver::window_ended); }
  void warming_up(const Interval& interval, const IntervalStats& stats) override {
    tell(&SessionObserver::warming_up, interval, stats);
  }
  void measured(const Interval& interval, const IntervalStats& stats) override {
    tell(&SessionObserver::measured, interval, stats);
  }
  void op_failed(const std::string& what, OpKind kind, int error) override {
    tell(&SessionObserver::op_failed, what, kind, error);
  }
  void op_stuck(const std::string& what, OpKind kind, Nanos age) override {
    tell(&SessionObserver::op_stuck, what, kind, age);
  }
  void point_begins(std::optional<double> rate, const std::string& purpose) override {
    tell(&SessionObserver::point_begins, rate, purpose);
  }
  void point_done(const CurvePoint& point) override { tell(&SessionObserver::point_done, point); }
  void estimated(const AtTarget& answer) override { tell(&SessionObserver::estimated, answer); }
  void begins(const std::string& plan) override { tell(&SessionObserver::begins, plan); }
  void journal_opened(const std::string& path) override { tell(&SessionObserver::journal_opened, path); }
  void will_take(Nanos time) override { tell(&SessionObserver::will_take, time); }
  void building(const BuildProgress& progress) override { tell(&SessionObserver::building, progress); }
  void built() override { tell(&SessionObserver::built); }
  void load_begins(const Result& header) override { tell(&SessionObserver::load_begins, header); }
  void point_measured(const PointFigures& point) override { tell(&SessionObserver::point_measured, point); }
  std::vector<std::string> lacks() const override {
    std::vector<std::string> all;
    for (const SessionObserver* const observer : observers_)
      std::ranges::move(observer->lacks(), std::back_inserter(all));
    return all;
  }
  void load_ended() override { tell(&SessionObserver::load_ended); }
  void finished(const Result& result) override {
    for (SessionObserver* const observer : observers_) observer->finished(result);
  }
  void variant_run(const std::string& variant, std::size_t number, std::size_t of, const RunFigures& figures,
                   bool at_target) override {
    tell(&SessionObserver::variant_run, variant, number, of, figures, at_target);
  }
  void variant_refused(const std::string& variant, const std::string& why) override {
    tell(&SessionObserver::variant_refused, variant, why);
  }
  void finished(const ComparisonResult& result) override {
    for (SessionObserver* const observer : observers_) observer->finished(result);
  }
  void ops_never_returned(std::uint64_t count) override { tell(&SessionObserver::ops_never_returned, count); }
  void dataset_left(const DatasetLeft& left) override { tell(&SessionObserver::dataset_left, left); }
  void can_tell_what_is_left(const std::function<void()>& tell_of_it) override {
    tell(&SessionObserver::can_tell_what_is_left, tell_of_it);
  }
  void hanging(const std::string& call, Nanos age) override { tell(&SessionObserver::hanging, call, age); }
  [[noreturn]] void abandon(const std::string& call) override {
    observers_.front()->abandon(call);
    std::terminate();  // does not come to this, which GCC does not see
  }

 private:
  template <class Base, class... Parameters, class... Arguments>
  void tell(void (Base::*event)(Parameters...), const Arguments&... arguments) {
    for (SessionObserver* const observer : observers_) (observer->*event)(arguments...);
  }

  std::vector<SessionObserver*> observers_;
};

}  // namespace edagen
