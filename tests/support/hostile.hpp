// Results whose texts try to be more than text where they are shown.
#pragma once

#include "support/sample_result.hpp"

namespace edagen::testing {

/// Clears the screen, sets the title, begins a line of its own, turns text around, ends scripts, quotes, counts.
inline const std::string hostile =
    "=cmd|'/c calc'!A1,\"x\"\x1b[2J\x1b]0;owned\x07\r\nfake line\u202e</script><!--<script>alert(1)\u2066\x7f";

/// All texts that a file may bring are hostile.
inline Result hostile_result() {
  Result result = sample_result(sample_sweep());
  result.edagen_version = hostile;
  result.command = {hostile, hostile};
  result.plan = {{hostile, hostile}};
  result.host.name = result.host.kernel = hostile;
  result.workload.name = result.workload.phase = hostile;
  result.target.mounts = {{.path = hostile,
                           .source = hostile,
                           .fstype = hostile,
                           .options = hostile,
                           .nfs_version = hostile,
                           .connections = {}}};
  result.series->parameter = hostile;
  result.ort_variant = hostile;
  result.notes = {hostile};
  for (PointFigures& point : result.load_points) {
    point.errors = {{hostile, 1}};
    point.groups.front().workload = hostile;
    NfsFigures nfs;
    nfs.findings = {hostile};
    nfs.fullest_slots.server = hostile;
    nfs.mounts = {{.mount_point = hostile,
                   .source = hostile,
                   .version = hostile,
                   .also_mounted_on = {hostile},
                   .connections = {{.protocol = hostile}},
                   .rpcs = {{hostile, {.requests = 1}}}}};
    point.nfs = nfs;
  }
  return result;
}

inline ComparisonResult hostile_comparison() {
  ComparisonResult comparison = sample_comparison(hostile);
  comparison.edagen_version = hostile;
  comparison.command = {hostile};
  comparison.host.name = hostile;
  for (VariantFigures& variant : comparison.variants) {
    variant.what = hostile;
    variant.name = hostile + std::to_string(&variant - comparison.variants.data());  // each has its own
    variant.last_run = variant_run(hostile_result());
  }
  add_variant(comparison, hostile, hostile, {}, {}, hostile);
  return comparison;
}

/// Nothing in it that a terminal would obey; `texts` quoted are there, though.
inline bool is_inert(const std::string& text) {
  for (const char* const bad : {"\x1b", "\x07", "\r", "\x7f", "\u202e", "\u2066", "\nfake line"})
    if (text.find(bad) != std::string::npos) return false;
  return true;
}

}  // namespace edagen::testing
