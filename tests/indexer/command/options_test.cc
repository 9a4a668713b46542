// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/command/options.h"

#include <gmock/gmock.h>

#include "tests/support/temp_dir.h"

namespace kw::indexer {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

std::variant<KwindexOptions, ExitCode> parse(const Words& words) {
  std::vector<const char*> argv{"kwindex"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  return parse_kwindex_options(static_cast<int>(argv.size()), argv.data());
}

KwindexOptions parsed(const Words& words) {
  auto result = parse(words);
  if (const auto* options = std::get_if<KwindexOptions>(&result)) return *options;
  ADD_FAILURE() << "refused";
  return {};
}

TEST(KwindexOptions, NothingGivenIsNothingGiven) {
  const KwindexOptions o = parsed({});
  EXPECT_EQ(o.root, "");
  EXPECT_FALSE(o.index.include || o.index.exclude || o.index.use_ignore_files || o.index.hidden ||
               o.index.follow || o.index.max_file_size || o.index.symbols || o.index.doc_suffixes ||
               o.index.doc_root || o.shard || o.progress);
  EXPECT_EQ(o.index.applied_to({}), IndexOptions{});
}

TEST(KwindexOptions, Questions) {
  EXPECT_EQ(parsed({}).task, KwindexTask::Index);
  EXPECT_EQ(parsed({"--status"}).task, KwindexTask::Status);
  EXPECT_EQ(parsed({"root", "--skipped", "--json"}).task, KwindexTask::Skipped);
  EXPECT_EQ(parsed({"--check", "--wait", "1"}).task, KwindexTask::Check);
  EXPECT_EQ(parsed({"--watch", "--then", "true"}).task, KwindexTask::Watch);
  for (const Words& words : {Words{"--status", "--check"}, Words{"--check", "--skipped"},
                             Words{"--status", "--rebuild"}, Words{"--check", "--dry-run"},
                             Words{"--watch", "--status"}, Words{"--watch", "--rebuild"}}) {
    const auto result = parse(words);
    EXPECT_EQ(std::get<ExitCode>(result), ExitCode::Fatal) << words[0] << " " << words[1];
  }
}

TEST(KwindexOptions, AllOfThem) {
  const KwindexOptions o = parsed({"root",        "--rebuild",
                                   "-j",          "3",
                                   "--include",   "*.md",
                                   "--include",   "*.py",
                                   "--exclude",   "old",
                                   "--no-ignore", "--hidden",
                                   "--follow",    "--max-file-size",
                                   "2M",          "--symbols",
                                   "none",        "--doc-suffix",
                                   "_doc.md",     "--doc-root",
                                   "wiki/",       "--shard",
                                   "2/4",         "--db",
                                   "x",           "--progress",
                                   "--dry-run",   "--explain",
                                   "--wait",      "1.5",
                                   "--json",      "--allow-empty",
                                   "--reset",     "--shared",
                                   "-q",          "-vv",
                                   "--color",     "never"});
  EXPECT_EQ(o.root, "root");
  EXPECT_EQ(o.database, "x");
  EXPECT_EQ(o.jobs, 3u);
  EXPECT_EQ(o.index.include, Words({"*.md", "*.py"}));
  EXPECT_EQ(o.index.exclude, Words({"old"}));
  EXPECT_EQ(o.index.use_ignore_files, false);
  EXPECT_EQ(o.index.hidden, true);
  EXPECT_EQ(o.index.follow, true);
  EXPECT_EQ(o.index.max_file_size, 2u << 20);
  EXPECT_EQ(o.index.symbols, Symbols::None);
  EXPECT_EQ(o.index.doc_suffixes, Words({"_doc.md"}));
  EXPECT_EQ(o.index.doc_root, "wiki/");
  EXPECT_EQ(o.shard, (Partition{2, 4}));
  EXPECT_EQ(o.progress, true);
  EXPECT_DOUBLE_EQ(o.wait_seconds, 1.5);
  EXPECT_TRUE(o.rebuild && o.dry_run && o.explain && o.json && o.allow_empty && o.reset &&
              o.shared && o.common.quiet);
  EXPECT_EQ(o.common.verbose, 2);
  EXPECT_EQ(o.common.color, cli::ColorMode::Never);
}

TEST(KwindexOptions, OneWordForEachTime) {
  const KwindexOptions o = parsed({"--exclude", "a", "root"});
  EXPECT_EQ(o.root, "root") << "a list must not swallow the root";
  EXPECT_EQ(o.index.exclude, Words({"a"}));
}

TEST(KwindexOptions, WhatIsStoredCanBeTakenBack) {
  const KwindexOptions o = parsed({"--hidden=false", "--no-ignore=false", "--exclude", ""});
  IndexOptions stored;
  stored.hidden = true;
  stored.use_ignore_files = false;
  stored.exclude = {"x"};
  stored.include = {"*.md"};
  const IndexOptions now = o.index.applied_to(stored);
  EXPECT_FALSE(now.hidden);
  EXPECT_TRUE(now.use_ignore_files);
  EXPECT_TRUE(now.exclude.empty());
  EXPECT_EQ(now.include, Words({"*.md"})) << "not given, so kept";
}

TEST(KwindexOptions, AnEmptyValueIsOneHoweverItIsWritten) {
  KwindexOptions o = parsed({"--exclude=", "root", "--then=", "-q", "--doc-root="});
  EXPECT_EQ(o.root, "root");
  EXPECT_EQ(o.index.exclude, Words());
  EXPECT_EQ(o.index.doc_root, "");
  EXPECT_EQ(o.then, "");
  EXPECT_TRUE(o.common.quiet);
  o = parsed({"--then", "--db=", "--exclude", "--include=", "-qj", "3", "--", "--db="});
  EXPECT_EQ(o.then, "--db=") << "a value, not an option";
  EXPECT_EQ(o.index.exclude, Words({"--include="}));
  EXPECT_EQ(o.jobs, 3u);
  EXPECT_EQ(o.root, "--db=");
}

TEST(KwindexOptions, TheLastOfTwoCounts) {
  const KwindexOptions o = parsed({"--jobs", "1", "--jobs", "2", "--progress", "--no-progress"});
  EXPECT_EQ(o.jobs, 2u);
  EXPECT_EQ(o.progress, false);
}

TEST(KwindexOptions, FromAFile) {
  const test::TempDir dir;
  test::write_file(dir / "c.toml", "exclude = [\"a\", \"b\"]\nhidden = true\njobs = 5\n");
  const KwindexOptions o = parsed({"--config", (dir / "c.toml").string(), "--jobs", "2"});
  EXPECT_EQ(o.index.exclude, Words({"a", "b"}));
  EXPECT_EQ(o.index.hidden, true);
  EXPECT_EQ(o.jobs, 2u) << "the command line is stronger";
}

TEST(KwindexOptions, Refused) {
  const test::TempDir dir;
  test::write_file(dir / "bad.toml", "no-such-option = 1\n");
  struct Case {
    const char* why;
    Words words;
    const char* said;
  };
  const Case cases[] = {
      {"unknown", {"--foo"}, "unknown option '--foo'"},
      {"two roots", {"a", "b"}, "unexpected argument 'b'"},
      {"no number", {"--jobs", "many"}, "'many' is not a number from 1 to 64"},
      {"zero threads", {"--jobs", "0"}, "not a number from 1"},
      {"half a thread", {"--jobs", "1.5"}, "not a number from 1"},
      {"negative wait", {"--wait", "-1"}, "--wait"},
      {"no size", {"--max-file-size", "big"}, "'big' is no size"},
      {"more than a record holds", {"--max-file-size", "1G"}, "at most 32M"},
      {"unknown symbols", {"--symbols", "clang"}, "none of ctags, none"},
      {"no value", {"--exclude"}, "--exclude needs a GLOB"},
      {"an empty number", {"--jobs=", "3"}, "'' is not a number"},
      {"an empty size", {"--max-file-size=", "3"}, "'' is no size"},
      {"an empty index", {"--db=", "x"}, "--db: name a folder"},
      {"an empty root", {""}, "name a folder"},
      {"part outside", {"--db", "x", "--shard", "5/4"}, "'5/4' is no part"},
      {"part zero", {"--db", "x", "--shard", "0/4"}, "'0/4' is no part"},
      {"a part without a place of its own", {"--shard", "1/4"}, "--shard needs --db"},
      {"no such file", {"--config", "/no/such/file"}, "cannot read the configuration file"},
      {"a file with unknown keys", {"--config", (dir / "bad.toml").string()}, "no-such-option"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.why);
    testing::internal::CaptureStderr();
    const auto result = parse(c.words);
    const std::string said = testing::internal::GetCapturedStderr();
    ASSERT_TRUE(std::holds_alternative<ExitCode>(result));
    EXPECT_EQ(std::get<ExitCode>(result), ExitCode::Fatal);
    EXPECT_THAT(said, HasSubstr(c.said));
    EXPECT_THAT(said, HasSubstr("hint: "));
  }
}

TEST(Partition, AFileBelongsToExactlyOne) {
  std::size_t counts[4] = {};
  for (int i = 0; i < 1000; ++i) {
    int holders = 0;
    for (std::uint32_t part = 1; part <= 4; ++part)
      if (partition_holds({part, 4}, "src/file" + std::to_string(i) + ".py")) {
        ++holders;
        ++counts[part - 1];
      }
    ASSERT_EQ(holders, 1);
  }
  for (const std::size_t n : counts) EXPECT_GT(n, 150u) << "parts are of about one size";
}

TEST(Partition, Text) {
  EXPECT_EQ(parse_partition("2/8"), (Partition{2, 8}));
  EXPECT_EQ(to_string(Partition{2, 8}), "2/8");
  for (const char* bad :
       {"", "1", "/", "1/", "/2", "3/2", "0/2", "1/0", "a/b", "1/2x", "-1/2", "1/10000"})
    EXPECT_FALSE(parse_partition(bad)) << bad;
}

}  // namespace
}  // namespace kw::indexer
