#include "input.hpp"
#include "use_ops.hpp"
#include "workload/fio_job.hpp"
#include "workload/workload_file.hpp"

namespace edagen::fuzz {

void use_fio(const std::string& text) {
  use_ops(parse_workload(nlohmann::json(import_fio(text, "a.fio").workload), "a.fio"));
}

}  // namespace edagen::fuzz
