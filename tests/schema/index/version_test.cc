// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/version.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

// Did this fail? Then what is on disk has changed: give it a new kSchemaVersion, with a line of
// history, and add the new fingerprint here. Never change a line of this table.
struct Known {
  std::uint32_t version;
  std::uint64_t fingerprint;
};
constexpr Known kKnown[] = {{1, 0xba803429fc1b9cda},
                            {2, 0xba803429fc1b9cda},
                            {3, 0xba803429fc1b9cda},
                            {4, 0xf52392f84a84aa19}};

TEST(SchemaVersion, TheTableIsThatOfTheVersion) {
  const Known& newest = kKnown[std::size(kKnown) - 1];
  EXPECT_EQ(newest.version, kSchemaVersion);
  EXPECT_EQ(newest.fingerprint, schema_fingerprint()) << std::hex << schema_fingerprint();
}

}  // namespace
}  // namespace kw
