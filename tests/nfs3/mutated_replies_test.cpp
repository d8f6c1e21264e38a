// Replies of every procedure, spoiled: they are decoded or refused, and nothing that is handed on lies outside of the
// reply or is longer than was requested. Under ASan and UBSan that is also: nothing is read that is not there.
#include <gtest/gtest.h>

#include "edagen/error.hpp"
#include "edagen/parts/random.hpp"
#include "input.hpp"
#include "support/corpus.hpp"

namespace edagen::testing {
namespace {

/// Most changes leave the reply readable to its end: a length, a flag or a status in the middle.
class Spoiler {
 public:
  explicit Spoiler(std::uint64_t seed) : random_(seed) {}

  void spoil(std::string& frame) {
    for (std::uint64_t changes = 1 + random_.below(3); changes > 0 && !frame.empty(); --changes) change(frame);
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.below(n)); }

  void change(std::string& frame) {
    const std::size_t at = below(frame.size());
    switch (random_.below(7)) {
      case 0: frame[at] = static_cast<char>(random_.next()); break;
      case 1: frame[at] = static_cast<char>(frame[at] ^ (1 << random_.below(8))); break;
      case 2: frame.resize(at); break;
      case 3: frame.erase(at & ~std::size_t{3}, 4 * (1 + below(8))); break;
      case 4:
        frame.insert(at & ~std::size_t{3}, frame, below(frame.size()) & ~std::size_t{3}, 4 * (1 + below(8)));
        break;
      default: put_word(frame, at & ~std::size_t{3}); break;
    }
  }

  /// Lengths that are a little wrong, or very much so.
  void put_word(std::string& frame, std::size_t at) {
    if (at + 4 > frame.size()) return;
    static constexpr std::uint32_t words[] = {
        0, 1, 2, 3, 4, 5, 63, 64, 65, 255, 256, 1024, 4095, 4096, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff};
    const std::uint32_t word = words[random_.below(std::size(words))];
    for (std::size_t i = 0; i < 4; ++i) frame[at + i] = static_cast<char>(word >> (24 - 8 * i));
  }

  Random random_;
};

void spoil_replies(std::uint64_t times, std::uint64_t seed) {
  const fuzz::Input& input = fuzz::input_named("nfs_replies");
  std::vector<std::string> frames;
  for (const auto& file : corpus_files_of(input)) frames.push_back(text_of(file));
  ASSERT_GE(frames.size(), 25U);
  Spoiler spoiler(seed);
  std::uint64_t used_count = 0;
  for (std::uint64_t i = 0; i < times; ++i) {
    std::string frame = frames[i % frames.size()];
    spoiler.spoil(frame);
    bool used = false;
    ASSERT_EQ(fault_of(input, frame, used), "") << "frame " << i << " of seed " << seed;
    used_count += used ? 1 : 0;
  }
  EXPECT_GT(used_count, times / 10) << "spoiled too much: the decoders never get far";
  EXPECT_LT(used_count, times - times / 10) << "spoiled too little";
}

TEST(MutatedReplies, AreDecodedOrRefused) { spoil_replies(200'000, 1); }

TEST(MutatedReplies, AreDecodedOrRefusedTenMillionTimes) { spoil_replies(10'000'000, 2); }

}  // namespace
}  // namespace edagen::testing
