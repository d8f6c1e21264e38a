#include "result/history_directory.hpp"

#include <filesystem>
#include <system_error>

namespace edagen {

bool is_kept_in_history(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path file = fs::weakly_canonical(fs::absolute(path, ignored), ignored), folder = file.parent_path();
  if (!fs::exists(file, ignored)) return false;
  if (fs::exists(folder / night_marker, ignored) || file.filename() == nights_file) return true;
  return file.filename() == night_lock &&
         (fs::exists(folder / nights_file, ignored) || fs::is_directory(folder / results_folder, ignored));
}

}  // namespace edagen
