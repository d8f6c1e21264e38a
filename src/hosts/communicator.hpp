// Messages between the processes (ranks) of one run.
#pragma once

#include <optional>
#include <string>

#include "edagen/error.hpp"

namespace edagen {

/// A message to a rank could not be sent.
class SendError : public Error {
 public:
  explicit SendError(int to)
      : Error(Kind::run, "MPI", "a message to rank " + std::to_string(to) + " could not be sent"), to_(to) {}
  int to() const { return to_; }

 private:
  int to_;
};

struct Received {
  int from = 0;
  std::string bytes;
};

/// For the thread that made it alone. Nothing blocks but finish(). Messages between two ranks keep their order.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual int ranks_here() const = 0;  ///< on this host, this one among them
  /// Throws SendError.
  virtual void send(int to, std::string bytes) = 0;
  /// Moves on what is being sent; the next message that has come. Throws Error (run) when the library fails, SendError
  /// once for each message that it gives up.
  virtual std::optional<Received> poll() = 0;
  /// All that was given to send() has gone. Throws as poll().
  virtual bool all_sent() = 0;
  /// All ranks call it, at about the same time, and nothing afterwards. Where the library does not come to an end by
  /// itself the process ends, with this status.
  virtual void finish(int status) = 0;
  /// Ends the processes of all ranks, this one too.
  virtual void abort(int status) = 0;
};

}  // namespace edagen
