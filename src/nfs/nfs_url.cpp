#include "edagen/nfs_url.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <limits>

#include "base/words.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr Bytes least_transfer = 1024;
constexpr std::uint64_t most_connections = 64;  ///< an order more than the kernel's client has
constexpr std::uint64_t most_slots = 65'536;
constexpr std::uint64_t most_trusted_seconds = 86'400;
constexpr std::size_t most_path_bytes = 1024;  ///< of MOUNT

std::uint16_t port_of(const std::string& text, const std::string& where) {
  return static_cast<std::uint16_t>(parse_whole(text, where, 1, 65'535));
}

template <std::uint64_t most>
unsigned count_of(const std::string& text, const std::string& where) {
  return static_cast<unsigned>(parse_whole(text, where, 1, most));
}

std::uint32_t id_of(const std::string& text, const std::string& where) {
  return static_cast<std::uint32_t>(parse_whole(text, where, 0, std::numeric_limits<std::uint32_t>::max() - 1));
}

Bytes transfer_of(const std::string& text, const std::string& where) {
  const Bytes bytes = parse_bytes(text, where);
  if (bytes < least_transfer || bytes > GiB || bytes % least_transfer != 0)
    throw usage_error(where, fmt::format("'{}' is not a multiple of 1 KiB up to 1 GiB, such as 256k", text));
  return bytes;
}

bool yes_or_no(const std::string& text, const std::string& where) {
  if (text != "yes" && text != "no") throw usage_error(where, fmt::format("'{}' is not yes or no", text));
  return text == "yes";
}

std::vector<std::string> addresses_of(const std::string& text, const std::string& where) {
  std::vector<std::string> all = split_at(text, ',');
  for (const std::string& one : all) {
    boost::system::error_code error;
    boost::asio::ip::make_address(one, error);
    if (error)
      throw usage_error(where, fmt::format("'{}' is not an address", one), "source=192.0.2.1,192.0.2.2 for two");
  }
  return all;
}

/// One key of a URL: how its value is taken, and what it is; nullopt when it has none.
struct Key {
  const char* name;
  void (*take)(NfsUrl& url, const std::string& value, const std::string& where);
  std::optional<std::string> (*value)(const NfsUrl& url);
};

template <class Number>
std::optional<std::string> text_of(const std::optional<Number>& number) {
  return number ? std::optional(fmt::format("{}", *number)) : std::nullopt;
}

/// A key whose value is the number in `member`, which `parse` reads.
template <auto member, auto parse>
constexpr Key number_key(const char* name) {
  return {name,
          [](NfsUrl& url, const std::string& value, const std::string& where) { url.*member = parse(value, where); },
          [](const NfsUrl& url) { return text_of(std::optional(url.*member)); }};
}

const Key keys[] = {
    {"version",
     [](NfsUrl&, const std::string& value, const std::string& where) {
       if (value != "3")
         throw usage_error(where, fmt::format("'{}' is not 3, the version that edagen's clients have", value));
     },
     [](const NfsUrl&) { return std::optional<std::string>("3"); }},
    number_key<&NfsUrl::nconnect, count_of<most_connections>>("nconnect"),
    number_key<&NfsUrl::slots, count_of<most_slots>>("slots"),
    number_key<&NfsUrl::read_size, transfer_of>("rsize"),
    number_key<&NfsUrl::write_size, transfer_of>("wsize"),
    number_key<&NfsUrl::uid, id_of>("uid"),
    number_key<&NfsUrl::gid, id_of>("gid"),
    number_key<&NfsUrl::mount_port, port_of>("mountport"),
    {"source",
     [](NfsUrl& url, const std::string& value, const std::string& where) { url.sources = addresses_of(value, where); },
     [](const NfsUrl& url) {
       return url.sources.empty() ? std::nullopt : std::optional(fmt::format("{}", fmt::join(url.sources, "+")));
     }},
    {"resvport",
     [](NfsUrl& url, const std::string& value, const std::string& where) {
       url.reserved_ports = yes_or_no(value, where);
     },
     [](const NfsUrl& url) { return std::optional<std::string>(url.reserved_ports ? "yes" : "no"); }},
    {"attributes",
     [](NfsUrl& url, const std::string& value, const std::string& where) {
       url.trusted_time.reset();
       if (value == "ask") return;
       if (value.empty() || !std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; }))
         throw usage_error(where, fmt::format("'{}' is not ask or a number of seconds", value));
       url.trusted_time = std::chrono::seconds(parse_whole(value, where, 0, most_trusted_seconds));
     },
     [](const NfsUrl& url) {
       return std::optional(url.trusted_time ? fmt::format("{}", url.trusted_time->count()) : std::string("ask"));
     }},
};

