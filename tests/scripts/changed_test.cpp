// scripts/changed in small repositories.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

class Changed : public ::testing::Test {
 protected:
  Changed() {
    std::filesystem::create_directory(folder / "scripts");
    std::filesystem::copy(source_path("scripts/changed"), folder / "scripts");
  }
  /// The rooms that `change` touches, after a commit of files in the rooms cli and target.
  std::string rooms_after(const std::string& change) const {
    const Outcome outcome = shell("cd " + folder.path() + R"(
      commit() { git add -A; git -c user.name=a -c user.email=a@b commit -qm "$1"; }
      mkdir -p include/edagen/parts src/cli src/target; git init -q -b main
      echo 1 >include/edagen/parts/gone.hpp; echo 1 >include/edagen/target.hpp; echo 1 >src/cli/a.cpp
      echo '#include "edagen/target.hpp"' >src/target/b.cpp; commit one; export EDAGEN_BASE=$(git rev-parse HEAD)
      )" + change + "; commit two; scripts/changed --rooms");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  }

  TemporaryDirectory folder;
};

TEST_F(Changed, RoomsAreThoseOfTheFilesAndOfPublicHeaders) {
  EXPECT_EQ(rooms_after("echo 2 >src/cli/a.cpp"), "cli\n");
  EXPECT_EQ(rooms_after("echo 2 >include/edagen/target.hpp"), "target\n");
}

TEST_F(Changed, APublicHeaderThatNoRoomIncludesHidesNoOtherRoom) {
  EXPECT_EQ(rooms_after("rm include/edagen/parts/gone.hpp; echo 2 >src/target/b.cpp"), "target\n");
}

TEST_F(Changed, AnArchiveHasAllOfItsRoomsWhereverItWasUnpacked) {
  const std::string archive = "cd " + folder.path() + R"(; mkdir -p in/src/cli in/src/target in/docs; cp -r scripts in
    touch in/src/cli/a.cpp in/src/target/b.cpp in/docs/c.md
    )";
  const std::string shown = "cd in; scripts/changed --rooms; scripts/changed docs 'src/t*'";
  const std::string expected = "cli\ntarget\ndocs/c.md\nsrc/target/b.cpp\n";
  EXPECT_EQ(shell(archive + shown).out, expected);
  EXPECT_EQ(shell(archive + "git init -q; echo '*' >.gitignore; " + shown).out, expected);
}

TEST_F(Changed, ABaseThatDoesNotExistIsAFailure) {
  const std::string repository =
      "cd " + folder.path() + "; git init -q; git add -A; git -c user.name=a -c user.email=a@b commit -qm 1; ";
  EXPECT_NE(shell(repository + "EDAGEN_BASE=none scripts/changed").status, 0);
  EXPECT_NE(shell(repository + "EDAGEN_BASE=none scripts/changed --rooms").status, 0);
}

}  // namespace
}  // namespace edagen::testing
