// Holds documents to the schemas that edagen makes of what it writes.
#pragma once

#include "base/json_schema.hpp"
#include "base/schema.hpp"
#include "result/result_json.hpp"

namespace edagen::testing {

/// Throws Error (usage) where the document does not fit.
template <class Figures>
void check_document(const nlohmann::json& document) {
  check_schema(document, Schema(schema_of<Figures>(), "schema"), "document");
}

}  // namespace edagen::testing
