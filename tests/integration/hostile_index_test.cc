// SPDX-License-Identifier: GPL-2.0-or-later
// An index that came with a tree and was made to harm: records that claim much, or unfold to much.
// Each program ends with an answer or a message, in bounded time and memory.
#include <fmt/format.h>
#include <zstd.h>

#include <functional>

#include "schema/base/xapian_api.h"
#include "schema/index/fields.h"
#include "schema/index/record.h"
#include "schema/text/text.h"
#include "tests/integration/kwindex_fixture.h"
#include "tests/support/child_usage.h"

namespace kw::test {
namespace {

constexpr double kMaxSeconds = kSanitized ? 120 : 10;

std::string number(std::uint64_t n) {
  std::string out;
  for (; n >= 0x80; n >>= 7) out.push_back(static_cast<char>(n | 0x80));
  return out + static_cast<char>(n);
}

/// A record's data: the sizes, then one zstd frame of all three.
std::string data_of(const std::string& head, const std::string& text,
                    const std::string& rendering = number(0) + number(0)) {
  const std::string plain = head + text + rendering;
  std::string frame(ZSTD_compressBound(plain.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), plain.data(), plain.size(), 1));
  return number(head.size()) + number(text.size()) + number(rendering.size()) + frame;
}

/// Path, no title, description, language nor size, a hash, and then what follows.
std::string head_of(const std::string& rest, const std::string& path = "a.md") {
  return number(path.size()) + path + std::string(4, '\0') + std::string(16, 'h') + rest;
}

const std::string kNoSections = number(0), kNoDefinitions = number(0) + number(0);

std::string text_bomb(const std::string& piece) {
  std::string text;
  text.reserve(kMaxTextBytes);
  while (text.size() + piece.size() <= kMaxTextBytes) text += piece;
  return data_of(head_of(kNoSections + kNoDefinitions), text);
}

/// 20 million sections in a frame of some kilobytes.
std::string section_bomb() {
  const std::uint64_t sections = 20'000'000;
  return data_of(head_of(number(sections) + std::string(sections * 5, '\0') + kNoDefinitions),
                 "# A\n");
}

/// A scope of a megabyte, which each of a million definitions has.
std::string definition_bomb() {
  const std::uint64_t scope = 1 << 20, definitions = 1'000'000;
  std::string rest =
      kNoSections + number(1) + number(scope) + std::string(scope, 's') + number(definitions);
  rest += std::string(definitions * 4, '\0');  // no name, kind 0, scope 0, the same line
  return data_of(head_of(rest), "# A\n");
}

/// 20 million edits that do nothing, or blocks of code without lines.
std::string rendering_bomb(bool is_code) {
  const std::string many = number(20'000'000) + std::string(40'000'000, '\0');
  return data_of(head_of(kNoSections + kNoDefinitions), "# A\n",
                 is_code ? many + number(0) : number(0) + many);
}

class HostileIndex : public KwindexTest {
 protected:
  HostileIndex() {
    make_tree(root(), {{"a.md", "# A\n\nCommonName\n"}, {"b.md", "# B\n\nCommonName\n"}});
    index();
  }

  void set_data(const std::string& data) const {
    Xapian::WritableDatabase db((database() / "gen-1").string(), Xapian::DB_OPEN);
    Xapian::Document document = db.get_document(1);
    document.set_data(data);
    db.replace_document(1, document);
  }

  void expect_bounded(std::vector<std::string> words) const {
    SCOPED_TRACE(testing::PrintToString(words));
    const double before = child_seconds();
    const CommandResult result = run_command(words);
    EXPECT_THAT(result.exit_code, testing::AnyOf(0, 1, 2, 3)) << result.err;
    if (result.exit_code == 2) {
      EXPECT_THAT(result.err + result.out, testing::HasSubstr("hint: "));
    }
    EXPECT_LT(child_seconds() - before, kMaxSeconds) << "of processor time";
    if (!kSanitized) {
      EXPECT_LT(child_peak_mb(), 500);
    }
  }
};

// What is made here by hand has the form of today's records.
TEST_F(HostileIndex, ARecordWithoutABombIsRead) {
  const auto record =
      RecordCodec().decode(data_of(head_of(kNoSections + kNoDefinitions), "# CommonName\n"));
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->path, "a.md");
  EXPECT_EQ(record->text, "# CommonName\n");
}

TEST_F(HostileIndex, CompressionBombs) {
  const std::pair<const char*, std::function<std::string()>> bombs[] = {
      {"a terabyte is claimed",
       [] {
         return number(1ull << 40) + number(1ull << 40) + number(1ull << 40) +
                data_of("x", "y").substr(3);
       }},
      {"lines without end", [] { return text_bomb("\n"); }},
      {"short lines that all match", [] { return text_bomb("CommonName\n"); }},
      {"sections", section_bomb},
      {"definitions", definition_bomb},
      {"edits", [] { return rendering_bomb(false); }},
      {"blocks of code", [] { return rendering_bomb(true); }},
  };
  for (const auto& [why, make] : bombs) {
    SCOPED_TRACE(why);
    set_data(make());
    const std::string at = root().string();
    expect_bounded({"kwsearch", "--db", at, "CommonName"});
    expect_bounded({"kwsearch", "--db", at, "--json", "\"CommonName\""});
    expect_bounded({"kwexport", "--db", at, "--out", (dir_ / "out").string()});
    expect_bounded({"kwindex", at, "--check"});
    expect_bounded({"kwdump", database().string()});
  }
  EXPECT_EQ(run({"tree", "--rebuild"}).exit_code, 0) << "and the index is replaced";
  EXPECT_EQ(run({"tree", "--check"}).exit_code, 0);
}

