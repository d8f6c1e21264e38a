// Values as the bytes of a message, and back. All ranks are the same version of the program, which they compare before
// anything else; machines of different byte orders are not distinguished.
#pragma once

#include <array>
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
#include "edagen/parts/fields.hpp"

namespace edagen {

/// Structs are sent as the members that their fields() list.
class WireWriter {
 public:
  template <class... Values>
  WireWriter& add(const Values&... values) {
    (put(values), ...);
    return *this;
  }
  template <class T>
  void operator()(const char*, const T& member, const FieldRule& = {}) {
    put(member);
  }
  std::string take() { return std::move(bytes_); }

 private:
  /// Most counts are small.
  void put(std::uint64_t value) {
    for (; value >= 128; value >>= 7) bytes_ += static_cast<char>(value | 128);
    bytes_ += static_cast<char>(value);
  }
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
    std::visit([this](const auto& alternative) { this->put(alternative); }, value);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(values.size());
    for (const T& value : values) put(value);
  }
  /// Most counters of a histogram are 0, and most clients are on other hosts: a run of zeros is one number.
  template <std::equality_comparable T>
  void put(const std::vector<T>& values) {
    put(values.size());
    for (std::size_t i = 0; i < values.size();) {
      std::size_t zeros = 0;
      while (i < values.size() && values[i] == T{}) ++zeros, ++i;
      put(zeros);
      if (i < values.size()) put(values[i++]);
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
  template <HasFields T>
  void put(const T& value) {
    fields(*this, value);
  }

  std::string bytes_;
};

class WireReader {
 public:
  explicit WireReader(const std::string& bytes) : next_(bytes.data()), end_(next_ + bytes.size()) {}

  /// Throws Error (run) when there is less than that.
  template <class... Values>
  WireReader& read(Values&... values) {
    (take(values), ...);
    return *this;
  }
  template <class T>
  void operator()(const char*, T& member, const FieldRule& = {}) {
    take(member);
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
  void take(std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(*taken(1));
      value |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) break;
    }
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
  /// The kinds must differ.
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
  template <std::equality_comparable T>
  void take(std::vector<T>& values) {
    values.clear();
    const auto size = take<std::size_t>();
    if (size > 1u << 20) throw run_error("message of another host", "is not what it should be");
    while (values.size() < size) {
      const auto zeros = take<std::size_t>();
      if (zeros > size - values.size()) throw run_error("message of another host", "is not what it should be");
      values.resize(values.size() + zeros);
      if (values.size() < size) take(values.emplace_back());
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
  template <HasFields T>
  void take(T& value) {
    fields(*this, value);
  }

  const char *next_, *end_;
};

template <class T>
std::string to_wire(const T& value) {
  WireWriter writer;
  writer.add(value);
  return writer.take();
}
template <class T>
T from_wire(const std::string& bytes) {
  WireReader reader(bytes);
  return reader.take<T>();
}

}  // namespace edagen
