// Textbook queueing stations: c FCFS servers with one queue; the server that is free first takes the next op.
#include "sim/sim_base.hpp"

namespace edagen {
namespace {

class StationSim final : public SimBase {
 public:
  StationSim(const StationModel& model, std::vector<SimProc> procs, std::vector<std::string> groups, std::uint64_t seed,
             std::stop_token stop)
      : SimBase(std::move(procs), std::move(groups), seed, std::move(stop)), model_(model) {}

 protected:
  void begin(const std::vector<std::uint32_t>& procs) override {
    arrivals_.clear();
    servers_.clear();
    late_.clear();
    for (const std::uint32_t i : procs) {
      const unsigned in_flight = procs_[i].schedule.open_loop() ? 1 : procs_[i].depth_now;
      for (unsigned n = 0; n < in_flight; ++n) arrivals_.push(due(i), i);
    }
    for (int i = 0; i < model_.servers; ++i) servers_.push(0, 0);
  }

  void reschedule(double) override {
    arrivals_.change_times([&](double& at, std::uint32_t proc) { at = due(proc); });
  }

  void advance(double until) override {
    std::vector<Done> again;
    again.swap(late_);
    for (const Done& done : again) finish(done, until);
    while (arrivals_.earliest().at < until) {
      const auto [at, index] = arrivals_.pop();
      Proc& proc = procs_[index];
      if (!may_begin(proc)) {
        arrivals_.push(at + retry_after.count(), index);
        continue;
      }
      begun(proc);
      const Op op = proc.ops.next();
      const double free = servers_.pop().at;
      const double end = serve(std::max(at, free), draw_time(random_, model_.times, model_.service.count()));
      servers_.push(end, 0);
      // In a closed loop a proc issues its next op when an op has ended; in an open loop arrivals do not wait.
      proc.schedule.advance();
      arrivals_.push(proc.schedule.open_loop() ? due(index) : end, index);
      finish({index, op.kind, at, end, success_of(op)}, until);
    }
  }

  void for_each_in_flight(const std::function<void(Proc&, double)>& f) override {
    for (const Done& done : late_) f(procs_[done.proc], done.start);
  }

 private:
  struct Done {
    std::uint32_t proc;
    OpKind kind;
    double start, end;
    OpResult result;
  };

  double serve(double start, double work) const {
    return model_.end_of_service ? model_.end_of_service(load_began() + start, work) - load_began() : start + work;
  }
  double due(std::uint32_t index) const { return static_cast<double>(procs_[index].schedule.due().count()); }
  void finish(const Done& done, double until) {
    if (done.end >= until) late_.push_back(done);
    else record(procs_[done.proc], done.kind, done.start, done.start, done.end, done.result);
  }

  StationModel model_;
  TimeHeap<std::uint32_t> arrivals_;
  TimeHeap<int> servers_;   ///< the time when each is free
  std::vector<Done> late_;  ///< ops that end after the current interval
};

}  // namespace

std::unique_ptr<SimBase> make_station_sim(const StationModel& model, std::vector<SimProc> procs,
                                          std::vector<std::string> groups, std::uint64_t seed, std::stop_token stop) {
  return std::make_unique<StationSim>(model, std::move(procs), std::move(groups), seed, std::move(stop));
}

}  // namespace edagen
