// Values as the bytes of a message, and back. All ranks are the same version of the program, which they compare before
// anything else; machines of different byte orders are not told apart.
#pragma once

#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "edagen/error.hpp"

namespace edagen {

/// Types with members to send have a function parts(visit, value), which calls visit(member...); for both ways.
class WireWriter {
 public:
  template <class... Parts>
  WireWriter& operator()(const Parts&... values) {
    (put(values), ...);
    return *this;
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void put(T value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof value);
  }
  template <class Rep, class Period>
  void put(std::chrono::duration<Rep, Period> value) {
    put(value.count());
  }
  void put(const std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class... Kinds>
  void put(const std::variant<Kinds...>& value) {
    put(value.index());
    std::visit([this](const auto& its) { this->put(its); }, value);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    for (const T& value : values) put(value);
  }
  /// Counters of a histogram are mostly 0: runs of zeros are one number.
  void put(const std::vector<std::uint64_t>& counts) {
    put_short(counts.size());
    for (std::size_t i = 0; i < counts.size();) {
      std::size_t zeros = 0;
      while (i < counts.size() && counts[i] == 0) ++zeros, ++i;
      put_short(zeros);
      if (i < counts.size()) put_short(counts[i++]);
    }
  }
  template <class T, std::size_t n>
  void put(const std::array<T, n>& values) {
    for (const T& value : values) put(value);
  }
  template <class K, class V>
  void put(const std::map<K, V>& values) {
    put(values.size());
    for (const auto& [key, value] : values) put(key), put(value);
  }
  template <class T>
  requires requires(WireWriter& writer, const T& value) { parts(writer, value); }
  void put(const T& value) { parts(*this, value); }
  void put_short(std::uint64_t value) {
    for (; value >= 128; value >>= 7) bytes_ += static_cast<char>(value | 128);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

class WireReader {
 public:
  explicit WireReader(const std::string& bytes) : next_(bytes.data()), end_(next_ + bytes.size()) {}

  /// Throws Error (run) when there is less than that.
  template <class... Parts>
  WireReader& operator()(Parts&... values) {
    (take(values), ...);
    return *this;
  }
  template <class T>
  T take() {
    T value{};
    take(value);
    return value;
  }

 private:
  const char* taken(std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(end_ - next_)) throw run_error("message of another host", "is too short");
    const char* const at = next_;
    next_ += bytes;
    return at;
  }
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void take(T& value) {
    std::memcpy(&value, taken(sizeof value), sizeof value);
  }
  template <class Rep, class Period>
  void take(std::chrono::duration<Rep, Period>& value) {
    value = std::chrono::duration<Rep, Period>(take<Rep>());
  }
  void take(std::string& text) {
    const auto size = take<std::size_t>();
    text.assign(taken(size), size);
  }
  template <class T>
  void take(std::optional<T>& value) {
    value.reset();
    if (take<bool>()) take(value.emplace());
  }
  /// Of kinds that differ.
  template <class... Kinds>
  void take(std::variant<Kinds...>& value) {
    const auto index = take<std::size_t>();
    std::size_t kind = 0;
    const bool is_known = (... || (index == kind++ && (take(value.template emplace<Kinds>()), true)));
    if (!is_known) throw run_error("message of another host", "is not what it should be");
  }
  template <class T>
  void take(std::vector<T>& values) {
    values.clear();
    for (auto left = take<std::size_t>(); left > 0; --left) take(values.emplace_back());
  }
  void take(std::vector<std::uint64_t>& counts) {
    counts.clear();
    const std::uint64_t size = take_short();
    if (size > 1u << 20) throw run_error("message of another host", "is not what it should be");
    while (counts.size() < size) {
      const std::uint64_t zeros = take_short();
      if (zeros > size - counts.size()) throw run_error("message of another host", "is not what it should be");
      counts.resize(counts.size() + zeros);
      if (counts.size() < size) counts.push_back(take_short());
    }
  }
  template <class T, std::size_t n>
  void take(std::array<T, n>& values) {
    for (T& value : values) take(value);
  }
  template <class K, class V>
  void take(std::map<K, V>& values) {
    values.clear();
    for (auto left = take<std::size_t>(); left > 0; --left) {
      const K key = take<K>();
      take(values[key]);
    }
  }
  template <class T>
  requires requires(WireReader& reader, T& value) { parts(reader, value); }
  void take(T& value) { parts(*this, value); }
  std::uint64_t take_short() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(*taken(1));
      value |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) break;
    }
    return value;
  }

  const char *next_, *end_;
};

template <class T>
std::string to_wire(const T& value) {
  WireWriter writer;
  writer(value);
  return writer.take();
}
template <class T>
T from_wire(const std::string& bytes) {
  WireReader reader(bytes);
  return reader.take<T>();
}

}  // namespace edagen
