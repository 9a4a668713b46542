// SPDX-License-Identifier: GPL-2.0-or-later
// Exact text and expressions against grep and ripgrep: random files, random questions; of Markdown
// the stored or the rendered line counts.
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "searcher/engine/search.h"
#include "tests/support/effort.h"
#include "tests/support/index_builder.h"
#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::search {
namespace {

using Places = std::set<std::string>;  // "path" or "path:line"

constexpr int kFiles = 40;

class TextOracle : public testing::Test {
 protected:
  void SetUp() override {
    std::vector<test::IndexedFile> files;
    for (int i = 0; i < kFiles; ++i) {
      const bool is_page = i % 3 == 0;
      const std::string name = "f" + std::to_string(i) + (is_page ? ".md" : ".txt");
      const auto [stored, rendered] = is_page ? write_page() : write_plain();
      test::write_file(dir_ / "stored" / name, stored);
      if (is_page) test::write_file(dir_ / "rendered" / name, rendered);
      texts_.push_back(stored);
      texts_.push_back(rendered);
      files.push_back({name, stored});
    }
    auto opened = Searcher::open(
        {DatabaseLocation{test::build_index(dir_ / ".kwsearch", std::move(files)).path()}});
    ASSERT_TRUE(opened);
    searcher_ = *std::move(opened);
  }

  struct Text {
    std::string stored, rendered;
  };

  std::size_t below(std::size_t n) { return random_() % n; }
  template <class T, std::size_t n>
  T any_of(const T (&list)[n]) {
    return list[below(n)];
  }
  std::string word() {
    return any_of({"widget", "widgets", "Open", "open", "all", "x1", "v2", "draw", "Z"});
  }

  Text write_plain() {
    std::string text;
    for (std::size_t n = 5 + below(30); n > 0; --n)
      text += word() + any_of({" ", "  ", "\t", "_", "(", ")", "::", ".", "-", "->", "\n", "\n\n",
                               ";", "*", "\\", "$", "[", "]", "@"});
    return {text + "\n", text + "\n"};
  }

  /// Paragraphs of words, some with marks; no line begins like a list or another block.
  Text write_page() {
    Text text;
    for (std::size_t n = 5 + below(30); n > 0; --n) {
      const std::string w = word();
      struct Form {
        const char *before, *after;
      };
      const Form form =
          any_of<Form>({{"", ""}, {"", ""}, {"**", "**"}, {"`", "`"}, {"[", "](draw)"}});
      text.stored += form.before + w + form.after;
      text.rendered += w;
      const std::string between = any_of({" ", " ", "\n", "\n\n", " (", ") ", ". ", ", "});
      text.stored += between;
      text.rendered += between;
    }
    return {text.stored + "\n", text.rendered + "\n"};
  }

  /// What the oracle prints of both trees, without their names. `more` are its options.
  Places ask_oracle(bool is_grep, std::vector<std::string> more, const std::string& pattern) {
    std::vector<std::string> command =
        is_grep ? std::vector<std::string>{"grep", "-rP"}
                : std::vector<std::string>{"rg", "--no-config", "-uuu", "-j1", "--no-heading"};
    command.insert(command.end(), more.begin(), more.end());
    command.insert(command.end(), {"-e", pattern, "stored", "rendered"});
    test::CommandOptions where;
    where.folder = dir_.path().string();
    const auto run = test::run_command(command, where);
    EXPECT_LE(run.exit_code, 1) << pattern << run.err;
    Places places;
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) {
      line.erase(0, line.find('/') + 1);
      const std::size_t colon = line.find(':');
      places.insert(line.substr(0, colon == line.npos ? colon : line.find(':', colon + 1)));
    }
    return places;
  }

