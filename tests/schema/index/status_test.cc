// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/status.h"

#include <gmock/gmock.h>

#include "tests/support/temp_dir.h"

namespace kw {
namespace {

RunStatus sample() {
  RunStatus s;
  s.started_ns = 1'700'000'000'123'456'789;
  s.finished_ns = s.started_ns + 5;
  s.files = 3;
  s.bytes = 1ull << 40;
  s.indexed = 2;
  s.removed = 4;
  s.symbols_lost = {"slow.c", "odd-\xE9.c"};
  s.cut_ignore_files = {"a/.ignore", "/etc/odd-\xE9"};
  s.truncated = {"large.js", "odd-\xE9.js"};
  s.symbol_source = "/usr/bin/ctags 9 1.5, 2 processors, 3 GiB";
  s.then_due = true;
  s.compacted_bytes = 77;
  s.unsearched = {{"too large", 1}, {"unreadable", 1}};
  s.skipped = {{"a.bin", "binary", FileStat{1, -2, 3, ~0ull, 5}},
               {"b\n\"q\".bin", "too large", {}},
               {"latin-\xE9", "unreadable", {}},
               {"base64:x", "special", {}}};
  s.clean = {{"c.md", 9}, {"latin-\xE9.md", 10}, {"base64:AA==", 11}};
  return s;
}

TEST(RunStatus, ComesBackAsItWas) {
  const auto back = parse_status(to_json(sample()));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, sample()) << "names that are not UTF-8, or look encoded, too";
}

TEST(RunStatus, InAFolder) {
  const test::TempDir dir;
  const DatabaseFolder folder(dir.str());
  EXPECT_EQ(read_status(folder), RunStatus{}) << "absent";
  ASSERT_TRUE(write_status(folder, sample()));
  EXPECT_EQ(read_status(folder), sample());
  ASSERT_TRUE(write_status(folder, RunStatus{}));
  EXPECT_EQ(read_status(folder), RunStatus{}) << "replaced, not appended";
}

TEST(RunStatus, WhatWasNotSearchedIsReadAlone) {
  const test::TempDir dir;
  const DatabaseFolder folder(dir.str());
  EXPECT_TRUE(read_unsearched(folder).empty()) << "absent";
  RunStatus status = sample();
  for (int i = 0; i < 1000; ++i) status.skipped.push_back({std::to_string(i), "generated", {}});
  ASSERT_TRUE(write_status(folder, status));
  EXPECT_EQ(read_unsearched(folder), status.unsearched) << "from the head of the file";
  for (const char* text : {"", "{", "[1]", R"({"unsearched":[1]})", R"({"unsearched":{"a":"b"}})",
                           R"({"started_ns":1,"unsearched":{"a":1}})"}) {
    test::write_file(folder.status(), text);
    EXPECT_TRUE(read_unsearched(folder).empty()) << text;
  }
}

TEST(RunStatus, DamageReadsAsEmpty) {
  const test::TempDir dir;
  const DatabaseFolder folder(dir.str());
  for (const char* text :
       {"", "{", "[]", "null", "{\"started_ns\": \"x\"}",
        R"({"unsearched":{},"started_ns":1,"finished_ns":1,"files":1,"bytes":1,"indexed":1,)"
        R"("removed":0,"symbols_lost":[],"cut_ignore_files":[],"truncated":[],"symbol_source":"",)"
        R"("then_due":false,"compacted_bytes":1,)"
        R"("skipped":[{"path":"a","reason":"binary","stamp":[1,2]}],"clean":{}})"}) {
    test::write_file(folder.status(), text);
    EXPECT_EQ(read_status(folder), RunStatus{}) << text;
  }
}

}  // namespace
}  // namespace kw
