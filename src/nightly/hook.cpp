#include "nightly/hook.hpp"

#include <spdlog/spdlog.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/descriptor.hpp"
#include "base/write_file.hpp"
#include "nights/night_json.hpp"
#include "report/judgement_text.hpp"

namespace edagen {
namespace {

/// The judgement in a file without a name, so that a command that does not read it blocks nobody. Throws
/// std::system_error.
Descriptor file_of(const std::string& text) {
  Descriptor file(::memfd_create("judgement", MFD_CLOEXEC));
  if (!file || !write_all(file.get(), text) || ::lseek(file.get(), 0, SEEK_SET) != 0)
    throw std::system_error(errno, std::generic_category());
  return file;
}

/// What went wrong; empty: nothing.
std::string failure_of(UserCommand hook, const NightJudgement& judgement, const std::stop_token& stop) {
  try {
    const Descriptor input = file_of(json_text(judgement));
    hook.environment = {"EDAGEN_VERDICT=" + std::string(to_string(judgement.verdict)),
                        "EDAGEN_SUMMARY=" + judgement_line(judgement).substr(0, 8000),
                        "EDAGEN_MARKDOWN=" + judgement_markdown(judgement).substr(0, 60'000)};
    hook.input = input.get();
    return run_user_command(hook, stop);
  } catch (const std::system_error& error) {
    return error.code().message();
  }
}

}  // namespace

bool run_hook(UserCommand hook, const NightJudgement& judgement, const std::stop_token& stop) {
  // A night that was interrupted before has a hook all the same: it reports the interruption.
  const std::string failure = failure_of(std::move(hook), judgement, stop.stop_requested() ? std::stop_token() : stop);
  if (!failure.empty()) spdlog::error("hook: {}", failure);
  return failure.empty();
}

}  // namespace edagen
