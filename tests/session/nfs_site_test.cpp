#include "session/nfs_site.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "support/error_of.hpp"
#include "workload/workload_file.hpp"

namespace edagen {
namespace {

/// A plan whose server does not exist. The limit of open files, which a look at an export raises, is set back.
class NfsSiteTest : public ::testing::Test {
 protected:
  NfsSiteTest() {
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
    plan_.workload = load_workload("eda_functional");
    plan_.volume = NfsExports{{parse_nfs_url("nfs://127.0.0.1:1/vol?mountport=1&nconnect=8", "--target")}};
    plan_.clients = 1'000'000'000'000;
  }
  ~NfsSiteTest() override { ::setrlimit(RLIMIT_NOFILE, &before_); }

  std::string refusal(std::uint64_t clients_here) const {
    return testing::error_of([&] { const NfsSite site(plan_, clients_here); });
  }

  RunPlan plan_;

 private:
  rlimit before_{};
};

TEST_F(NfsSiteTest, MoreConnectionsThanThereCanBeDescriptorsAreRefusedBeforeAServerIsLookedFor) {
  const std::string text = refusal(plan_.clients);
  EXPECT_TRUE(text.starts_with("open files: the connections of 1000000000000 clients, ")) << text;
  EXPECT_NE(text.find(" are left (raise the limit with ulimit -n"), std::string::npos) << text;
}

TEST_F(NfsSiteTest, ClientsOfOtherHostsNeedNoDescriptorsHere) {
  const std::string text = refusal(2);
  EXPECT_NE(text.find("nothing listens at 127.0.0.1:1"), std::string::npos) << text;
}

}  // namespace
}  // namespace edagen
