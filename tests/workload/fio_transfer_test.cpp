#include "workload/fio_transfer.hpp"

#include <gtest/gtest.h>

#include "edagen/error.hpp"

namespace edagen {
namespace {

FioBlocks blocks(const std::string& options, std::size_t direction = 0) {
  return fio_blocks(fio_file_sections("[a]\n" + options + "\n", "x", {}).front(), direction);
}

TEST(FioTransfer, ABlockSizeIsThatOfItsDirectionOr4KiB) {
  EXPECT_EQ(blocks("bs=8k,16k", 1).mean, 16384);
  EXPECT_EQ(blocks("bs=,16k", 0).mean, 4096);
  EXPECT_EQ(blocks("bs=8k,", 1).mean, 4096);
  EXPECT_EQ(blocks("blocksize=4KiB").mean, 4000);
}

TEST(FioTransfer, ARangeHasMultiplesOfItsSmallestSize) {
  EXPECT_NEAR(blocks("bsrange=4k-64k").mean, 34 * 1024, 1e-6) << "fio 3.33: 34,816";
  EXPECT_NEAR(blocks("bsrange=3k-4k").mean, 0.75 * 3072 + 0.25 * 4096, 1e-6) << "fio 3.33: 3,326";
  EXPECT_NEAR(blocks("bsrange=8k-16k\nbs=4k").mean, 12288, 1e-6) << "bs counts for nothing beside a range";
  EXPECT_NEAR(blocks("bsrange=8k-16k,1k-4k", 1).mean, 2560, 1e-6);
  EXPECT_NEAR(blocks("bsrange=4k-8k\nbs_unaligned").mean, 7168, 1e-6) << "half of fio's draws are cut to 8k";
  for (const char* const wide : {"bsrange=4k-1m", "bsrange=512-4m"}) {
    const FioBlocks sizes = blocks(wide);
    for (const auto& share : sizes.json.at("weighted")) EXPECT_EQ(share.at("size").get<Bytes>() % 512, 0) << wide;
  }
  EXPECT_NEAR(blocks("bsrange=4k-1m").mean, 514 * 1024, 1024);
}

TEST(FioTransfer, ASplitHasMultiplesOfItsSmallestSize) {
  EXPECT_EQ(blocks("bssplit=8k/50:12k/50").mean, 8192) << "as get_next_buflen of fio 3.33";
  EXPECT_EQ(blocks("bssplit=8k/50:12k/50\nbs_unaligned").mean, 10240);
  EXPECT_EQ(blocks("bssplit=3k/50:8k/50").mean, 4608);
}

TEST(FioTransfer, ASplitAndARangeTogetherAreRefused) {
  EXPECT_THROW(blocks("bsrange=4k-8k\nbssplit=4k/50:8k/50"), Error);
  EXPECT_THROW(blocks("bs=65m"), Error);
}

}  // namespace
}  // namespace edagen