TEST_F(HostileIndex, TenRecordsOfFullSizeThatAllMatch) {
  const std::string line = "a line with CommonName in it\n";
  for (int i = 0; i < 10; ++i) write_file(root() / fmt::format("c{}.md", i), line);
  index();
  {
    const std::string data = text_bomb(line);
    Xapian::WritableDatabase db((database() / "gen-1").string(), Xapian::DB_OPEN);
    for (Xapian::docid id = 1; id <= db.get_lastdocid(); ++id) {
      Xapian::Document document = db.get_document(id);
      document.set_data(data);
      db.replace_document(id, document);
    }
  }
  const std::string at = root().string();
  for (const std::vector<std::string>& form :
       {std::vector<std::string>{}, {"--json"}, {"-c"}, {"--vimgrep"}}) {
    std::vector<std::string> words{"kwsearch", "--db", at, "\"with CommonName\""};
    words.insert(words.end(), form.begin(), form.end());
    expect_bounded(words);
  }
  const CommandResult count = run_command({"kwsearch", "--db", at, "\"with CommonName\"", "-c"});
  EXPECT_NE(count.out, "0\n");
  EXPECT_THAT(count.err, testing::HasSubstr("too wide to be checked in full"));
}

// Term, value and record name a file's path, each for itself.
TEST_F(HostileIndex, PathsThatDiffer) {
  const std::string at = root().string();
  const std::string paths[] = {"",          "b.md",   "a.ry", "../../x.md",
                               "/etc/x.md", "./a.md", "//",   std::string("x/\0y.md", 7)};
  save_index();
  for (const std::string& path : paths)
    for (const bool in_value : {false, true}) {
      SCOPED_TRACE((in_value ? "value " : "record ") + printable(path));
      restore_index();
      {
        Xapian::WritableDatabase db((database() / "gen-1").string(), Xapian::DB_OPEN);
        Xapian::Document document = db.get_document(1);
        if (in_value)
          document.add_value(slot_of(Field::Path), path);
        else
          document.set_data(data_of(head_of(kNoSections + kNoDefinitions, path), "# CommonName\n"));
        db.replace_document(1, document);
      }
      expect_bounded({"kwsearch", "--db", at, "CommonName"});
      expect_bounded({"kwsearch", "--db", at, "path:a.md", "--json"});
      EXPECT_EQ(run({"tree", "--check"}).exit_code, 2);
      for (const std::vector<std::string>& form : {std::vector<std::string>{"--format", "md"},
                                                   {"--format", "html"},
                                                   {"--profile", "classic"}}) {
        std::vector<std::string> words{"kwexport", "--db", at, "--out",
                                       (dir_ / "out/pages").string()};
        words.insert(words.end(), form.begin(), form.end());
        const CommandResult exported = run_command(words);
        // A path in the list alone may lead out of the tree (3), or be none (0).
        EXPECT_THAT(exported.exit_code, testing::AnyOf(2, in_value ? 3 : 2, path.empty() ? 0 : 2));
        EXPECT_THAT(exported.err, testing::Not(testing::HasSubstr("crashed")));
        if (exported.exit_code != 0) {
          EXPECT_THAT(exported.err, testing::HasSubstr("hint: "));
        }
        EXPECT_FALSE(fs::exists(dir_ / "x.md"));
      }
      expect_bounded({"kwindex", at});
    }
}

// Pages and completions are made of what stands behind a prefix and its separator.
TEST_F(HostileIndex, TermsThatLackAPart) {
  {
    Xapian::WritableDatabase db((database() / "gen-1").string(), Xapian::DB_OPEN);
    Xapian::Document document = db.get_document(1);
    for (const char* term : {"XI:", "XI:abc", "XI:abc ", "XI: abc", "XD:", "XD:abc", "S", "Q"})
      document.add_term(term);
    db.replace_document(1, document);
  }
  const std::string at = root().string();
  for (const char* query : {"abc", "ab*", "def:a*"})
    expect_bounded({"kwsearch", "--db", at, query});
  expect_bounded({"kwsearch", "--db", at, "--complete", "a"});
  for (const char* format : {"md", "html"}) {
    const CommandResult exported = run_command(
        {"kwexport", "--db", at, "--format", format, "--out", (dir_ / format).string()});
    EXPECT_EQ(exported.exit_code, 0) << exported.err;
  }
  EXPECT_EQ(run({"tree", "--check"}).exit_code, 2);
}

}  // namespace
}  // namespace kw::test
