// What limited a load point beside the storage: the processors of this host, or procs that do one op at a time.
#pragma once

#include <string>

#include "edagen/result.hpp"

namespace edagen {

constexpr double busy_host_share = 0.9;  ///< of the processors, from which on a host is a limit

/// "processor is", "2 processors are"
std::string processors_text(std::int64_t processors);

/// The host that alone made a load.
struct LoadHost {
  std::int64_t processors = 0;  ///< 0: how busy it was is not known
  HostUse use = {};
  bool is_late = false;  ///< edagen began ops too late
};

constexpr const char* more_for_container = "more processors for this container, or none that are limited";
/// What makes a host less late. Real-time priority helps only where the system has refused it.
constexpr const char* less_late_host = "a quieter host or more processors";
constexpr const char* less_late_host_with_priority =
    "a quieter host or more processors; or real-time priority, which edagen was refused (ulimit -r, or run as root)";
constexpr const char* remedy_of_late_host(bool real_time_refused) {
  return real_time_refused ? less_late_host_with_priority : less_late_host;
}

/// The limit of processors of edagen's container explains that edagen was late or paused.
bool is_throttled(const LoadHost& host);
bool is_throttled(const Result& result, const PointFigures& point);
/// "the limit of processors of this container held edagen up for 40 % of the time"
std::string throttled_text(double share);

/// The use of this host's processors by others: "other programs used 1.6 of this host's 2 processors"; where the
/// container is the limit, that. Empty when some processors were idle, unless edagen was late and others used half of
/// them; and when several hosts made the load. `processors`: other words for "this host's 2 processors".
std::string busy_host_text(const LoadHost& host, const std::string& processors = "");
std::string busy_host_text(const Result& result, const PointFigures& point, const std::string& processors = "");

/// A busy host can bring this about.
bool host_may_be_why(Invalid reason);

/// What mends that this host is the limit.
std::string host_remedy(const LoadHost& host);
std::string host_remedy(const Result& result, const PointFigures& point);

/// Whether ops waited most of the time, and nearly all of that in a short part of the window.
bool has_stalled_time(const PointFigures& point);

/// Whether ops of such means and such a rate wait most of the time until their proc has ended the op before.
bool mostly_wait_for_procs(Millis response, Millis service, double ops_per_sec, double procs);

/// Whether it follows from ops that wait for their procs most of the time, so that one remedy is for all such reasons.
bool busy_procs_explain(Invalid reason, const PointFigures& point);
/// Whether most of the response of an overload is such waiting, though this host was late, too.
bool busy_procs_outweigh_delay(const Result& result, const PointFigures& point);
/// That remedy. Whether it is the storage that makes the procs busy, a single load cannot show.
std::string busy_procs_remedy(const PointFigures& point);
/// The same of an overload in which the service takes so long: "4.94 ms".
std::string remedy_of_overloaded_procs(const std::string& service);
/// The same where it is not known whether ops waited for their procs.
constexpr const char* lower_rate_or_more_procs =
    "a lower --rate, or more procs (--job-sets) if the storage is not at its limit, which edagen curve finds";

/// The one limit that explains why the response is longer than the service, and what shows the storage instead: a busy
/// host before busy procs. A line; "" when the response is the storage's, or another reason is given already.
/// `has_reasons`: the line stands behind the reasons of the point, and those that busy procs explain have the remedy.
std::string limit_line(const Result& result, const PointFigures& point, bool has_reasons = false);

/// The same; where there is no such limit and ops waited behind a few slow ones, that.
std::string waiting_line(const Result& result, const PointFigures& point, bool has_reasons = false);

}  // namespace edagen
