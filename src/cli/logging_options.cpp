#include "cli/logging_options.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "cli/option_group.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

/// A message, which may quote paths and names of whatever origin, on its one line.
class EscapedMessage final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& to) override {
    const std::string text = one_line({message.payload.data(), message.payload.size()}, 4000);
    to.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<EscapedMessage>(); }
};

}  // namespace

void LoggingOptions::add_to(CLI::App& app) {
  OptionGroup output(app, "Output");
  output.choice("--progress", progress, "Show progress live: auto (on a terminal), always, never (a line every 5 s)")
      ->default_str("");
  output.choice("--color", color, "Colors in messages: auto (on a terminal), always, never")->default_str("");
  auto* const few = output.flag("-q,--quiet", quiet, "Print only errors and results");
  output.flag("-v,--verbose", verbose, "Print more messages, and each block of a search")->excludes(few);
}

void LoggingOptions::apply(bool dated) const {
  const auto mode = color == When::always  ? spdlog::color_mode::always
                    : color == When::never ? spdlog::color_mode::never
                                           : spdlog::color_mode::automatic;
  auto logger = std::make_shared<spdlog::logger>("edagen", std::make_shared<spdlog::sinks::stderr_color_sink_mt>(mode));
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<EscapedMessage>('*').set_pattern((dated ? "%Y-%m-%dT%H:%M:%S%z edagen: " : "edagen: ") + prefix +
                                                       "%^%*%$");
  logger->set_formatter(std::move(formatter));
  logger->set_level(!prefix.empty() && !quiet ? spdlog::level::warn
                    : quiet                   ? spdlog::level::err
                    : verbose                 ? spdlog::level::debug
                                              : spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

bool LoggingOptions::live_line() const {
  if (quiet || progress == When::never) return false;
  return progress == When::always || ::isatty(STDERR_FILENO) == 1;
}

}  // namespace edagen
