// Whether the volumes of a comparison hold the same files.
#pragma once

#include <string>

#include "edagen/comparison_result.hpp"
#include "edagen/units.hpp"

namespace edagen {

/// `dataset`: DatasetTotals or DatasetFigures.
std::string files_text(const auto& dataset) {
  return counted(dataset.files, "file") + ", " + format_bytes(static_cast<Bytes>(dataset.bytes));
}

/// Which variants had other files than the first, as in results that were kept, or where several hosts had no common
/// look at all volumes beforehand; empty: none.
std::string different_files(const ComparisonResult& comparison);

}  // namespace edagen
