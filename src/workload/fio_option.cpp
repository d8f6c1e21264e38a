#include "workload/fio_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <vector>

#include "base/words.hpp"

namespace edagen {
namespace {

using Use = FioOption::Use;

constexpr const char* no_priority = "ops have no priorities here";

constexpr std::array engine_options{
    FioOption{"cmdprio_percentage", "list", "0", Use::noted, no_priority},
    FioOption{"cmdprio_class", "list", "", Use::detail, "cmdprio_percentage"},
    FioOption{"cmdprio_hint", "list", "", Use::detail, "cmdprio_percentage"},
    FioOption{"cmdprio", "list", "", Use::detail, "cmdprio_percentage"},
    FioOption{"cmdprio_bssplit", "text", "", Use::noted, no_priority},
    FioOption{"fixedbufs", "flag", "", Use::without_io, ""},
    FioOption{"registerfiles", "flag", "", Use::without_io, ""},
    FioOption{"nonvectored", "text", "", Use::without_io, ""},
    FioOption{"sqthread_poll", "flag", "", Use::without_io, ""},
    FioOption{"sqthread_poll_cpu", "int", "", Use::without_io, ""},
    FioOption{"userspace_reap", "flag", "", Use::without_io, ""},
    FioOption{"force_async", "int", "", Use::without_io, ""},
    FioOption{"thp", "bool", "", Use::without_io, ""},
    FioOption{"hipri", "flag", "0", Use::noted, "completions are not polled for here"},
    FioOption{"hipri_percentage", "int", "", Use::detail, "hipri"},
    FioOption{"uncached", "int", "0", Use::noted, "reads and writes go through the page cache here, unless direct=1"},
    FioOption{"nowait", "int", "0", Use::noted, "reads and writes wait for what they need here"},
    FioOption{"write_mode", "text", "write", Use::noted, "edagen writes data"},
    FioOption{"verify_mode", "text", "", Use::detail, "verify"},
    FioOption{"stat_type", "stat|lstat|statx", "stat", Use::noted, "edagen's stat ops are calls of statx or fstatat"},
    FioOption{"nfs_url", "text", "", Use::detail, "ioengine"},
};

/// Options of engines that are refused.
constexpr const char* of_refused_engines =
    "cmd_type md_per_io_size pi_act pi_chk apptag apptag_mask deac cpuload cpuchunks cpumode exit_on_io_done namenode "
    "port hostname serverip direct_write_to_pmem busy_wait_polling interface ttl nodelay protocol proto listen "
    "pingpong "
    "window_size mss donorname inplace clustername rbdname clientname conf busy_poll touch_objects pool cont "
    "chunk_size "
    "object_class skip_bad hdfsdirectory verb bindname readfua writefua sg_write_mode stream_id http_host http_user "
    "http_pass https http_mode http_s3_region http_s3_key http_s3_keyid http_s3_security_token "
    "http_s3_sse_customer_key http_s3_sse_customer_algorithm http_s3_storage_class http_swift_auth_token http_verbose "
    "http_object_mode uri gpu_dev_ids cuda_io program arguments grace_time std_redirect xnvme_async xnvme_sync "
    "xnvme_admin xnvme_dev_nsid xnvme_dev_subnqn xnvme_iovec xnvme_mem libblkio_driver libblkio_path "
    "libblkio_pre_connect_props libblkio_num_entries libblkio_queue_size libblkio_pre_start_props "
    "libblkio_force_enable_completion_eventfd libblkio_vectored libblkio_write_zeroes_on_trim libblkio_wait_mode "
    "brick volume single_instance lun namespace";
constexpr FioOption of_refused_engine{"", "text", "", Use::refused, "it belongs to an engine that cannot be imported"};

std::vector<std::string> words_of(const std::string& text, char separator) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, separator);) words.push_back(word);
  return words;
}

using OptionsByName = std::map<std::string, const FioOption*>;

const OptionsByName& options_by_name() {
  static const OptionsByName options = [] {
    OptionsByName made;
    for (const std::string& name : words_of(of_refused_engines, ' ')) made[name] = &of_refused_engine;
    for (const std::span<const FioOption> table : {fio_job_options(), fio_engine_options()})
      for (const FioOption& option : table)
        for (const std::string& name : words_of(option.names, ' ')) made[name] = &option;
    return made;
  }();
  return options;
}

void check_choice(const FioOption& option, const FioWord& word) {
  const std::vector<std::string> values = words_of(option.type, '|');
  const std::string text = word.text(), first = text.substr(0, text.find(':')) + ":";
  if (std::ranges::any_of(values, [&](const std::string& value) { return value == text || value == first; })) return;
  std::string known;
  for (const std::string& value : values) known += (known.empty() ? "" : ", ") + value.substr(0, value.find(':'));
  word.refuse(fmt::format("'{}' is none of {}", word.text(), known));
}

/// A whole number within a range such as "-20..19"; the range is where fio refuses what is beyond.
std::string number_within(const std::string& range, const std::string& text, const FioWord& word) {
  const std::string low = range.substr(0, range.find("..")), high = range.substr(low.size() + 2);
  const std::int64_t number = text.starts_with('-') ? -fio_number(text.substr(1), word) : fio_number(text, word);
  if (number < std::stoll(low) || number > std::stoll(high))
    word.refuse(fmt::format("'{}' is not {} to {}", text, low, high));
  return std::to_string(number);
}

/// The value in the form that is compared with the default: numbers by their value, not their spelling.
std::string plain_value(const FioOption& option, const std::string& text, const FioWord& word) {
  const std::string_view type = option.type;
  if (type == "flag" || type == "bool") return fio_bool(word) ? "1" : "0";
  if (type == "int") return std::to_string(fio_number(text, word));
  if (type.find("..") != std::string_view::npos) return number_within(option.type, text, word);
  if (type == "time") return std::to_string(fio_time(text, word, std::chrono::seconds(1)).count());
  if (type == "usec") return std::to_string(fio_time(text, word, std::chrono::microseconds(1)).count());
  if (type == "list") {
    std::string values;
    for (const std::string& part : words_of(text, ','))
      if (!part.empty()) values = std::to_string(fio_number(part, word)) == option.usual ? values : "other";
    return values.empty() ? option.usual : values;
  }
  return text;
}

}  // namespace

std::string FioOption::name() const { return std::string(names).substr(0, std::string_view(names).find(' ')); }

std::span<const FioOption> fio_engine_options() { return engine_options; }

const FioOption* fio_option(const std::string& name) {
  const auto found = options_by_name().find(name);
  return found == options_by_name().end() ? nullptr : found->second;
}

std::vector<std::string> fio_options_beginning(const std::string& beginning) {
  std::vector<std::string> names;
  for (const auto& [name, option] : options_by_name())
    if (name.starts_with(beginning)) names.push_back(name);
  return names;
}

std::string fio_option_hint(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [known_name, option] : options_by_name()) known.push_back(known_name);
  return did_you_mean(name, known);
}

bool needs_value(const FioOption& option) {
  const std::string_view type = option.type;
  return type != "flag" && type != "name";
}

bool changes_default(const FioOption& option, const FioWord& word) {
  const std::string_view type = option.type;
  if (needs_value(option) && word.value.value_or("").empty()) word.refuse("has no value");
  if (type.find('|') != std::string_view::npos) check_choice(option, word);
  const std::vector<std::string> usual = words_of(option.usual, ' ');
  return std::ranges::find(usual, plain_value(option, word.text(), word)) == usual.end();
}

}  // namespace edagen
