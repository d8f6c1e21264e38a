#include "session/session_journal.hpp"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>
#include <sstream>
#include <string>

#include "fakes/session_fixture.hpp"
#include "support/quiet_watch.hpp"

namespace edagen {
namespace {

using testing::QuietWatch;
using testing::SessionTest;

TEST_F(SessionTest, AnErrorAfterTheResultsAreWrittenNamesNoJournalThatIsGone) {
  QuietWatch watch;
  const EventSink nobody = ignore_events;
  for (const bool all_is_written : {true, false}) {
    SessionJournal journal(std::nullopt, watch, nobody);
    journal.lines().interval(0, Phase::measure, {});
    const std::string path = journal.lines().path();
    const auto logger = spdlog::default_logger();
    std::ostringstream said;
    spdlog::set_default_logger(
        std::make_shared<spdlog::logger>("said", std::make_shared<spdlog::sinks::ostream_sink_mt>(said)));
    journal.finish(all_is_written);
    journal.finish(false);  // a host was lost meanwhile
    spdlog::set_default_logger(logger);
    EXPECT_EQ(std::filesystem::exists(path), !all_is_written);
    const std::string text = said.str(), line = "the journal is " + path;
    EXPECT_EQ(text.find(line) == std::string::npos, all_is_written) << text;
    EXPECT_EQ(text.find(line), text.rfind(line)) << "once: " << text;
  }
}

TEST_F(SessionTest, AJournalWithoutFiguresIsRemoved) {
  QuietWatch watch;
  const EventSink nobody = ignore_events;
  SessionJournal journal(std::nullopt, watch, nobody);
  journal.lines().run(0, 0);
  const std::string path = journal.lines().path();
  ASSERT_TRUE(std::filesystem::exists(path));
  journal.finish(false);  // something was wrong before the load began
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace edagen
