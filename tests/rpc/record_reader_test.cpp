#include "rpc/record_reader.hpp"

#include <gtest/gtest.h>

#include "edagen/parts/random.hpp"
#include "rpc/lying_server.hpp"

namespace edagen::testing {
namespace {

struct Records {
  std::vector<ByteVector> seen;
  std::vector<std::pair<std::uint32_t, std::size_t>> judged;
  std::size_t most = SIZE_MAX;
  std::size_t stop_after = SIZE_MAX;

  bool wants(std::uint32_t xid, std::size_t bytes) {
    judged.emplace_back(xid, bytes);
    return bytes <= most;
  }
  bool record(ByteSpan record) {
    seen.emplace_back(record.begin(), record.end());
    return seen.size() < stop_after;
  }
};

ByteVector record_of(std::uint32_t xid, std::size_t bytes) {
  ByteVector record = xdr_bytes([&](XdrWriter& writer) { writer.u32(xid); });
  for (std::size_t i = 4; i < bytes; ++i) record.push_back(static_cast<std::byte>(i * 31 + xid));
  record.resize(bytes);
  return record;
}

void append_to(ByteVector& stream, const ByteVector& bytes) { stream.insert(stream.end(), bytes.begin(), bytes.end()); }

TEST(RecordReader, ReadsManyRecordsOfOneRead) {
  ByteVector stream;
  for (std::uint32_t xid = 1; xid <= 5; ++xid) append_to(stream, framed(record_of(xid, 20 * xid)));
  BufferPool pool;
  RecordReader reader(pool);
  Records records;
  EXPECT_TRUE(reader.consume(stream, records));
  ASSERT_EQ(records.seen.size(), 5U);
  EXPECT_EQ(records.seen[4], record_of(5, 100));
  EXPECT_TRUE(records.judged.empty()) << "nothing was kept";
  EXPECT_FALSE(reader.in_record());
}

TEST(RecordReader, ReadsRecordsThatAreCutAnywhere) {
  const ByteVector stream = framed(record_of(9, 40)), second = framed(record_of(10, 8));
  ByteVector both = stream;
  append_to(both, second);
  for (std::size_t cut = 1; cut < both.size(); ++cut) {
    BufferPool pool;
    RecordReader reader(pool);
    Records records;
    EXPECT_TRUE(reader.consume(ByteSpan(both).first(cut), records));
    EXPECT_TRUE(reader.consume(ByteSpan(both).subspan(cut), records));
    ASSERT_EQ(records.seen.size(), 2U) << cut;
    EXPECT_EQ(records.seen[0], record_of(9, 40)) << cut;
    EXPECT_EQ(records.seen[1], record_of(10, 8)) << cut;
  }
}

TEST(RecordReader, PutsFragmentsOfAnySizeTogetherFromReadsOfAnySize) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    ByteVector stream;
    std::vector<ByteVector> sent;
    for (std::uint32_t i = 0; i < 6; ++i) {
      sent.push_back(record_of(i, static_cast<std::size_t>(random.below(300))));
      append_to(stream, framed(sent.back(), static_cast<std::size_t>(random.below(20))));
      if (random.below(4) == 0) {  // an empty fragment before the record that comes next
        sent.push_back(record_of(50, 12));
        append_to(stream, ByteVector(4));
        append_to(stream, framed(sent.back()));
      }
    }
    BufferPool pool;
    RecordReader reader(pool);
    Records records;
    for (ByteSpan rest = stream; !rest.empty();) {
      const std::size_t size = std::min(rest.size(), static_cast<std::size_t>(1 + random.below(30)));
      EXPECT_TRUE(reader.consume(rest.first(size), records));
      rest = rest.subspan(size);
    }
    EXPECT_EQ(records.seen, sent) << "round " << round;
  }
}