  Places ask(const ParsedQuery& query, bool with_lines) {
    SearchOptions all;
    all.results = 0;
    const auto result = searcher_->search(query, all);
    EXPECT_TRUE(result);
    if (result->any) return {};  // files with some of the words of what none has
    Places places;
    for (const Hit& hit : result->hits) {
      if (!with_lines) places.insert(hit.path);
      if (with_lines)
        for (const LineMatch& m : hit.match.lines)
          places.insert(hit.path + ":" + std::to_string(m.line));
    }
    return places;
  }

  std::mt19937 random_{static_cast<std::mt19937::result_type>(test::seed_or(29))};
  test::TempDir dir_;
  std::vector<std::string> texts_;
  std::optional<Searcher> searcher_;
};

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Exact text as an expression: blanks are any, and no word is cut at its ends.
std::string expression_of(const std::string& text) {
  std::string out = is_word_char(text.front()) ? "\\b" : "";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::isspace(static_cast<unsigned char>(text[i]))) {
      if (!out.ends_with("\\s+")) out += "\\s+";
      continue;
    }
    if (std::strchr("\\.()[]$*", text[i])) out += '\\';
    out += text[i];
  }
  return out + (is_word_char(text.back()) ? "\\b" : "");
}

// Both oracles where they are there: in turn.
int rounds() { return test::effort() == 1 ? 300 : 1000 * test::effort(); }
bool has_ripgrep() { return test::run_command({"rg", "--version"}).exit_code == 0; }

TEST_F(TextOracle, ExactTextIsWhereGrepFindsIt) {
  const bool has_rg = has_ripgrep();
  std::size_t found = 0;
  for (int i = 0; i < rounds(); ++i) {
    const std::string& text = texts_[below(texts_.size())];
    std::string asked = text.substr(below(text.size()), 1 + below(14));
    asked.erase(0, asked.find_first_not_of(" \t\n"));
    asked.erase(asked.find_last_not_of(" \t\n") + 1);
    if (asked.empty() || asked.front() == '*' || asked.back() == '*') continue;  // syntax
    if (asked == "." || asked.back() == '\\') continue;  // in every path; escapes the quote
    const auto query = parse_query("\"" + asked + "\"");
    ASSERT_TRUE(query) << asked;
    const bool is_grep = i % 2 == 0 || !has_rg;
    const std::string expression = expression_of(asked);
    const Places expected = ask_oracle(
        is_grep, is_grep ? std::vector<std::string>{"-lzi"} : std::vector<std::string>{"-liU"},
        expression);
    found += expected.size();
    ASSERT_EQ(ask(*query, false), expected) << testing::PrintToString(asked) << " " << expression
                                            << " " << (is_grep ? "grep" : "rg") << ", round " << i;
  }
  EXPECT_GT(found, 300u);
}

TEST_F(TextOracle, ExpressionsFindTheLinesThatGrepFinds) {
  const bool has_rg = has_ripgrep();
  std::size_t found = 0;
  for (int i = 0; i < rounds(); ++i) {
    std::string expression = below(4) ? "" : "^";  // `\b^` is another thing to ripgrep
    for (std::size_t n = 1 + below(4); n > 0; --n)
      expression += any_of({"widget", "[wo]", "Open", "s?", "x1", "\\s", "\\W", "$", "l+", "\\s*",
                            ".*", "[[:space:]]", "[[:alpha:]]+", "\\b", "(all|draw)", "::", "\\(",
                            "[^a-z]", "\\d"});
    ParsedQuery query;
    query.root.children.emplace_back();
    query.root.children[0].kind = QueryNode::Kind::Regex;
    query.root.children[0].text = expression;
    const bool is_grep = i % 2 == 0 || !has_rg;
    const Places expected = ask_oracle(is_grep, {"-n"}, expression);
    found += expected.size();
    ASSERT_EQ(ask(query, true), expected)
        << expression << " " << (is_grep ? "grep" : "rg") << ", round " << i;
  }
  EXPECT_GT(found, 300u);
}

}  // namespace
}  // namespace kw::search
