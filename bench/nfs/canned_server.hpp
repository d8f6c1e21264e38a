// A process that answers every RPC with the same results: the other side of a benchmark of clients.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace edagen::bench {

class CannedServer {
 public:
  /// Listens on 127.0.0.1, in a child process.
  explicit CannedServer(std::vector<std::byte> results);
  ~CannedServer();
  CannedServer(const CannedServer&) = delete;
  CannedServer& operator=(const CannedServer&) = delete;
  std::uint16_t port() const { return port_; }

 private:
  pid_t child_ = -1;
  std::uint16_t port_ = 0;
};

}  // namespace edagen::bench
