#include "result/schema_fields.hpp"

#include <gtest/gtest.h>

#include "support/error_of.hpp"

namespace edagen {

struct Inner {
  double share = 0;
};
void fields(auto&& visit, Is<Inner> auto& inner) { visit("share", inner.share, {.most = 1, .about = "0 to 1"}); }

struct Outer {
  std::optional<Inner> first;
  std::vector<Inner> others;
  std::string engine, started_at;
  double measured = 0, change = 0;
};
void fields(auto&& visit, Is<Outer> auto& outer) {
  visit("first", outer.first);
  visit("others", outer.others, later("since 0.2"));
  visit("engine", outer.engine, {.words = {"posix", "sim"}});
  visit("started_at", outer.started_at, {.is_time = true});
  visit("measured", outer.measured, {.known = outer.measured > 0});
  visit("change", outer.change, {.least = any_number});
}

namespace {

const Document schema = schema_of<Outer>();

TEST(SchemaFields, MembersThatOlderVersionsLackAreNotRequired) {
  EXPECT_EQ(schema["required"], Document({"first", "engine", "started_at", "measured", "change"}));
  EXPECT_EQ(schema["additionalProperties"], false);
}

TEST(SchemaFields, AStructIsWrittenOnceAndReferredToElsewhere) {
  const Document& first = schema["properties"]["first"]["anyOf"][0];
  EXPECT_EQ(first["properties"]["share"],
            Document::parse(R"({"type":"number","minimum":0,"maximum":1,"description":"0 to 1"})"));
  EXPECT_EQ(schema["properties"]["others"]["items"]["$ref"], "#/properties/first/anyOf/0");
}

TEST(SchemaFields, WhatIsNotKnownMayBeNull) {
  EXPECT_EQ(schema["properties"]["measured"]["type"], Document({"number", "null"}));
  EXPECT_EQ(schema["properties"]["first"]["anyOf"][1], Document({{"type", "null"}}));
  EXPECT_EQ(schema["properties"]["change"], Document({{"type", "number"}})) << "any number";
}

TEST(SchemaFields, ADocumentIsHeldToIt) {
  Document document = {{"first", nullptr},
                       {"engine", "sim"},
                       {"started_at", "2026-01-01T00:00:00Z"},
                       {"measured", nullptr},
                       {"change", -2}};
  EXPECT_EQ(from_checked_json<Outer>(document, "f").change, -2);
  const auto is_refused = [&](const char* member, const Document& value) {
    Document wrong = document;
    wrong[member] = value;
    return !testing::error_of([&] { from_checked_json<Outer>(wrong, "f"); }).empty();
  };
  EXPECT_TRUE(is_refused("first", {{"share", 1.5}}));
  EXPECT_TRUE(is_refused("others", Document::array({{{"share", -1}}})));
  EXPECT_TRUE(is_refused("engine", "uring"));
  EXPECT_TRUE(is_refused("started_at", "today"));
  EXPECT_TRUE(is_refused("measured", -1));
  EXPECT_TRUE(is_refused("other", 1));
  EXPECT_FALSE(is_refused("first", {{"share", 0.5}}));
}

}  // namespace
}  // namespace edagen
