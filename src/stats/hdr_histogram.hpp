// Histograms for others: as HdrHistogram (hdrhistogram.org) writes them, encoding V2, compressed, in base64
// ("HISTFAAAA..."). Any implementation of it reads, merges and plots them.
#pragma once

#include <string>

#include "edagen/parts/latency_histogram.hpp"

namespace edagen {

/// In ns, of three significant digits. A bucket counts at its middle, so that percentiles are those that
/// LatencyHistogram::percentile() gives, and means lie on neither side of the true ones. The maximum counts as itself.
std::string hdr_encoded(const LatencyHistogram& latency);

}  // namespace edagen
