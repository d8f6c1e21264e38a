// Why a connection could not be made, in words that a user can use.
#pragma once

#include <string>

#include "rpc/rpc_connection.hpp"

namespace edagen {

struct ConnectErrorText {
  std::string what;  ///< "nothing listens at 10.0.0.1:2049 (Connection refused)"
  std::string hint;  ///< may be empty
};

/// `error`: of RpcConnectionSettings::on_change or RpcReply::error.
ConnectErrorText connect_error_text(int error, const RpcConnectionSettings& settings);

/// "10.0.0.1:2049", "[fe80::1]:2049".
std::string endpoint_text(const boost::asio::ip::tcp::endpoint& endpoint);

}  // namespace edagen
