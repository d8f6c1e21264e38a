// What is published of the files that edagen writes and reads.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/json_schema.hpp"
#include "base/schema.hpp"
#include "edagen/exit_status.hpp"
#include "support/program.hpp"

namespace edagen::testing {
namespace {

TEST(SchemaCommand, TheSchemaOfEachFileIsPrinted) {
  for (const char* const name : {"result", "compare", "night", "check", "workload", "volume", "tunings", "nightly"}) {
    const Outcome shown = edagen({"schema", name});
    EXPECT_EQ(shown.status, exit_status::done) << name;
    const auto schema = nlohmann::json::parse(shown.out);
    EXPECT_EQ(schema["properties"]["schema"]["const"], std::string("edagen.") + name + "/1");
    EXPECT_NO_THROW(Schema(schema, name));
  }
  EXPECT_EQ(edagen({"schema", "mine"}).status, exit_status::usage);
}

TEST(SchemaCommand, AResultOfTheProgramFitsTheSchemaThatItPrints) {
  const Schema schema(nlohmann::json::parse(edagen({"schema", "result"}).out), "result");
  const Outcome run =
      edagen({"--phase", "functional", "--clients", "1", "--target", "sim:regular", "--duration", "1s", "--json", "-"});
  EXPECT_NO_THROW(check_schema(nlohmann::json::parse(run.out), schema, "result"));
}

}  // namespace
}  // namespace edagen::testing
