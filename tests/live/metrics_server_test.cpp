#include "live/metrics_server.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <random>
#include <vector>

#include "edagen/error.hpp"
#include "support/error_of.hpp"
#include "support/http.hpp"

namespace edagen::testing {
namespace {

class MetricsServerTest : public ::testing::Test {
 protected:
  MetricsServerTest()
      : server_({}, "--metrics", [this](bool open) {
          ++asked_;
          return std::make_shared<const std::string>(open ? "open\n# EOF\n" : text_);
        }) {
    const std::string url = server_.url();
    port_ = static_cast<unsigned short>(std::stoi(url.substr(url.rfind(':') + 1)));
  }
  std::string text_ = "older\n";
  std::atomic<int> asked_{0};
  MetricsServer server_;
  unsigned short port_ = 0;
};

TEST_F(MetricsServerTest, ServesTheFormatThatIsAskedForOnTheLoopbackAddressAlone) {
  EXPECT_TRUE(server_.url().starts_with("http://127.0.0.1:"));
  const std::string older = asked(port_, "GET /metrics");
  EXPECT_TRUE(older.starts_with("HTTP/1.1 200")) << older;
  EXPECT_NE(older.find("text/plain; version=0.0.4"), std::string::npos);
  EXPECT_EQ(body_of(older), "older\n");
  const std::string open = asked(port_, "GET /metrics?x=1", "Accept: application/openmetrics-text;version=1.0.0\r\n");
  EXPECT_NE(open.find("application/openmetrics-text; version=1.0.0"), std::string::npos);
  EXPECT_EQ(body_of(open), "open\n# EOF\n");
}

TEST_F(MetricsServerTest, AHeadHasTheLengthAndNoBody) {
  const std::string head = asked(port_, "HEAD /metrics");
  EXPECT_NE(head.find("Content-Length: 6"), std::string::npos) << head;
  EXPECT_EQ(body_of(head), "");
}

TEST_F(MetricsServerTest, OtherPathsAndMethodsAreRefused) {
  EXPECT_TRUE(asked(port_, "GET /").starts_with("HTTP/1.1 404"));
  EXPECT_TRUE(asked(port_, "GET /metrics/../../etc/passwd").starts_with("HTTP/1.1 404"));
  EXPECT_TRUE(asked(port_, "DELETE /metrics").starts_with("HTTP/1.1 405"));
  EXPECT_TRUE(asked(port_, "POST /metrics", "Content-Length: 3\r\n").starts_with("HTTP/1.1 4"));
  EXPECT_EQ(asked_, 0);
}

TEST_F(MetricsServerTest, GarbageAndEndlessHeadersAreNotAnsweredWithMetricsAndTheNextOneIs) {
  std::mt19937 random(1);
  for (int i = 0; i < 50; ++i) {
    std::string garbage;
    for (int b = 0; b < 200; ++b) garbage += static_cast<char>(random());
    const Descriptor socket = connected(port_);
    send_text(socket, garbage + "\r\n\r\n");
    EXPECT_EQ(received(socket).find("older"), std::string::npos);
  }
  const Descriptor endless = connected(port_);
  send_text(endless, "GET /metrics HTTP/1.1\r\nA: " + std::string(1 << 20, 'a'));
  EXPECT_EQ(received(endless).find("older"), std::string::npos);
  EXPECT_EQ(body_of(asked(port_, "GET /metrics")), "older\n");
}

TEST_F(MetricsServerTest, ThoseWhoSayNothingDoNotKeepOthersFromIt) {
  std::vector<Descriptor> silent;
  for (int i = 0; i < 300; ++i) silent.push_back(connected(port_));
  EXPECT_EQ(body_of(asked(port_, "GET /metrics")), "older\n");
  EXPECT_EQ(received(silent.front()), "");  // the oldest were closed
}

TEST_F(MetricsServerTest, ReadersWhoDoNotReadDoNotKeepOthersFromIt) {
  text_ = std::string(8 << 20, 'x');
  std::vector<Descriptor> slow;
  for (int i = 0; i < 20; ++i) {
    slow.push_back(connected(port_));
    send_text(slow.back(), "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  }
  EXPECT_EQ(body_of(asked(port_, "GET /metrics")).size(), text_.size());
}

TEST_F(MetricsServerTest, AHundredConnectionsAtOnceAreAllAnswered) {
  std::vector<Descriptor> all;
  for (int i = 0; i < 100; ++i) all.push_back(connected(port_));
  for (const Descriptor& socket : all) send_text(socket, "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  for (const Descriptor& socket : all) EXPECT_EQ(body_of(received(socket)), "older\n");
}

TEST_F(MetricsServerTest, ALineThatDoesNotEndIsNoRequest) {
  const Descriptor endless = connected(port_);
  send_text(endless, "GET /metrics?" + std::string(1 << 20, 'a'));
  EXPECT_EQ(received(endless).find("older"), std::string::npos);
  EXPECT_EQ(asked_, 0);
  EXPECT_EQ(body_of(asked(port_, "GET /metrics")), "older\n");
}

TEST(MetricsServerWithoutMemory, ClosesAConnectionAndGoesOn) {
  std::atomic<int> asked_for{0};
  const MetricsServer server({}, "--metrics", [&](bool) {
    if (++asked_for < 3) throw std::bad_alloc();
    return std::make_shared<const std::string>("made\n");
  });
  const std::string url = server.url();
  const auto port = static_cast<unsigned short>(std::stoi(url.substr(url.rfind(':') + 1)));
  EXPECT_EQ(asked(port, "GET /metrics"), "");
  EXPECT_EQ(asked(port, "GET /metrics"), "");
  EXPECT_EQ(body_of(asked(port, "GET /metrics")), "made\n");
}

TEST_F(MetricsServerTest, APortThatIsTakenIsAUsageError) {
  const std::string error = error_of([this] { MetricsServer({"127.0.0.1", port_}, "--metrics", {}); });
  EXPECT_NE(error.find("in use"), std::string::npos) << "it was bound twice: " << error;
}

TEST(Endpoint, APortAloneIsOnTheLoopbackAddress) {
  for (const char* const text : {"9464", ":9464", "127.0.0.1:9464", "localhost:9464"}) {
    EXPECT_EQ(parse_endpoint(text, "").address, "127.0.0.1") << text;
    EXPECT_EQ(parse_endpoint(text, "").port, 9464) << text;
  }
  EXPECT_EQ(parse_endpoint("[::1]:1", "").address, "::1");
  EXPECT_EQ(parse_endpoint("0.0.0.0:1", "").address, "0.0.0.0");
}

TEST(Endpoint, AnythingElseIsRefused) {
  for (const char* const text : {"", "x", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80",
                                 "[::1]", "[127.0.0.1]:1", "host.example:1", "1.2.3.4:1 "})
    EXPECT_THROW(parse_endpoint(text, "--metrics"), Error) << text;
}

}  // namespace
}  // namespace edagen::testing
