#include "workload/fio_transfer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace edagen {
namespace {

using nlohmann::ordered_json;

constexpr Bytes largest_block = 64 * MiB;
constexpr Bytes default_block = 4 * KiB;
constexpr std::int64_t most_sizes = 999;  // a distribution of a workload file has up to 1,000

std::optional<std::string> direction_value(const FioWord* word, std::size_t direction) {
  return word == nullptr ? std::nullopt : fio_directions(*word)[direction];
}

FioBlocks of_shares(const std::vector<FioShare>& shares) {
  FioBlocks blocks{{{"weighted", ordered_json::array()}}, shares.front().size, 0, 0};
  for (const FioShare& share : shares) {
    blocks.json["weighted"].push_back({{"size", share.size}, {"weight", share.percent}});
    blocks.smallest = std::min(blocks.smallest, share.size);
    blocks.largest = std::max(blocks.largest, share.size);
    blocks.mean += static_cast<double>(share.size) * share.percent / 100;
  }
  return blocks;
}

/// Multiples of the smallest size, as fio draws them: fio draws evenly between the smallest size and the sum of both
/// sizes, rounds down, and takes the largest size for everything above it.
FioBlocks of_range(const FioRange& range, bool unaligned) {
  const double width = static_cast<double>(range.high);
  if (unaligned) {
    const double at_high = static_cast<double>(range.low) / width;
    return {{{"weighted",
              {{{"low", range.low}, {"high", range.high}, {"weight", 100 * (1 - at_high)}},
               {{"size", range.high}, {"weight", 100 * at_high}}}}},
            range.low,
            range.high,
            static_cast<double>(range.low + range.high) / 2 * (1 - at_high) + width * at_high};
  }
  const Bytes step = range.low * (range.high / range.low / (most_sizes + 1) + 1);
  std::vector<FioShare> shares;
  for (Bytes size = range.low; size <= range.high; size += step) {
    const Bytes end = std::min(size + step, range.low + range.high);
    shares.push_back({size, 100 * static_cast<double>(end - size) / width});
  }
  const Bytes last = shares.back().size + step;
  if (const Bytes end = range.low + range.high; end > last)
    shares.push_back({range.high, 100 * static_cast<double>(end - last) / width});
  return of_shares(shares);
}

/// Multiples of the smallest size, to which fio rounds down.
FioBlocks of_split(std::vector<FioShare> shares, bool unaligned) {
  const Bytes smallest = std::ranges::min(shares, {}, &FioShare::size).size;
  for (FioShare& share : shares)
    if (!unaligned) share.size -= share.size % smallest;
  return of_shares(shares);
}

}  // namespace

FioBlocks fio_blocks(const FioSection& job, std::size_t direction) {
  const FioWord *const range = job.find("bsrange"), *const split = job.find("bssplit"), *const one = job.find("bs");
  if (range != nullptr && split != nullptr)
    split->refuse("is given beside bsrange: which of them fio follows depends on their order and sizes", "give one");
  const FioWord* const unaligned_word = job.find("bs_unaligned");
  const bool unaligned = unaligned_word != nullptr && fio_bool(*unaligned_word);
  const FioWord* word = split != nullptr ? split : range;
  FioBlocks blocks;
  if (const auto text = direction_value(word, direction)) {
    blocks = split != nullptr ? of_split(fio_split(*text, *word), unaligned)
                              : of_range(fio_range(*text, *word, false), unaligned);
  } else {
    const auto size = direction_value(word = one, direction);
    if (size && size->find_first_of("-:") != std::string::npos)
      one->refuse(fmt::format("'{}' is a range", *size), "bsrange=4k-64k, or bs=4k,64k for reads and writes");
    const Bytes bytes = size ? fio_number(*size, *one) : default_block;
    if (bytes < 1) one->refuse(fmt::format("'{}' has a size below 1", one->text()));
    blocks = {bytes, bytes, bytes, static_cast<double>(bytes)};
  }
  if (blocks.largest > largest_block)
    word->refuse(
        fmt::format("a block of {}; edagen's are up to {}", format_bytes(blocks.largest), format_bytes(largest_block)));
  return blocks;
}

double fio_ops_per_second(const FioSection& job, std::size_t direction, const FioBlocks& blocks) {
  const auto rate_of = [&](const char* option) {
    const FioWord* const word = job.find(option);
    auto text = direction_value(word, direction);
    if (text && text->ends_with("/s")) text->resize(text->size() - 2);  // which fio does not read
    return text ? static_cast<double>(fio_number(*text, *word)) : 0;
  };
  const double bytes = rate_of("rate"), ops = rate_of("rate_iops");
  if (bytes > 0 && ops > 0) job.find("rate_iops")->refuse("is given beside rate, which fio refuses", "give one");
  // fio counts bytes: an op of rate_iops has the smallest size.
  return (bytes > 0 ? bytes : ops * static_cast<double>(blocks.smallest)) / blocks.mean;
}

}  // namespace edagen
