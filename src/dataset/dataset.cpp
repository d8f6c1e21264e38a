#include "dataset/dataset.hpp"

#include <fmt/format.h>

#include <random>

#include "base/rfc3339.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

std::string random_id() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

void check_place(const PlaceRoom& place, const DatasetTotals& need) {
  const auto check = [&](double needed, double there, const auto& text) {
    if (needed > there)
      throw usage_error(
          place.place,
          fmt::format("the dataset needs {}, {} are free: {} too few", text(needed), text(there), text(needed - there)),
          "use a smaller --dataset-scale or fewer --clients, or free some");
  };
  check(need.space, place.free.bytes, [](double bytes) { return format_bytes(static_cast<Bytes>(bytes)); });
  if (place.free.inodes)
    check(static_cast<double>(need.files + need.directories), *place.free.inodes,
          [](double inodes) { return format_count(inodes) + " inodes"; });
}

}  // namespace

void FoundDataset::add(const std::string& path, const std::optional<DatasetMarker>& marker) {
  ++places_;
  if (!marker) return;
  const std::string mend = "edagen clean removes it";
  if (marker->fingerprint != plan_.fingerprint)
    throw usage_error(path, "holds other files than this workload, seed, scale and number of clients need", mend);
  if (marker->complete && !reuse_)
    throw usage_error(path, "holds a dataset of an earlier run", "--reuse-dataset, or " + mend);
  ++there_;
  complete_ += marker->complete ? 1 : 0;
}

DatasetMarker fresh_marker(const DatasetPlan& plan) {
  return {.id = random_id(),
          .fingerprint = plan.fingerprint,
          .complete = false,
          .made_at = rfc3339_now(),
          .budget_bytes = plan.budget_bytes};
}

void check_room(const DatasetPlan& plan, const std::vector<PlaceRoom>& places) {
  std::map<std::string, DatasetTotals> needs;
  for (std::size_t i = 0; i < places.size(); ++i) needs[places[i].volume] += plan.totals_on(i);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto of_volume = needs.extract(places[i].volume);  // once, at the first of its places
    check_place(places[i], of_volume ? of_volume.mapped() : plan.totals_on(i));
  }
}

std::vector<std::uint64_t> first_directories(const DatasetPlan& plan,
                                             const std::function<bool(const PlannedProc&)>& has) {
  std::vector<std::uint64_t> first = {0};
  for (std::size_t i = 0; i < plan.procs.size(); ++i)
    first.push_back(first.back() +
                    (plan.has_directory(i) && has(plan.procs[i]) ? plan.procs[i].files.dataset().directories : 0));
  return first;
}

}  // namespace edagen
