#include "session/cache_warning.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/text_file.hpp"
#include "edagen/error.hpp"

namespace edagen {

std::string cache_warning(Bytes dataset, Bytes free_memory, const IoFigures& io, const std::string& what) {
  if (dataset == 0 || dataset >= free_memory || io.direct || io.drop_caches) return "";
  return fmt::format(
      "the {} ({} per host) fits in the free memory of this host and not all I/O is direct: reads may show the "
      "speed of this host's page cache, not of the storage; with a larger --dataset-scale or --direct they do not",
      what, format_bytes(dataset));
}

Bytes free_memory_of(const std::string& meminfo) {
  constexpr std::string_view name = "MemAvailable:";
  std::size_t at = meminfo.find(name);
  if (at == std::string::npos) return 0;
  at = meminfo.find_first_not_of(' ', at + name.size());
  Bytes kib = 0;
  if (at != std::string::npos) std::from_chars(meminfo.data() + at, meminfo.data() + meminfo.size(), kib);
  return kib * KiB;
}

Bytes free_memory() {
  try {
    return free_memory_of(read_text_file("/proc/meminfo", MiB));
  } catch (const Error&) {  // no /proc
    return 0;
  }
}

}  // namespace edagen
