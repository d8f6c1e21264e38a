// Histograms in the format of HdrHistogram (hdrhistogram.org), encoding V2, compressed, in base64 ("HISTFAAAA..."),
// which every implementation reads, merges and plots.
#pragma once

#include <string>

#include "edagen/parts/latency_histogram.hpp"

namespace edagen {

/// Encodes in ns with three significant digits. A bucket counts at its middle, so that means are unbiased, and readers,
/// which do not interpolate, have the percentiles of LatencyHistogram::percentile() within half a bucket, 0.8 %. The
/// maximum is exact.
std::string hdr_encoded(const LatencyHistogram& latency);

}  // namespace edagen
