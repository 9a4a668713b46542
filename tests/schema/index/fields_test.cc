// SPDX-License-Identifier: GPL-2.0-or-later
// The tables in SCHEMA.md are those of the code. KW_UPDATE_GOLDEN=1 rewrites them.
#include "schema/index/fields.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "schema/index/metadata.h"
#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw {
namespace {

constexpr std::string_view kBegin = "<!-- printed by kwfields; do not edit -->\n";
constexpr std::string_view kEnd = "<!-- end of what kwfields printed -->\n";

TEST(Schema, ThePageShowsTheTables) {
  const auto printed = test::run_command({"kwfields"});
  ASSERT_EQ(printed.exit_code, 0);
  const std::string path = std::string(KW_SOURCE_DIR) + "/schema/index/SCHEMA.md";
  std::string page = test::read_text(path);
  const std::size_t begin = page.find(kBegin);
  const std::size_t end = page.find(kEnd);
  ASSERT_TRUE(begin != std::string::npos && end != std::string::npos && begin < end);
  const std::size_t tables = begin + kBegin.size();
  if (std::getenv("KW_UPDATE_GOLDEN")) {
    page.replace(tables, end - tables, printed.out);
    test::write_file(path, page);
    return;
  }
  EXPECT_EQ(page.substr(tables, end - tables), printed.out)
      << "run it again with KW_UPDATE_GOLDEN=1 and read the difference";
}

TEST(Schema, RowsAreFoundByTheirName) {
  EXPECT_EQ(field_row(Field::Definition).name, "def");
  EXPECT_EQ(prefix_of(Field::Path), "Q");
  EXPECT_EQ(slot_of(Field::Stamp), 1u);
  EXPECT_EQ(slot_of(Field::Word), kNoSlot);
  EXPECT_EQ(key_of(Meta::Version), "kw.version");
}

}  // namespace
}  // namespace kw
