// Messages by an MPI library, through the module that was built for it.
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "hosts/communicator.hpp"
#include "hosts/mpi_module.h"

namespace edagen {

class MpiCommunicator final : public Communicator {
 public:
  /// Loads the module `file` and begins. Throws Error (usage) when it cannot be loaded.
  explicit MpiCommunicator(const std::string& file);
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int ranks_here() const override { return ranks_here_; }
  void send(int to, std::string bytes) override;
  std::optional<Received> poll() override;
  bool all_sent() override;
  void finish(int status) override;
  void abort(int status) override;

 private:
  struct Sending {
    int to;
    std::string bytes;
    void* begun = nullptr;
  };
  const edagen_mpi* module_ = nullptr;
  int rank_ = 0, size_ = 1, ranks_here_ = 1;
  std::list<Sending> sending_;
};

}  // namespace edagen
