// Histograms in the format of HdrHistogram (hdrhistogram.org), encoding V2, compressed, in base64 ("HISTFAAAA..."),
// which every implementation reads, merges and plots.
#pragma once

#include <string>

#include "edagen/parts/latency_histogram.hpp"

namespace edagen {

/// Encodes in ns with three significant digits. A bucket counts at its middle, so that percentiles are those of
/// LatencyHistogram::percentile(), and means are unbiased. The maximum is exact.
std::string hdr_encoded(const LatencyHistogram& latency);

}  // namespace edagen
