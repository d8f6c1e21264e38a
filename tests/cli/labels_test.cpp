#include "cli/labels.hpp"

#include <gtest/gtest.h>

#include "support/error_of.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace testing;
TEST(Labels, AreThoseOfTheFileAndThoseThatAreGivenWhichGoFirst) {
  const TemporaryDirectory folder;
  const std::string file =
      folder.write("labels", "# of the lab\nstorage=A, 24 x 4 TB\r\n\nnetwork=2 x 25 GbE, mtu=9000\n");
  EXPECT_EQ(with_labels_of({{"storage", "B"}, {"empty", ""}}, file),
            (Labels{{"empty", ""}, {"network", "2 x 25 GbE, mtu=9000"}, {"storage", "B"}}));
  EXPECT_EQ(with_labels_of({}, ""), Labels());
}

TEST(Labels, WhatIsNoLabelIsNamedWithItsPlace) {
  const TemporaryDirectory folder;
  const std::string file = folder.write("labels", "storage=A\nnetwork\n");
  const auto refusal = [](const std::vector<std::string>& given, const std::string& name) {
    return error_of([&] {
      Labels labels;
      for (const std::string& text : given) add_label(labels, text, "--label");
      with_labels_of(labels, name);
    });
  };
  EXPECT_NE(refusal({"storage"}, "").find("--label: 'storage' is not KEY=TEXT"), std::string::npos);
  EXPECT_NE(refusal({"a b=c"}, "").find("'a b=c' is not KEY=TEXT"), std::string::npos);
  EXPECT_NE(refusal({"a=b", "a=c"}, "").find("'a' is given twice"), std::string::npos);
  EXPECT_NE(refusal({"a=" + std::string(1'001, 'x')}, "").find("more than 1000 bytes"), std::string::npos);
  EXPECT_NE(refusal({}, file).find("line 2: 'network' is not KEY=TEXT"), std::string::npos) << refusal({}, file);
  const std::string twice = folder.write("twice", "storage=A\nnetwork=B\nstorage=C\n");
  EXPECT_NE(refusal({"storage=D"}, twice).find("line 3: 'storage' is given twice"), std::string::npos);
}

}  // namespace
}  // namespace edagen
