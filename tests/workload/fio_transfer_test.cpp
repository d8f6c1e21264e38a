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
  EXPECT_TRUE(blocks("bsrange=4k-64k\nbs_unaligned").json.contains("uniform"));
}

TEST(FioTransfer, ASplitAndARangeTogetherAreRefused) {
  EXPECT_THROW(blocks("bsrange=4k-8k\nbssplit=4k/50:8k/50"), Error);
  EXPECT_THROW(blocks("bs=65m"), Error);
}

}  // namespace
}  // namespace edagen
