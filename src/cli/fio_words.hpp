// fio's options in words of edagen's command line.
#pragma once

#include <string>

#include "workload/fio_job.hpp"

namespace edagen {

/// "[job] option: what", with the option of edagen that has to do with it.
std::string text_of(const FioNote& note);

/// A hint for somebody who typed fio's option `word` (without dashes): the option of edagen, or how a job is imported;
/// "" when `word` is no option of fio.
std::string fio_word_hint(const std::string& word);

/// What there is instead of fio's --client=`hosts`.
std::string client_text(const std::string& hosts);

/// The command that runs `workload`, the file that was made of the job, as fio would run the job.
std::string command_for(const FioImport& import, const std::string& workload);

}  // namespace edagen
