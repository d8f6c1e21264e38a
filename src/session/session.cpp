#include "edagen/session.hpp"

#include "session/session_work.hpp"

namespace edagen {

Session::Session(EventSink emit, std::stop_token stop, Nanos stuck_after, Hosts* hosts, WriteFailures write_failures)
    : work_(std::make_unique<SessionWork>(std::move(emit), std::move(stop), stuck_after, hosts,
                                          std::move(write_failures))) {}
Session::~Session() = default;
std::string Session::describe(const RunPlan& plan) { return work_->describe(plan); }
std::string Session::describe(const ComparisonPlan& plan) { return work_->describe(plan); }
Result Session::run(const RunPlan& plan, std::size_t number) { return work_->run(plan, number); }
ComparisonResult Session::run(const ComparisonPlan& plan) { return work_->run(plan); }
StalenessFigures Session::run(const StalenessPlan& plan) { return work_->run(plan); }
void Session::follow(const std::vector<RunPlan>& plans) { work_->follow(plans); }
bool Session::stuck() const { return work_->stuck(); }
bool Session::cleanup_incomplete() const { return work_->cleanup_incomplete(); }

}  // namespace edagen
