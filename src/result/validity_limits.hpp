// The limits that load points and answers are judged by, where their reasons are printed with the figures.
#pragma once

namespace edagen::validity_limits {

inline constexpr double reached_share = 0.95;           ///< of the requested rate
inline constexpr double exceeded_share = 1.05;          ///< of the requested rate: more ops than were due
inline constexpr double proc_share = 0.75;              ///< of a proc's own rate
inline constexpr double mix_share = 0.05;               ///< by which a kind of procs may be off its share of the ops
inline constexpr double pause_seconds = 0.1;            ///< that edagen may be without a processor at once
inline constexpr double paused_share = 0.05;            ///< of the time, in which edagen may be without a processor
inline constexpr double own_delay_share = 0.1;          ///< of the response, that may be edagen's own delay
inline constexpr double waiting_share = 0.4;            ///< of the response, which is mostly waiting from there on
inline constexpr double all_busy_share = 0.95;          ///< of the processors: a host is nearly all busy
inline constexpr double answer_half_width_share = 0.1;  ///< of the rate: of an answer's interval

}  // namespace edagen::validity_limits
