// Nights of edagen nightly, and their configurations.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {

inline nlohmann::json simulated(const std::string& name = "m") {
  return {{"name", name},
          {"run", {"run", "--phase", "functional", "--target", "sim:mm1", "--rate", "300", "--duration", "60s"}}};
}

/// In a shorter window a pause of a busy machine may leave no op, and then the night has failed.
inline nlohmann::json mounted(const std::string& directory, const std::string& duration = "1s") {
  return {{"name", "dir"},
          {"run",
           {"run", "--phase", "functional", "--mount", directory, "--rate", "200", "--warmup", "0", "--duration",
            duration, "--dataset-scale", "0.01", "--spin", "off"}}};
}

inline std::string config(const TemporaryDirectory& here, std::vector<nlohmann::json> measurements,
                          nlohmann::json more = nlohmann::json::object()) {
  nlohmann::json body = {
      {"schema", "edagen.nightly/1"}, {"history", "history"}, {"measurements", std::move(measurements)}};
  body.update(more);
  return here.write("nightly.json", body.dump());
}

inline Outcome night(const std::string& file) { return edagen({"nightly", "--config", file}); }

}  // namespace edagen::testing
