#include "result/document_digest.hpp"

#include <gtest/gtest.h>

#include "result/result_file.hpp"
#include "result/result_json.hpp"
#include "support/sample_result.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace testing;

const Document written_result = Document::parse(json_text(sample_result(sample_curve())));

TEST(DocumentDigest, ResultsAndComparisonsHaveOneAndAreReadWithoutAWord) {
  EXPECT_TRUE(written_result.contains("digest"));
  EXPECT_FALSE(was_edited(written_result));
  EXPECT_FALSE(was_edited(Document::parse(json_text(ComparisonResult{}))));
  const TemporaryDirectory folder;
  ::testing::internal::CaptureStdout();
  read_result(folder.write("r.json", written_result.dump()));
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

TEST(DocumentDigest, AnotherOrderOfMembersIsNoEdit) {
  Document turned = Document::object();
  for (auto member = written_result.rbegin(); member != written_result.rend(); ++member)
    turned[member.key()] = member.value();
  EXPECT_FALSE(was_edited(turned));
}

TEST(DocumentDigest, EveryChangedMemberIsAnEdit) {
  for (const auto& [name, value] : written_result.items()) {
    if (name == "digest") continue;
    Document edited = written_result;
    edited[name] = value == "x" ? "y" : "x";
    EXPECT_TRUE(was_edited(edited)) << name;
    edited.erase(name);
    EXPECT_TRUE(was_edited(edited)) << name;
  }
  Document edited = written_result;
  edited["load_points"][0]["achieved_ops_per_sec"] = 1e6;
  EXPECT_TRUE(was_edited(edited));
}

TEST(DocumentDigest, ADocumentWithoutADigestIsOfAnOlderVersion) {
  Document old = written_result;
  old.erase("digest");
  EXPECT_FALSE(was_edited(old));
}

}  // namespace
}  // namespace edagen
