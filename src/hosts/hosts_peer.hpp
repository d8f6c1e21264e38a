// What a rank knows of each of the others, and the kinds of message between them.
#pragma once

#include "hosts/hosts.hpp"

namespace edagen {

enum class Hosts::Kind : std::uint8_t {
  hello,
  message,
  ping,
  pong,
  stopping,  ///< a signal has come
  hanging,   ///< ops there do not return, with words
  ended,     ///< of the others: this rank's part is over, with a status and an error
  end,       ///< of the leader: it is over
  bye        ///< of the leader: all have ended
};

struct Hosts::Peer {
  struct Ended {
    int status = 0;
    std::string error;
  };
  std::deque<std::pair<About, std::string>> inbox;
  TimePoint heard{};
  Nanos answered{0};  ///< when the last ping that it answered was sent
  bool here = false, lost = false, stopping = false;
  std::optional<Ended> ended;
  std::string hanging;  ///< which op does not return there; empty: none
  ClockOffset clock{Nanos(0), Nanos::max()};
  Nanos round_trip{Nanos::max()}, wall_offset{0};
  TimePoint clock_at{};
};

}  // namespace edagen
