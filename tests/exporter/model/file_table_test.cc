// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/file_table.h"

#include <gmock/gmock.h>

namespace kw::exporter {
namespace {

const FileTable kThree({{7, "a", {}}, {3, "a/b", {}}, {9, "c", {}}});

TEST(FileTable, FindsWholePathsOnly) {
  const struct {
    const char* path;
    std::optional<std::size_t> number;
  } rows[] = {{"a", 0},
              {"a/b", 1},
              {"c", 2},
              {"", std::nullopt},
              {"a/", std::nullopt},
              {"b", std::nullopt},
              {"C", std::nullopt},
              {"d", std::nullopt}};
  for (const auto& row : rows) EXPECT_EQ(kThree.find(row.path), row.number) << row.path;
  EXPECT_EQ(FileTable().find("a"), std::nullopt);
}

TEST(FileTable, NumbersAndDocumentsAreEachOthers) {
  for (std::size_t i = 0; i < kThree.paths().size(); ++i)
    EXPECT_EQ(kThree.number_of(kThree.docid_of(i)), i);
  EXPECT_EQ(kThree.docid_of(1), 3u);
  EXPECT_EQ(kThree.number_of(8), std::nullopt) << "a document that came later";
}

}  // namespace
}  // namespace kw::exporter
