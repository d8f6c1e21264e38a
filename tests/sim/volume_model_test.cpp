#include "edagen/volume_model.hpp"

#include <gtest/gtest.h>

#include "support/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

std::string refusal(const std::string& volume) {
  return testing::error_of([&] { load_volume(volume); });
}

TEST(VolumeModel, TheBuiltInOnesAreThereAndValid) {
  const auto names = builtin_volume_names();
  EXPECT_EQ(names, (std::vector<std::string>{"breakthrough", "large", "md1", "mm1", "mm8", "object", "regular"}));
  for (const std::string& name : names) EXPECT_EQ(load_volume(name).name, name);
  EXPECT_EQ(load_volume("mm8").station->servers, 8);
  EXPECT_EQ(load_volume("md1").station->times, ServiceTimes::deterministic);
}

TEST(VolumeModel, NconnectCanBeAskedFor) {
  EXPECT_EQ(load_volume("regular").client.connections, 8);
  EXPECT_EQ(load_volume("regular?nconnect=1").client.connections, 1);
  for (const char* const bad : {"regular?nconnect=0", "regular?nconnect=x", "regular?nconnect", "regular?"})
    EXPECT_FALSE(refusal(bad).empty()) << bad;
  EXPECT_EQ(refusal("regular?nconect=2"),
            "sim:regular?nconect=2: unknown parameter 'nconect' (did you mean 'nconnect'? known: nconnect)");
  EXPECT_EQ(refusal("mm1?nconnect=1"), "sim:mm1?nconnect=1: a station has no parameter (sim:mm1)");
}

TEST(VolumeModel, AStationHasNoOtherPart) {
  const testing::TemporaryDirectory folder;
  const std::string file = folder.write("v.json", R"({"schema":"edagen.volume/1","name":"v",
      "station":{"servers":1,"service_us":5},"client":{"round_trip_us":100},"volume":{}})");
  EXPECT_EQ(refusal(file), file + "#/client: a station has no other part");
}

TEST(VolumeModel, AnUnknownOneSuggestsTheNearestAndABadFileNamesItsPlace) {
  EXPECT_EQ(refusal("reguler"),
            "volume: unknown volume 'reguler' (did you mean 'regular'? known: breakthrough, large, md1, mm1, mm8, "
            "object, regular; or FILE.json)");
  const testing::TemporaryDirectory folder;
  const std::string file = folder.write(
      "v.json", R"({"schema":"edagen.volume/1","name":"v","station":{"servers":1,"servise_us":5,"service_us":1}})");
  EXPECT_EQ(refusal(file), file + "#/station/servise_us: unknown name 'servise_us' (did you mean 'service_us'?)");
}

TEST(VolumeModel, AnOpMakesTheRequestsAnNfsClientWould) {
  EXPECT_EQ(requests_of(OpKind::stat), (Requests{1, 0, 0, 0}));
  EXPECT_EQ(requests_of(OpKind::write_file), (Requests{0, 1, 0, 1}));
  EXPECT_EQ(requests_of(OpKind::rename), (Requests{0, 1, 0, 0}));
}

TEST(VolumeModel, OneThatTakesNoTimeIsRefusedSinceItsSimulationWouldNotEnd) {
  const testing::TemporaryDirectory folder;
  const auto refusal_of = [&](const std::string& body) {
    return refusal(folder.write("v.json", R"({"schema":"edagen.volume/1","name":"v",)" + body + "}"));
  };
  EXPECT_EQ(refusal_of(R"("client":{},"volume":{})"),
            folder / "v.json: a metadata_read takes less than 0.1 us (client/round_trip_us, volume/base_us)");
  EXPECT_EQ(refusal_of(R"("client":{"round_trip_us":1,"cache":{"data_hit_percent":1}},"volume":{})"),
            folder / "v.json#/client/cache/hit_us: a hit takes less than 0.1 us");
  EXPECT_EQ(refusal_of(R"("client":{"round_trip_us":1},"volume":{})"), "");
  EXPECT_NE(refusal_of(R"("station":{"servers":1,"service_us":1e-9})"), "");
  EXPECT_NE(refusal_of(R"("client":{"round_trip_us":1e15},"volume":{})"), "");
}

}  // namespace
}  // namespace edagen
