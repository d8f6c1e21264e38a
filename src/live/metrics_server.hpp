// Serves metrics over HTTP (Boost.Beast), from a thread of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace edagen {

struct Endpoint {
  std::string address = "127.0.0.1";  ///< in digits
  unsigned short port = 0;            ///< 0: any that is free
};
std::string to_string(const Endpoint& endpoint);  ///< "127.0.0.1:9464", "[::1]:9464"
/// "9464", "127.0.0.1:9464", "[::1]:9464", "0.0.0.0:9464"; a port alone is on the loopback address. Throws Error
/// (usage).
Endpoint parse_endpoint(const std::string& text, const std::string& where);

/// One request on each connection, GET or HEAD of /metrics; 10 s for it and its answer. When there are too many
/// connections, the oldest is closed.
class MetricsServer {
 public:
  /// In OpenMetrics, or in the older format for those who do not ask for it. Called in the server's thread.
  using Text = std::function<std::shared_ptr<const std::string>(bool open_metrics)>;

  /// Binds at once; throws Error (usage) when it cannot.
  MetricsServer(const Endpoint& endpoint, const std::string& where, Text text);
  ~MetricsServer();

  std::string url() const;

 private:
  class Connection;
  struct Loop;
  std::shared_ptr<Loop> loop_;
  std::thread thread_;
};

}  // namespace edagen
