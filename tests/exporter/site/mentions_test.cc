// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/mentions.h"

#include <gmock/gmock.h>

namespace kw::exporter::site {
namespace {

using testing::ElementsAre;
using testing::Pair;

FileRecord record_of(std::string path, std::vector<Definition> definitions) {
  FileRecord record;
  record.path = std::move(path);
  record.definitions = std::move(definitions);
  return record;
}

Mentions::Files mentions_in(const std::vector<std::string>& texts) {
  Mentions mentions;
  mentions.add_definitions(record_of(
      "nn/linear.py", {{"Linear", "class", 1, ""}, {"for_ward", "method", 2, "nn::Linear<T>"}}));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    FileRecord record = record_of("other/use.py", {});
    record.text = texts[i];
    mentions.add_text(static_cast<std::uint32_t>(i), record);
  }
  return mentions.take();
}

TEST(Mentions, NameWhatTheTreeDefinesInThatScopeOrModule) {
  EXPECT_THAT(mentions_in({"Linear.for_ward"}),
              ElementsAre(Pair("forward.linear", ElementsAre(0))));
  EXPECT_THAT(
      mentions_in({"the folder: x = torch.nn.Linear(2)", "the file: linear.Linear"}),
      ElementsAre(Pair("linear.linear", ElementsAre(1)), Pair("linear.nn", ElementsAre(0))));
  EXPECT_THAT(mentions_in({"self.for_ward() other.Linear nn.for_ward nn . Linear nn.Linearly"}),
              ElementsAre());
}

TEST(Mentions, EachSignIsItsOwn) {
  EXPECT_THAT(
      mentions_in({"Linear::for_ward", "Linear->for_ward", "Linear#for_ward"}),
      ElementsAre(Pair("forward.#linear", ElementsAre(2)), Pair("forward.:linear", ElementsAre(0)),
                  Pair("forward.>linear", ElementsAre(1))));
}

TEST(Mentions, AFileCountsOnce) {
  EXPECT_THAT(mentions_in({"nn.Linear nn.linear", "", "nn.Linear"}),
              ElementsAre(Pair("linear.nn", ElementsAre(0, 2))));
}

TEST(Mentions, AFileThatDefinesTheNameIsFoundWithoutThem) {
  Mentions mentions;
  FileRecord record = record_of("nn/linear.py", {{"Linear", "class", 1, ""}});
  record.text = "nn.Linear";
  mentions.add_definitions(record);
  mentions.add_text(0, record);
  EXPECT_THAT(mentions.take(), ElementsAre());
}

TEST(Mentions, SignsAtTheEndsOfATextAreNone) {
  EXPECT_THAT(mentions_in({".", "", "nn.", ".Linear", "nn:", "nn-", "nn:Linear", "nn-Linear"}),
              ElementsAre());
}

}  // namespace
}  // namespace kw::exporter::site
