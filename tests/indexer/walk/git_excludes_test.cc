// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/walk/git_excludes.h"

#include <gtest/gtest.h>

namespace kw::indexer {
namespace {

TEST(GitExcludes, AreReadFromAConfiguration) {
  struct Row {
    const char *config, *expected, *why;
  };
  const Row rows[] = {
      {"[core]\n\texcludesFile = ~/ignore\n", "~/ignore", "a plain value"},
      {"[CORE]\r\nExcludesFile=/a b\r\n", "/a b", "names in any case; CRLF"},
      {"[core] excludesfile = /x # note\n", "/x", "on the line of its section; a comment"},
      {"[core]\nexcludesfile = \"/a # \\\"b\\\" \" ; note\n", "/a # \"b\" ", "quotes and escapes"},
      {"[core]\nexcludesfile = /x\n[user]\n[core]\nexcludesfile = /y\n", "/y", "the last one"},
      {"[core \"sub\"]\nexcludesfile = /x\n", nullptr, "another section"},
      {"# [core]\nexcludesfile = /x\n", nullptr, "in no section"},
      {"[core]\nexcludesfile\n", nullptr, "without a value"},
      {"", nullptr, "nothing"},
  };
  for (const Row& row : rows) {
    const std::optional<std::string> found = excludes_file_in(row.config);
    EXPECT_EQ(found.has_value(), row.expected != nullptr) << row.why;
    if (row.expected) {
      EXPECT_EQ(found.value_or(""), row.expected) << row.why;
    }
  }
}

}  // namespace
}  // namespace kw::indexer
