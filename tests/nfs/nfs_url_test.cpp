#include "edagen/nfs_url.hpp"

#include <gtest/gtest.h>

#include "support/error_of.hpp"

namespace edagen {
namespace {

std::string refusal(const std::string& text) {
  return testing::error_of([&] { parse_nfs_url(text, "--target"); });
}

TEST(NfsUrl, HasAHostAnExportAndDefaults) {
  const NfsUrl url = parse_nfs_url("nfs://filer/vol/a", "--target");
  EXPECT_EQ(url.host, "filer");
  EXPECT_EQ(url.path, "/vol/a");
  EXPECT_FALSE(url.port);
  EXPECT_FALSE(url.mount_port);
  EXPECT_FALSE(url.uid);
  EXPECT_EQ(url.source(), "filer:/vol/a");
  EXPECT_EQ(url.options(), "version=3,nconnect=1,slots=128,rsize=262144,wsize=262144,resvport=no,attributes=ask");
}

TEST(NfsUrl, TakesEveryKey) {
  const NfsUrl url = parse_nfs_url(
      "nfs://10.0.0.1:2050/v?version=3&nconnect=4&slots=2&rsize=64k&wsize=1M&uid=0&gid=100&mountport=20048"
      "&source=10.0.0.8,10.0.0.9&resvport=yes&attributes=600",
      "--target");
  EXPECT_EQ(url.port, 2050);
  EXPECT_EQ(url.mount_port, 20048);
  EXPECT_EQ(url.nconnect, 4u);
  EXPECT_EQ(url.slots, 2u);
  EXPECT_EQ(url.read_size, 64 * KiB);
  EXPECT_EQ(url.write_size, MiB);
  EXPECT_EQ(url.uid, 0u);
  EXPECT_EQ(url.gid, 100u);
  EXPECT_EQ(url.sources, (std::vector<std::string>{"10.0.0.8", "10.0.0.9"}));
  EXPECT_TRUE(url.reserved_ports);
  EXPECT_EQ(url.trusted_time, std::chrono::seconds(600));
  EXPECT_EQ(url.options(),
            "version=3,nconnect=4,slots=2,rsize=65536,wsize=1048576,uid=0,gid=100,mountport=20048,"
            "source=10.0.0.8+10.0.0.9,resvport=yes,attributes=600");
}

TEST(NfsUrl, HasIpv6AddressesInBracketsAndEscapesInThePath) {
  const NfsUrl url = parse_nfs_url("nfs://[fe80::1]:2049/a%20b%3Fc/", "--target");
  EXPECT_EQ(url.host, "fe80::1");
  EXPECT_EQ(url.port, 2049);
  EXPECT_EQ(url.path, "/a b?c");
  EXPECT_EQ(url.source(), "[fe80::1]:/a b?c");
  EXPECT_EQ(parse_nfs_url("nfs://filer/", "--target").path, "/");
}

TEST(NfsUrl, RefusesWhatIsNoUrl) {
  for (const char* const text : {"nfs://", "nfs:///vol", "nfs://filer", "nfs://filer?nconnect=4", "nfs:filer/vol",
                                 "nfs://[fe80::1/vol", "nfs://me@filer/vol", "nfs://filer/a%2", "nfs://filer/a%00b"})
    EXPECT_NE(refusal(text), "") << text;
  EXPECT_EQ(refusal("nfs://filer"), "--target: 'nfs://filer' is not nfs://HOST/EXPORT (nfs://filer/vol)");
}

TEST(NfsUrl, NamesTheKeyNearestToAnUnknownOne) {
  EXPECT_NE(refusal("nfs://f/v?nconect=4").find("unknown key 'nconect' (did you mean 'nconnect'?"), std::string::npos)
      << refusal("nfs://f/v?nconect=4");
}

TEST(NfsUrl, NamesTheKeyOfAValueThatIsRefused) {
  for (const char* const text :
       {"nconnect=0", "nconnect=65", "slots=x", "rsize=1", "wsize=3000", "uid=-1", "mountport=0", "source=filer",
        "resvport=1", "attributes=1m", "attributes=", "version=4", "slots"}) {
    const std::string name = std::string(text).substr(0, std::string(text).find('='));
    EXPECT_NE(refusal(std::string("nfs://f/v?") + text).find(name), std::string::npos) << text;
    EXPECT_EQ(refusal(std::string("nfs://f/v?") + text).find('\n'), std::string::npos) << text;
  }
  EXPECT_EQ(refusal("nfs://f/v?version=4"), "--target: version: '4' is not 3, the version that edagen's clients have");
  EXPECT_EQ(refusal("nfs://f/v?slots=2&slots=3"), "--target: has slots twice");
  EXPECT_NE(refusal("nfs://f:0/v").find("port"), std::string::npos);
}

}  // namespace
}  // namespace edagen
