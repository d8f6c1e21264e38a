#include "edagen/core/json_schema.hpp"

#include <gtest/gtest.h>

#include "edagen/core/error.hpp"

namespace edagen {
namespace {

constexpr const char* schema = "workloads/schema/workload.schema.json";

std::string refusal(const std::string& text) {
  try {
    check_schema(parse_json(text, "f.json"), schema, "f.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(JsonSchema, ASyntaxErrorNamesLineAndColumn) {
  const std::string what = refusal("{\n  \"name\": ,\n}");
  EXPECT_TRUE(what.starts_with("f.json: not JSON: parse error at line 2, column 11")) << what;
}

TEST(JsonSchema, AnUnknownNameIsReportedWithItsPointerAndTheNearestName) {
  EXPECT_EQ(refusal(R"({"schema":"edagen.workload/1","name":"a","phase":"custom","op_mixx":{}})"),
            "f.json#/op_mixx: unknown name 'op_mixx' (did you mean 'op_mix'?)");
  EXPECT_EQ(refusal(R"({"schema":"edagen.workload/1","name":"a","phase":"custom","op_mix":{"raed_rand":1}})"),
            "f.json#/op_mix/raed_rand: unknown name 'raed_rand' (did you mean 'read_rand'?)");
}

TEST(JsonSchema, AWrongTypeIsReportedWithItsPointer) {
  const std::string what = refusal(R"({"schema":"edagen.workload/1","name":"a","phase":"custom",
      "ops_per_sec_per_proc":1,"dataset":{"data_files":"many"},"op_mix":{"stat":1}})");
  EXPECT_TRUE(what.starts_with("f.json#/dataset/data_files: ")) << what;
}

TEST(JsonSchema, AFileThatIsNotThereIsNamed) {
  try {
    read_json_file("/nonexistent/x.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/nonexistent/x.json: cannot be read: No such file or directory");
  }
}

}  // namespace
}  // namespace edagen