/// %20 and the like.
std::string decoded(const std::string& text, const std::string& where) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = static_cast<unsigned char>(text[i]);
    if (text[i] == '%') {
      const char* const digits = text.data() + i + 1;
      const bool whole = i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
      if (!whole || byte == 0)
        throw usage_error(where, fmt::format("'{}' has a % that no byte follows, as in %20", text));
      i += 2;
    }
    plain += static_cast<char>(byte);
  }
  return plain;
}

void take_server(NfsUrl& url, const std::string& authority, const std::string& where) {
  // An IPv6 address stands in brackets, since it has colons.
  const bool bracketed = authority.starts_with('[');
  const std::size_t end = bracketed ? authority.find(']') : std::min(authority.find(':'), authority.size());
  if (authority.empty() || end == std::string::npos || end == (bracketed ? 1 : 0))
    throw usage_error(where, fmt::format("'{}' names no host", url.text), "nfs://HOST/EXPORT");
  url.host = authority.substr(bracketed ? 1 : 0, bracketed ? end - 1 : end);
  const std::string rest = authority.substr(bracketed ? end + 1 : end);
  if (url.host.find('@') != std::string::npos)
    throw usage_error(where, fmt::format("'{}' is not a host", url.host), "a user is ?uid=N&gid=N");
  if (rest.empty()) return;
  if (rest.front() != ':') throw usage_error(where, fmt::format("'{}' is not HOST:PORT", authority));
  url.port = port_of(rest.substr(1), where + ": port");
}

void take_query(NfsUrl& url, const std::string& query, const std::string& where) {
  std::vector<std::string> names, seen;
  for (const Key& key : keys) names.emplace_back(key.name);
  for (const std::string& word : split_at(query, '&')) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto* const key = std::ranges::find(keys, name, &Key::name);
    if (key == std::end(keys))
      throw usage_error(where, fmt::format("unknown key '{}'", name), known_names_hint(name, names));
    if (equals == std::string::npos) throw usage_error(where, fmt::format("'{}' has no value", name), name + "=VALUE");
    if (std::ranges::find(seen, name) != seen.end()) throw usage_error(where, fmt::format("has {} twice", name));
    seen.push_back(name);
    key->take(url, word.substr(equals + 1), where + ": " + name);
  }
}

}  // namespace

std::string NfsUrl::source() const {
  return host.find(':') == std::string::npos ? host + ":" + path : "[" + host + "]:" + path;
}

std::string NfsUrl::options() const {
  std::string all;
  for (const Key& key : keys)
    if (const auto value = key.value(*this)) all += (all.empty() ? "" : ",") + std::string(key.name) + "=" + *value;
  return all;
}

NfsUrl parse_nfs_url(const std::string& text, const std::string& where) {
  NfsUrl url;
  url.text = text;
  const std::string rest = text.substr(std::min(text.size(), nfs_scheme.size()));
  const std::size_t question = std::min(rest.find('?'), rest.size()), slash = rest.find('/');
  if (!is_nfs_url(text) || slash >= question)
    throw usage_error(where, fmt::format("'{}' is not nfs://HOST/EXPORT", text), "nfs://filer/vol");
  take_server(url, rest.substr(0, slash), where);
  url.path = decoded(rest.substr(slash, question - slash), where);
  while (url.path.size() > 1 && url.path.ends_with('/')) url.path.pop_back();
  if (url.path.size() > most_path_bytes) throw usage_error(where, "has a path of more than 1,024 bytes");
  if (question < rest.size()) take_query(url, rest.substr(question + 1), where);
  return url;
}

}  // namespace edagen
