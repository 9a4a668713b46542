// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/term_weights.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/support/index_builder.h"
#include "tests/support/temp_dir.h"

namespace kw::exporter {
namespace {

using ::testing::DoubleNear;
using ::testing::SizeIs;

/// Of nine files: `in_all` stands in each, `in_four` in four, `in_three` in three, `in_one` in one.
class Telling : public testing::Test {
 protected:
  Telling() {
    std::vector<test::IndexedFile> files;
    for (int i = 0; i < 9; ++i) {
      std::string text = "in_all";
      if (i < 4) text += " in_four";
      if (i < 3) text += " in_three";
      if (i < 1) text += " in_one";
      files.push_back({fmt::format("{}.c", i), text});
    }
    files[0].definitions = {{"One", "class", 1, ""},
                            {"Both", "class", 1, ""},
                            {"Both", "function", 1, "Both"},
                            {"in_class", "member", 1, "One"},
                            {"operator ==", "function", 1, ""}};
    files[1].definitions = {{"Both", "function", 1, ""}, {"Many", "class", 1, ""}};
    files[2].definitions = {{"Many", "function", 1, ""}};
    files[3].definitions = {{"Many", "function", 1, ""}};
    reader_.emplace(*IndexReader::open(test::build_index(tmp_ / ".kwsearch", files)));
    statistics_ = *TreeStatistics::read(*reader_, FileTable(*reader_->stored_files()));
  }

  const test::TempDir tmp_;
  std::optional<IndexReader> reader_;
  TreeStatistics statistics_;
};

TEST_F(Telling, WeightsByHand) {
  const struct {
    const char* name;
    std::uint32_t count;
    double weight;  ///< count * 2.2 / (count + 1.2) * (1 + floor(log2 9) - floor(log2 files))
  } rows[] = {
      {"in_one", 1, 4},                 // 1 * (1 + 3 - 0)
      {"in_one", 3, 44.0 / 7},          // 6.6 / 4.2 * 4
      {"in_three", 1, 3},               // 3 files: rounded down to 2
      {"in_four", 1, 2},                // 1 + 3 - 2
      {"in_four", 4, 2 * 8.8 / 5.2},    //
      {"in_all", 1, 1},                 // 9 files: rounded down to 8
      {"in_all", 1000, 2200 / 1001.2},  // no more than 2.2
      {"nowhere", 1, 4},                // as one file's
  };
  for (const auto& row : rows)
    EXPECT_THAT(statistics_.weight(row.name, row.count), DoubleNear(row.weight, 1e-12))
        << row.name << " " << row.count;
}

TEST_F(Telling, ManyUsesOfACommonNameAreLessThanOneOfARareOne) {
  EXPECT_GT(statistics_.weight("in_one", 1), statistics_.weight("in_all", 1000000));
}

TEST_F(Telling, Definers) {
  EXPECT_THAT(statistics_.definers("One"), SizeIs(1));
  EXPECT_THAT(statistics_.definers("Both"), SizeIs(2)) << "each file once";
  EXPECT_THAT(statistics_.definers("operator =="), SizeIs(1)) << "blanks do not count";
  EXPECT_THAT(statistics_.definers("Many"), SizeIs(0)) << "three are too many";
  EXPECT_THAT(statistics_.definers("in_class"), SizeIs(0)) << "a name inside a type";
  EXPECT_THAT(statistics_.definers("in_one"), SizeIs(0)) << "used, not defined";
  EXPECT_THAT(statistics_.definers("one"), SizeIs(0)) << "another spelling";
}

TEST_F(Telling, EachIdentifierAndItsFiles) {
  std::vector<std::string> all;
  ASSERT_TRUE(reader_->for_each_identifier([&](const std::string& name, std::uint32_t files) {
    all.push_back(fmt::format("{} {}", name, files));
  }));
  EXPECT_THAT(all, testing::ElementsAre("in_all 9", "in_four 4", "in_one 1", "in_three 3"));
}

TEST_F(Telling, EachUseThatIsAskedFor) {
  std::vector<std::string> asked, found;
  ASSERT_TRUE(reader_->for_each_use(
      [&](const std::string& name, std::uint32_t files) {
        asked.push_back(name);
        return files == 3;
      },
      [&](const std::string& name, const std::vector<IndexReader::Use>& uses) -> Result<void> {
        for (const auto& use : uses)
          found.push_back(
              fmt::format("{} {}", name, reader_->record(use.docid, RecordParts::All)->path));
        return {};
      }));
  EXPECT_THAT(asked, SizeIs(4));
  EXPECT_THAT(found, testing::ElementsAre("in_three 0.c", "in_three 1.c", "in_three 2.c"));
}

}  // namespace
}  // namespace kw::exporter
