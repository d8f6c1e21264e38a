#include "nights/comparable.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

Result sample() {
  Result result;
  result.edagen_version = "0.2.1";
  result.host.name = "here";
  result.host.kernel = "6.1";
  result.plan = {{"edagen version", "0.2.1"}, {"workload", "eda_mixed #1"}, {"mount /mnt/a", "nfs4 server:/a rw"}};
  return result;
}

TEST(Comparable, PatchesMeasureTheSameAndMinorVersionsMayNot) {
  const Comparable before = comparable_parts(sample());
  Result later = sample();
  later.edagen_version = "0.2.7";
  EXPECT_EQ(difference_in_words(before, comparable_parts(later), {}), "");
  later.edagen_version = "0.3.0";
  EXPECT_EQ(difference_in_words(before, comparable_parts(later), {}), "edagen version '0.2' is '0.3' now");
}

TEST(Comparable, AllDifferencesAreListedButThoseThatAreAllowed) {
  Result later = sample();
  later.host.kernel = "6.8";
  later.plan["mount /mnt/a"] = "nfs4 server:/a rw,nconnect=4";
  const Comparable before = comparable_parts(sample()), now = comparable_parts(later);
  EXPECT_EQ(difference_in_words(before, now, {}),
            "kernel '6.1' is '6.8' now; mount /mnt/a 'nfs4 server:/a rw' is 'nfs4 server:/a rw,nconnect=4' now");
  EXPECT_EQ(difference_in_words(before, now, {"mount", "kernel"}), "");
}

TEST(Comparable, TheKeysThatAllowWhatDiffersAreToldEachOnce) {
  NightMeasurement before, now;
  before.comparable = {{"mount /mnt/a", "rw"}, {"mount /mnt/b", "rw"}, {"kernel", "6.1"}, {"host", "a"}, {"seed", "1"}};
  now.comparable = {{"mount /mnt/a", "ro"}, {"mount /mnt/b", "ro"}, {"kernel", "6.8"}, {"host", "a"}, {"seed", "2"}};
  EXPECT_EQ(differing_keys(before, now, {}), (std::set<std::string>{"kernel", "mount"}));
  EXPECT_EQ(differing_keys(before, now, {"kernel"}), std::set<std::string>{"mount"});
  before.reference_comparable = {{"dataset", "1"}}, now.reference_comparable = {{"dataset", "2"}};
  EXPECT_EQ(differing_keys(before, now, {"kernel", "mount"}), std::set<std::string>{"dataset"});
}

TEST(Comparable, ASeedMakesNoDifference) {
  Result one = sample(), other = sample();
  one.plan["seed"] = "1", other.plan["seed"] = "1001";
  EXPECT_EQ(difference_in_words(comparable_parts(one), comparable_parts(other), {}), "");
  EXPECT_EQ(difference_in_words(Comparable{{"seed", "1"}}, Comparable{}, {}), "") << "of a history that has it";
}

TEST(Comparable, APartThatIsNewOrGoneIsADifference) {
  EXPECT_EQ(difference_in_words(Comparable{{"NFS", "4.1"}}, Comparable{}, {}), "NFS '4.1' is 'none' now");
  EXPECT_EQ(difference_in_words(Comparable{}, Comparable{{"NFS", "4.1"}}, {}), "NFS 'none' is '4.1' now");
}

TEST(Comparable, EachReferenceIsComparedWithItself) {
  NightMeasurement before, now;
  before.reference_comparable = now.reference_comparable = {{"kernel", "6.1"}};
  now.further_references = {{{"kernel", "6.1"}}, {{"kernel", "6.8"}}};
  EXPECT_EQ(difference_in_words(before, now, {}), "") << "the others are new";
  before.further_references = {{{"kernel", "6.1"}}, {{"kernel", "6.1"}}};
  EXPECT_EQ(difference_in_words(before, now, {}), "reference 3: kernel '6.1' is '6.8' now");
  EXPECT_EQ(differing_keys(before, now, {}), std::set<std::string>{"kernel"});
}

}  // namespace
}  // namespace edagen
