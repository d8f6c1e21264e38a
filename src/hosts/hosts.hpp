// The ranks of one run, as each of them sees the others: messages with names, the clocks of the others, who is lost,
// and an end that all share. Rank 0 leads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "edagen/clock.hpp"
#include "edagen/error.hpp"
#include "hosts/communicator.hpp"

namespace edagen {

/// What a message is about. Both ends know what comes next: another one is an error.
enum class About : std::uint8_t {
  facts,     ///< what is to be agreed on, and the verdict
  command,   ///< of the leader: what comes next
  ready,     ///< for a load point
  start,     ///< of it: when
  interval,  ///< what was seen in it
  decision,  ///< what comes after a phase of it
  outcome    ///< of it, or of another command
};

struct HostsOptions {
  Nanos deadline = std::chrono::seconds(10);         ///< a rank that was silent for so long is lost
  std::string name;                                  ///< of this host
  std::string version;                               ///< of this program: all are to have the same
  Nanos conclude_within = std::chrono::seconds(20);  ///< once the end is known: who has not ended then is made to
};

/// The clock of another rank against the leader's.
struct ClockOffset {
  Nanos offset{0};       ///< its time less the leader's
  Nanos uncertainty{0};  ///< half the round trip
};

/// Clients that are dealt out to hosts. Client c works on mount c mod `mounts`.
struct DealtClients {
  std::uint64_t count = 0;
  std::uint64_t mounts = 1;
};

/// One thread of its own moves all messages (MPI_THREAD_FUNNELED), so that ranks hear of each other whatever this one
/// does. All but stop_when_told() may be called by one thread.
class Hosts {
 public:
  /// `connect` is called in the thread that moves the messages; what it throws is thrown here.
  Hosts(const std::function<std::unique_ptr<Communicator>()>& connect, HostsOptions options);
  /// Without conclude() before it, all ranks end by the communicator's abort().
  ~Hosts();
  Hosts(const Hosts&) = delete;
  Hosts& operator=(const Hosts&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  int ranks_here() const { return ranks_here_; }  ///< on this host, this one among them
  bool leads() const { return rank_ == 0; }
  /// Whether the procs of a client are on this rank. One client after the other, so that clients which join a load
  /// later spread over the hosts. When the same hosts and mounts would meet again, the ranks shift by one.
  bool has(std::uint64_t client, const DealtClients& dealt) const;
  /// "host (rank 3)". The leader has the names of all ranks, the others their own and rank 0's.
  std::string called(int rank) const;
  const std::string& name(int rank) const { return names_[static_cast<std::size_t>(rank)]; }

  void send(int to, About about, std::string bytes);
  void send_all(About about, const std::string& bytes);  ///< of the leader
  /// Waits. Throws Error when that rank, or any, is lost or has ended for an error.
  std::string receive(int from, About about);
  /// nullopt when none has come, and when that rank is lost or has ended.
  std::optional<std::string> poll(int from, About about);
  /// Waits a moment, or until something comes.
  void rest();
  /// On the leader: one message per rank, in rank order. On other ranks: empty.
  std::vector<std::string> gather(std::string own);
  /// The leader's, everywhere.
  std::string broadcast(std::string text = {});
  /// Returns when all are here.
  void meet();

  /// Measures the clocks of all ranks; of the leader.
  void synchronize();
  ClockOffset clock(int rank) const;
  /// The longest round trip that was seen; of the leader.
  Nanos round_trip() const;
  /// By how much the time of day of a rank differs from this one's; of the leader, after synchronize().
  Nanos wall_clock_offset(int rank) const;

  /// The first that went wrong with the others; nullopt: nothing.
  std::optional<Error> failure() const;
  bool gone(int rank) const;
  /// Whether the leader has called conclude(); on other ranks.
  bool leader_has_ended() const;
  /// Asks all others for a sign of life; of the leader. Each answers at once, whatever it does.
  void call();
  /// Whether the rank has answered a question of `since` or later, or has reported that a signal came there.
  bool answered(int rank, TimePoint since) const;
  /// Declares ranks lost, all of them for the same reason.
  void lose(const std::vector<int>& ranks, const std::string& why);
  /// Reports that ops do not return here (`what`): the leader ends the run and names this host. On any rank.
  void tell_hanging(const std::string& what);
  /// Ends the run for ops of these ranks that never returned, and names them; of the leader.
  void end_for_hanging(const std::vector<int>& ranks);

  /// Sends `stop` of this rank to all other ranks, which call their `end`: a launcher sends a signal to all ranks, and
  /// the end of a time limit or of the reader of stdout comes to the leader alone.
  void stop_when_told(std::stop_token stop, std::function<void()> end);

  struct End {
    int status = 0;
    std::vector<std::string> errors;  ///< of others, with their hosts
  };
  /// The run is over here, with this exit status; `error`: why, if it failed. Waits for the others, which are made to
  /// end, and returns the errors of all: on the leader. On other ranks that fail it returns the leader's status,
  /// or 1 where that is not known: launchers take that of any process for the run's. The others wait for as long as the
  /// leader works, and from its end or a failure on not longer than it waits for them. When ranks are lost the process
  /// ends here.
  End conclude(int status, const std::string& error);

 private:
  enum class Kind : std::uint8_t {
    hello,
    message,
    ping,
    pong,
    stopping,  ///< this rank, or another one by way of the leader, is to end
    hanging,   ///< ops there do not return, with words
    ended,     ///< of the others: this rank's part is over, with a status and an error
    end,       ///< of the leader: it is over
    bye        ///< of the leader: all have ended, and with which status it does
  };

  /// What is known of another rank.
  struct Peer {
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

  void live(const std::function<std::unique_ptr<Communicator>()>& connect);
  void move_messages();
  void unless_broken(const std::function<void()>& move);
  void take(Received received);
  void post(int to, Kind kind, std::string bytes);
  void beat(TimePoint at);
  void ping(int rank);
  void ping_all();
  void answer(int from, const std::string& ping);
  void note_answer(int from, const std::string& pong, TimePoint at);
  void watch_silence(TimePoint at);
  void note_end(int from, Kind kind, const std::string& bytes, TimePoint at);
  void note_hanging(int rank, const std::string& what, TimePoint at);
  void judge_hanging(TimePoint at);
  void name_hanging();
  void fail(Error error);
  std::optional<std::string> taken(int from, About about);

  const HostsOptions options_;
  int rank_ = 0, size_ = 1, ranks_here_ = 1;
  std::vector<std::string> names_;

  mutable std::mutex mutex_;
  std::condition_variable came_, to_do_;
  std::unique_ptr<Communicator> communicator_;  ///< of the thread
  std::deque<Received> outbox_;
  std::vector<Peer> peers_;
  std::optional<Error> failure_;
  std::function<void()> end_;
  bool connected_ = false, bye_ = false, over_ = false, aborts_ = false;
  std::atomic<bool> told_to_stop_{false};
  int exit_status_ = 1, leaders_status_ = 1;
  std::optional<std::string> ended_by_leader_;
  std::optional<TimePoint> hanging_since_;  ///< the first report; reset when the ranks are named
  int synchronizing_ = -1, pings_left_ = 0;
  TimePoint hot_until_{}, last_beat_{}, last_turn_{};
  std::optional<TimePoint> finishes_at_;  ///< when all has been sent
  std::exception_ptr connect_failed_;
  std::optional<std::stop_callback<std::function<void()>>> on_stop_;
  std::thread thread_;
};

}  // namespace edagen
