#include "rpc/rpc_call.hpp"

#include "rpc/rpc_connection.hpp"

namespace edagen {

RpcCall::~RpcCall() {
  if (connection_) connection_->forget(*this);
}

}  // namespace edagen