TEST(RecordReader, SkipsARecordThatIsNotWantedAndKeepsNothingOfIt) {
  const ByteVector large = framed(record_of(3, 10'000'000)), small = framed(record_of(4, 12));
  BufferPool pool;
  RecordReader reader(pool);
  Records records;
  records.most = 1000;
  for (ByteSpan rest = large; !rest.empty(); rest = rest.subspan(std::min<std::size_t>(rest.size(), 5000))) {
    EXPECT_TRUE(reader.consume(rest.first(std::min<std::size_t>(rest.size(), 5000)), records));
    EXPECT_TRUE(reader.room().empty());
  }
  EXPECT_TRUE(reader.consume(small, records));
  ASSERT_EQ(records.seen.size(), 1U);
  EXPECT_EQ(records.seen[0], record_of(4, 12));
  ASSERT_EQ(records.judged.size(), 1U);
  EXPECT_EQ(records.judged[0], std::pair(std::uint32_t{3}, std::size_t{10'000'000}));
}

TEST(RecordReader, JudgesARecordAgainWithEachFragment) {
  const ByteVector stream = framed(record_of(3, 5000), 100);
  BufferPool pool;
  RecordReader reader(pool);
  Records records;
  records.most = 1000;
  EXPECT_TRUE(reader.consume(stream, records));
  EXPECT_TRUE(records.seen.empty());
  ASSERT_EQ(records.judged.size(), 11U);
  EXPECT_EQ(records.judged.back().second, 1100U);
}

TEST(RecordReader, TheRestOfALongRecordIsReadInPlace) {
  const ByteVector record = record_of(8, 300'000), stream = framed(record);
  BufferPool pool;
  RecordReader reader(pool);
  Records records;
  EXPECT_TRUE(reader.room().empty());
  EXPECT_TRUE(reader.consume(ByteSpan(stream).first(1000), records));
  std::size_t at = 1000;
  while (at < stream.size()) {
    const auto room = reader.room();
    ASSERT_FALSE(room.empty());
    EXPECT_EQ(room.size(), stream.size() - at);
    const std::size_t size = std::min<std::size_t>(room.size(), 100'000);
    std::copy_n(stream.begin() + static_cast<std::ptrdiff_t>(at), size, room.begin());
    EXPECT_TRUE(reader.consume_in_place(size, records));
    at += size;
  }
  ASSERT_EQ(records.seen.size(), 1U);
  EXPECT_EQ(records.seen[0], record);
}

TEST(RecordReader, StopsWhenTheSinkWantsNoMore) {
  ByteVector stream;
  for (std::uint32_t xid = 1; xid <= 5; ++xid) append_to(stream, framed(record_of(xid, 20)));
  BufferPool pool;
  RecordReader reader(pool);
  Records records;
  records.stop_after = 2;
  EXPECT_FALSE(reader.consume(stream, records));
  EXPECT_EQ(records.seen.size(), 2U);
}

TEST(RecordReader, BeginsAnewAfterAReset) {
  const ByteVector stream = framed(record_of(1, 100));
  for (const std::size_t cut : {2U, 6U, 50U}) {
    BufferPool pool;
    RecordReader reader(pool);
    Records records;
    EXPECT_TRUE(reader.consume(ByteSpan(stream).first(cut), records));
    EXPECT_TRUE(reader.in_record());
    reader.reset();
    EXPECT_TRUE(reader.consume(stream, records));
    EXPECT_EQ(records.seen.size(), 1U);
  }
}

TEST(RecordReader, RecordsShorterThanAnXidAreHandedOn) {
  BufferPool pool;
  RecordReader reader(pool);
  Records records;
  const ByteVector stream = framed(ByteVector(3));
  for (const std::byte byte : stream) EXPECT_TRUE(reader.consume({&byte, 1}, records));
  EXPECT_TRUE(reader.consume(framed(ByteVector(0)), records));
  ASSERT_EQ(records.seen.size(), 2U);
  EXPECT_EQ(records.seen[0].size(), 3U);
  EXPECT_TRUE(records.seen[1].empty());
  EXPECT_TRUE(records.judged.empty());
}

}  // namespace
}  // namespace edagen::testing
