// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/update/change_set.h"

#include <gmock/gmock.h>

#include <map>

namespace kw::indexer {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kNow = 1'700'000'000 * kSecond + 123'456'789;
// Long before the run that read it, and with a fraction: a file at rest.
constexpr std::int64_t kOld = kNow - 1000 * kSecond;
constexpr std::int64_t kSeen = kNow - 500 * kSecond;

FileStat stamp(std::uint64_t size = 10, std::int64_t mtime = kOld, std::int64_t ctime = kOld,
               std::uint64_t inode = 7, std::int64_t seen = kSeen) {
  return {size, mtime, ctime, inode, seen};
}

struct FileCase {
  const char* why;
  FileStat stored;
  FileStat found;
  ChangeKind kind;
  const char* reason;
};

TEST(ChangeSet, FilesOfIndexAndTree) {
  const FileCase cases[] = {
      {"nothing changed", stamp(), stamp(), ChangeKind::Same, ""},
      {"the time of the run is no stat data", stamp(), stamp(10, kOld, kOld, 7, 0),
       ChangeKind::Same, ""},
      {"other size", stamp(), stamp(20), ChangeKind::Changed, "size 10 -> 20"},
      {"other mtime", stamp(), stamp(10, kOld + 1), ChangeKind::Changed, "mtime"},
      {"older mtime: a file put back", stamp(), stamp(10, kOld - 9), ChangeKind::Changed, "mtime"},
      {"ctime alone: mtime was set back after a change", stamp(), stamp(10, kOld, kOld + 1),
       ChangeKind::Changed, "ctime"},
      {"replaced by another file", stamp(), stamp(10, kOld, kOld, 8), ChangeKind::Changed,
       "another inode"},
      {"changed in the tick before it was read", stamp(10, kSeen - 1, kSeen - 1),
       stamp(10, kSeen - 1, kSeen - 1), ChangeKind::Racy,
       "racy: changed in the tick it was recorded"},
      {"changed in that tick: size tells more", stamp(10, kSeen, kSeen), stamp(11, kSeen, kSeen),
       ChangeKind::Changed, "size 10 -> 11"},
  };
  for (const FileCase& c : cases) {
    SCOPED_TRACE(c.why);
    const ChangeSet plan = build_change_set({{3, "a", c.stored}}, {{{"a", c.found}}, {}}, {}, kNow);
    ASSERT_EQ(plan.size(), 1u);
    EXPECT_EQ(plan[0].kind, c.kind);
    EXPECT_EQ(reason_text(plan[0]), c.reason);
    EXPECT_EQ(plan[0].docid, 3u);
  }
}

TEST(ChangeSet, WhatCtagsFailedOnIsTriedAgain) {
  struct Case {
    const char* why;
    SymbolLoss loss;
    bool other_source;
    ChangeKind kind;
  };
  const Case cases[] = {
      {"once may be the machine's fault", SymbolLoss::Once, false, ChangeKind::Retry},
      {"twice is the file's", SymbolLoss::Twice, false, ChangeKind::Same},
      {"until ctags or the machine is another", SymbolLoss::Twice, true, ChangeKind::Retry},
      {"a limit of ours stays", SymbolLoss::Limit, true, ChangeKind::Same},
      {"nothing is lost", SymbolLoss::None, true, ChangeKind::Same},
  };
  for (const Case& c : cases) {
    FileStat stored = stamp();
    stored.loss = c.loss;
    const ChangeSet plan =
        build_change_set({{3, "a", stored}}, {{{"a", stamp()}}, {}}, {}, kNow, c.other_source);
    ASSERT_EQ(plan.size(), 1u);
    EXPECT_EQ(plan[0].kind, c.kind) << c.why;
  }
}

TEST(ChangeSet, RacyByTheGrainOfTheClock) {
  struct Case {
    const char* why;
    std::int64_t time, seen;
    bool racy;
  };
  const std::int64_t whole = 1'600'000'000 * kSecond;
  const Case cases[] = {
      {"read long after", kOld, kSeen, false},
      {"read a tick of the kernel's clock after", kOld, kOld + 10'000'000, true},
      {"read at the edge", kOld, kOld + 20'000'000, true},
      {"read past the edge", kOld, kOld + 20'000'001, false},
      {"read before: changed after", kOld, kOld - 1, true},
      {"whole seconds may be FAT's pairs", whole, whole + 2 * kSecond, true},
      {"whole seconds, read later", whole, whole + 2 * kSecond + 1, false},
      {"set a year ahead: no change can have got that time yet", kNow + 365 * 86'400 * kSecond,
       kSeen, false},
      {"an hour ahead: a server's clock", kNow + 3'600 * kSecond + 1, kSeen, true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.why);
    EXPECT_EQ(is_racy(stamp(1, c.time, 1, 1, c.seen), kNow), c.racy);
    EXPECT_EQ(is_racy(stamp(1, 1, c.time, 1, c.seen), kNow), c.racy) << "ctime";
  }
}

TEST(ChangeSet, AVerifiedFileIsReadOnce) {
  const FileStat racy = stamp(10, kSeen, kSeen);
  RunStatus last;
  last.clean["a"] = kSeen + kSecond;
  last.clean["b"] = kSeen;  // that look was within the tick, too
  const ChangeSet plan = build_change_set({{1, "a", racy}, {2, "b", racy}},
                                          {{{"a", racy}, {"b", racy}}, {}}, last, kNow);
  EXPECT_EQ(plan[0].kind, ChangeKind::Same);
  EXPECT_EQ(plan[1].kind, ChangeKind::Racy);
}

TEST(ChangeSet, EveryPathOnceInOrder) {
  const WalkResult tree{
      {{"b", stamp()}, {"c", stamp()}, {"f", stamp()}},
      {{"a", SkipReason::Special}, {"d", SkipReason::TooLarge}, {"e", SkipReason::Unreadable}}};
  const ChangeSet plan = build_change_set({{1, "c", stamp()},
                                           {2, "d", stamp()},
                                           {3, "e/x", stamp()},
                                           {4, "ee", stamp()},
                                           {5, "z", stamp()}},
                                          tree, {}, kNow);
  std::vector<std::string> lines;
  const std::map<ChangeKind, std::string> words{
      {ChangeKind::New, "new"},   {ChangeKind::Changed, "changed"}, {ChangeKind::Racy, "racy"},
      {ChangeKind::Same, "same"}, {ChangeKind::Skipped, "skipped"}, {ChangeKind::Gone, "gone"}};
  for (const FileChange& f : plan)
    lines.push_back(words.at(f.kind) + " " + f.path + " " + std::to_string(f.docid) + " " +
                    reason_text(f));
  EXPECT_THAT(lines, testing::ElementsAre("skipped a 0 special", "new b 0 ", "same c 1 ",
                                          "skipped d 2 too large",   // grew: it leaves the index
                                          "skipped e 0 unreadable",  // the folder
                                          "gone e/x 3 its folder is unreadable",
                                          "gone ee 4 ",  // not in that folder
                                          "new f 0 ", "gone z 5 "));
}

TEST(ChangeSet, WhatWasSkippedForItsContentIsReadAgainWhenItChanges) {
  struct Case {
    const char* why;
    std::string reason;
    std::optional<FileStat> before;
    FileStat now;
    ChangeKind kind;
  };
  const Case cases[] = {
      {"a binary file at rest", "binary", stamp(), stamp(), ChangeKind::Skipped},
      {"a keyword page at rest", "generated", stamp(), stamp(), ChangeKind::Skipped},
      {"it changed", "binary", stamp(), stamp(11), ChangeKind::New},
      {"it may have changed", "binary", stamp(10, kSeen, kSeen), stamp(10, kSeen, kSeen),
       ChangeKind::New},
      {"never read", "generated", std::nullopt, stamp(), ChangeKind::New},
      {"unreadable says nothing for today", "unreadable", stamp(), stamp(), ChangeKind::New},
      {"too large says nothing either: the limit may be another", "too large", stamp(), stamp(),
       ChangeKind::New},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.why);
    RunStatus last;
    last.skipped = {{"a", c.reason, c.before}};
    FileStat found = c.now;
    found.seen_ns = 0;
    const ChangeSet plan = build_change_set({}, {{{"a", found}}, {}}, last, kNow);
    EXPECT_EQ(plan[0].kind, c.kind);
    if (c.kind == ChangeKind::Skipped) {
      EXPECT_EQ(plan[0].found->seen_ns, kSeen) << "or it would be racy next time";
    }
  }
}

}  // namespace
}  // namespace kw::indexer
