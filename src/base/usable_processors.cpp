#include "base/usable_processors.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <thread>

namespace edagen {

std::vector<std::size_t> usable_processors() {
  std::array<cpu_set_t, 16> sets{};  // 16,384 processors; a kernel for more refuses the call
  std::vector<std::size_t> numbers;
  if (::sched_getaffinity(0, sizeof(sets), sets.data()) != 0) return numbers;
  for (std::size_t number = 0; number < 8 * sizeof(sets); ++number)
    if (CPU_ISSET_S(number, sizeof(sets), sets.data())) numbers.push_back(number);
  return numbers;
}

std::size_t usable_processor_count() {
  const std::size_t count = usable_processors().size();
  return count > 0 ? count : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace edagen
