#include "dataset/dataset_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace edagen {
namespace {

constexpr std::uint32_t power_of_ten(int exponent) { return exponent == 0 ? 1 : 10 * power_of_ten(exponent - 1); }

/// The two halves of a number are computed independently, while digits would depend on each other.
template <int width>
void write_digits(std::uint32_t value, char* at) {
  if constexpr (width == 1) {
    *at = static_cast<char>('0' + value);
  } else {
    constexpr int lower = width / 2;
    write_digits<width - lower>(value / power_of_ten(lower), at);
    write_digits<lower>(value % power_of_ten(lower), at + width - lower);
  }
}

constexpr std::size_t most_digits = 20;

/// Writes at least `width` digits; few numbers have more.
template <int width>
char* write_number(std::uint64_t value, char* at) {
  if (value >= power_of_ten(width)) return std::to_chars(at, at + most_digits, value).ptr;
  write_digits<width>(static_cast<std::uint32_t>(value), at);
  return at + width;
}

/// The number in a name that is a letter and `digits` digits or more.
std::optional<std::uint64_t> number_in(std::string_view name, char letter, std::size_t digits) {
  std::uint64_t number = 0;
  if (name.size() < 1 + digits || name[0] != letter) return std::nullopt;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

constexpr int directory_digits = 3;
constexpr int file_digits = 6;

char letter_of(NameClass cls) {
  switch (cls) {
    case NameClass::data: return 'f';
    case NameClass::empty: return 'e';
    case NameClass::made_dir: return 'm';
    case NameClass::symlink: return 's';
    case NameClass::hard_link: return 'l';
    case NameClass::dataset_dir: return 'd';
    case NameClass::none: break;
  }
  return '.';
}

}  // namespace

std::string proc_directory(std::uint64_t client, std::uint64_t proc_of_client) {
  return fmt::format("c{:04}/p{:02}", client, proc_of_client);
}

bool is_directory_name(std::string_view name, int level) {
  return (level == 0   ? number_in(name, 'c', 4)
          : level == 1 ? number_in(name, 'p', 2)
                       : number_in(name, letter_of(NameClass::dataset_dir), directory_digits))
      .has_value();
}

NameWriter::NameWriter(const DatasetSpec& dataset)
    : directories_(dataset.directories),
      data_files_(std::max<std::uint64_t>(1, dataset.data_files)),
      depth_(dataset.depth),
      fan_out_(static_cast<std::uint64_t>(
          std::ceil(std::pow(static_cast<double>(dataset.directories), 1.0 / dataset.depth) - 1e-9))) {
  while (std::pow(static_cast<double>(fan_out_), depth_) < static_cast<double>(directories_)) ++fan_out_;
}

std::uint64_t NameWriter::directory_of(NameRef ref) const {
  const bool beside_its_target = ref.cls == NameClass::symlink || ref.cls == NameClass::hard_link;
  return (beside_its_target ? ref.index % data_files_ : ref.index) % directories_;
}

char* NameWriter::write_directory(std::uint64_t index, char* buffer) const {
  if (depth_ == 1) {
    *buffer++ = 'd';
    buffer = write_number<directory_digits>(index, buffer);
  } else {
    std::uint64_t unit = 1;
    for (int level = 1; level < depth_; ++level) unit *= fan_out_;
    for (int level = 0; level < depth_; ++level, unit /= fan_out_) {
      if (level > 0) *buffer++ = '/';
      *buffer++ = 'd';
      buffer = write_number<directory_digits>(index / unit % fan_out_, buffer);
    }
  }
  *buffer = 0;
  return buffer;
}

char* NameWriter::write_leaf(NameRef ref, char* buffer) const {
  *buffer++ = letter_of(ref.cls);
  buffer = write_number<file_digits>(ref.index, buffer);
  *buffer = 0;
  return buffer;
}

char* NameWriter::write(NameRef ref, char* buffer) const {
  if (ref.cls == NameClass::dataset_dir) return write_directory(ref.index, buffer);
  if (ref.cls == NameClass::none) {
    *buffer++ = '.';
    *buffer = 0;
    return buffer;
  }
  buffer = write_directory(directory_of(ref), buffer);
  *buffer++ = '/';
  return write_leaf(ref, buffer);
}

std::string NameWriter::path(NameRef ref) const {
  char buffer[longest];
  return std::string(buffer, write(ref, buffer));
}

NameRef NameWriter::parse_leaf(std::string_view leaf) {
  for (const NameClass cls :
       {NameClass::data, NameClass::empty, NameClass::made_dir, NameClass::symlink, NameClass::hard_link})
    if (const auto number = number_in(leaf, letter_of(cls), file_digits)) return {cls, *number};
  return {};
}

}  // namespace edagen
