// A command of the user's before each load point, as one that drops the caches of a server.
#pragma once

#include <stop_token>
#include <string>

#include "edagen/load_runner.hpp"
#include "edagen/run_plan.hpp"

namespace edagen {

/// Runs the command before each load point of full length, and before the first load of a search: blocks of a search
/// are one load. No op is in flight while it runs. A command that fails is logged, and the load is made all the same.
class PreparedLoad : public LoadRunner {
 public:
  /// Both outlive this.
  PreparedLoad(LoadRunner& runner, const PointCommand& command, std::stop_token stop)
      : runner_(runner), command_(command), stop_(std::move(stop)) {}

  RunStats run(const LoadPoint& load, const EventSink& emit) override;
  std::uint64_t end_load() override { return runner_.end_load(); }

  /// What a result notes of commands that failed; empty: none did.
  std::string note() const;

 private:
  void prepare(const LoadPoint& load);

  LoadRunner& runner_;
  const PointCommand& command_;
  const std::stop_token stop_;
  std::size_t loads_ = 0, prepared_ = 0, failed_ = 0;
};

}  // namespace edagen
