// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/command/options.h"

#include <gmock/gmock.h>

namespace kw::search {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::variant<KwsearchOptions, ExitCode> parse(std::vector<const char*> words) {
  words.insert(words.begin(), "kwsearch");
  return parse_kwsearch_options(static_cast<int>(words.size()), words.data());
}

KwsearchOptions options(std::vector<const char*> words) {
  const auto parsed = parse(std::move(words));
  EXPECT_TRUE(std::holds_alternative<KwsearchOptions>(parsed));
  return std::get<KwsearchOptions>(parsed);
}

TEST(KwsearchOptions, Defaults) {
  const KwsearchOptions o = options({"word"});
  EXPECT_EQ(o.query, "word");
  EXPECT_THAT(o.databases, IsEmpty());
  EXPECT_EQ(o.regex, "");
  EXPECT_EQ(o.search.results, 10u);
  EXPECT_EQ(o.search.offset, 0u);
  EXPECT_EQ(o.lines_per_file, 3u);
  EXPECT_EQ(o.context, 0u);
  EXPECT_EQ(o.form, OutputForm::Text);
  EXPECT_TRUE(o.search.demote_copies && o.search.with_lines);
  EXPECT_FALSE(o.search.case_sensitive || o.null_separated || o.absolute || o.explain ||
               o.list_fields);
}

TEST(KwsearchOptions, AllGiven) {
  const KwsearchOptions o =
      options({"--db", "a", "--db=b", "-s", "-e", "x.y", "-n", "7", "--offset", "20", "-m0", "-C2",
               "--absolute", "--explain", "--no-demote", "-q", "two", "words"});
  EXPECT_EQ(o.query, "two words");
  EXPECT_THAT(o.databases, ElementsAre("a", "b"));
  EXPECT_EQ(o.regex, "x.y");
  EXPECT_EQ(o.search.results, 7u);
  EXPECT_EQ(o.search.offset, 20u);
  EXPECT_EQ(o.lines_per_file, 0u);
  EXPECT_EQ(o.context, 2u);
  EXPECT_TRUE(o.search.case_sensitive && o.absolute && o.explain && o.common.quiet);
  EXPECT_FALSE(o.search.demote_copies);
}

TEST(KwsearchOptions, Queries) {
  struct {
    std::vector<const char*> words;
    const char *query, *why;
  } const cases[] = {
      {{"a", "b"}, "a b", "joined by one blank"},
      {{"a  b"}, "a  b", "an argument is kept as it is"},
      {{"\"a b\""}, "\"a b\"", "with its quotes"},
      {{"--", "-x"}, "-x", "what begins with a dash, after --"},
      {{"a", "--", "--dry-run"}, "a --dry-run", "beside others"},
      {{"a", "-s", "b"}, "a b", "options in between"},
      {{"NOT", "x"}, "NOT x", "keywords"},
      {{"-e", "x"}, "", "an expression alone"},
      {{"--regex=", "x"}, "x", "an empty expression takes no word"},
      {{"", "a"}, "a", "an empty argument"},
      {{"a", "a"}, "a a", "twice"},
      {{"[[nodiscard]]"}, "[[nodiscard]]", "brackets are no list"},
      {{"x", "[]", "[1,2]"}, "x [] [1,2]", "nor are these"},
      {{"--", "[a]", "--", "[b]"}, "[a] -- [b]", "nor behind --"},
      {{"--uses", "go"}, "ident:go", "uses of a name"},
  };
  for (const auto& c : cases) EXPECT_EQ(options(c.words).query, c.query) << c.why;
}

// Plain command lines are read without CLI11; an option that changes nothing brings it in.
TEST(KwsearchOptions, PlainCommandLinesAreReadAsAllOthers) {
  const std::vector<std::vector<const char*>> cases{
      {"word"},         {"a", "b"},         {"", "a", ""},        {"a", "", "b"},
      {"[a,b]"},        {"x=", "y"},        {"NOT", "x*"},        {"-l", "a"},
      {"a", "-l", "b"}, {"-l", "-l", "a"},  {"--db", "t", "a"},   {"a", "--db", "@work"},
      {"-l"},           {"a", "--db", "x"}, {"\xff", "\"a  b\""}, {"--db", "a", "--db", "b", "c"},
      {"a", "--", "-l"}};
  for (std::vector<const char*> words : cases) {
    const KwsearchOptions plain = options(words);
    words.insert(words.begin(), "--color=auto");
    const KwsearchOptions full = options(words);
    const std::string why = testing::PrintToString(words);
    EXPECT_EQ(plain.query, full.query) << why;
    EXPECT_EQ(plain.databases, full.databases) << why;
    EXPECT_EQ(plain.form, full.form) << why;
    EXPECT_EQ(plain.search.with_lines, full.search.with_lines) << why;
    EXPECT_EQ(plain.search.near_names, full.search.near_names) << why;
    EXPECT_EQ(plain.null_separated, full.null_separated) << why;
    EXPECT_EQ(plain.common.color, full.common.color) << why;
  }
}

TEST(KwsearchOptions, Forms) {
  struct {
    std::vector<const char*> words;
    OutputForm form;
    bool with_lines;
  } const cases[] = {
      {{"-l"}, OutputForm::Paths, false},         {{"--files"}, OutputForm::Paths, false},
      {{"-0"}, OutputForm::Paths, false},         {{"-l", "-0"}, OutputForm::Paths, false},
      {{"-c"}, OutputForm::Count, false},         {{"--json"}, OutputForm::Json, true},
      {{"--vimgrep"}, OutputForm::Vimgrep, true},
  };
  for (auto c : cases) {
    c.words.push_back("x");
    EXPECT_EQ(options(c.words).form, c.form) << c.words[0];
    EXPECT_EQ(options(c.words).search.with_lines, c.with_lines) << c.words[0];
  }
}

TEST(KwsearchOptions, Misuse) {
  const std::vector<std::vector<const char*>> cases{{"x", "--nonsense"},
                                                    {"x", "-n"},
                                                    {"x", "-n", "many"},
                                                    {"x", "-n", "-1"},
                                                    {"x", "-m", "1.5"},
                                                    {"x", "--json", "-l"},
                                                    {"x", "-c", "--vimgrep"},
                                                    {"x", "-0", "--json"},
                                                    {"x", "-0", "-c"},
                                                    {"x", "--color", "red"},
                                                    {"x", "--offset"},
                                                    {"x", "-C", "x"},
                                                    {"-n=", "3"},
                                                    {"--results=", "3"},
                                                    {"--db=", "x"},
                                                    {"--color=", "always"},
                                                    {"--count-by=", "folder"},
                                                    {"-x"},
                                                    {"--dry-run"},
                                                    {"x", "--count-by", "size"}};
  for (const auto& words : cases) {
    testing::internal::CaptureStderr();
    const auto parsed = parse(words);
    const std::string err = testing::internal::GetCapturedStderr();
    const auto* code = std::get_if<ExitCode>(&parsed);
    ASSERT_TRUE(code) << testing::PrintToString(words);
    EXPECT_EQ(*code, ExitCode::Fatal) << testing::PrintToString(words);
    EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 2) << err;
    EXPECT_THAT(err, testing::StartsWith("kwsearch: error: "));
    EXPECT_THAT(err, testing::HasSubstr("\nhint: "));
  }
}

TEST(KwsearchOptions, TheLastOfSeveralCounts) {
  const KwsearchOptions o = options({"-n", "1", "-n", "2", "-m", "3", "-m", "4", "x"});
  EXPECT_EQ(o.search.results, 2u);
  EXPECT_EQ(o.lines_per_file, 4u);
}

TEST(KwsearchOptions, HelpAndVersion) {
  for (const char* word : {"--help", "--version"}) {
    testing::internal::CaptureStdout();
    const auto parsed = parse({word});
    EXPECT_THAT(testing::internal::GetCapturedStdout(), testing::HasSubstr("kwsearch"));
    EXPECT_EQ(std::get<ExitCode>(parsed), ExitCode::Done);
  }
}

}  // namespace
}  // namespace kw::search
