#include "session/files_of_volumes.hpp"

#include <fmt/format.h>

namespace edagen {

std::string different_files(const ComparisonResult& comparison) {
  const VariantFigures* first = nullptr;
  for (const VariantFigures& variant : comparison.variants) {
    if (!variant.last_run || variant.last_run->target.kind == TargetKind::sim) continue;
    if (first == nullptr) first = &variant;
    const DatasetFigures &dataset = variant.last_run->dataset, &of_first = first->last_run->dataset;
    if (dataset.files == of_first.files && dataset.directories == of_first.directories &&
        dataset.bytes == of_first.bytes)
      continue;
    return fmt::format("the volumes had different files: {} ({}) and {} ({}); edagen clean removes those that are kept",
                       first->name, files_text(of_first), variant.name, files_text(dataset));
  }
  return "";
}

}  // namespace edagen
