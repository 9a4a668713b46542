// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/heading_places.h"

#include <gmock/gmock.h>

namespace kw::exporter::site {
namespace {

FileRecord with_headings(const std::vector<std::string>& titles) {
  FileRecord record;
  for (const std::string& title : titles) {
    record.sections.emplace_back();
    record.sections.back().title = title;
  }
  return record;
}

TEST(HeadingPlaces, AWordHasABitForEachHeading) {
  HeadingPlaces places;
  places.add(with_headings({"Reading files", "Other", "Files and FooBar"}));
  places.add(with_headings({}));
  places.add(with_headings({"files"}));
  EXPECT_EQ(places.of(0, "file"), 0b101) << "by its stem";
  EXPECT_EQ(places.of(0, "read"), 0b001);
  EXPECT_EQ(places.of(0, "foobar"), 0b100);
  EXPECT_EQ(places.of(0, "bar"), 0b100) << "and the words inside names";
  EXPECT_EQ(places.of(2, "file"), 0b1);
}

TEST(HeadingPlaces, WhatIsNotKnownMayBeAnywhere) {
  HeadingPlaces places;
  places.add(with_headings({"one"}));
  EXPECT_EQ(places.of(0, "two"), HeadingPlaces::kAny);
  EXPECT_EQ(places.of(1, "one"), HeadingPlaces::kAny);
}

TEST(HeadingPlaces, HeadingsBehindTheLastBitBeginAgain) {
  std::vector<std::string> titles(HeadingPlaces::kBits, "other");
  titles.push_back("late");
  HeadingPlaces places;
  places.add(with_headings(titles));
  EXPECT_EQ(places.of(0, "late"), 0b1);
  EXPECT_EQ(places.of(0, "other"), HeadingPlaces::kAny);
}

}  // namespace
}  // namespace kw::exporter::site
