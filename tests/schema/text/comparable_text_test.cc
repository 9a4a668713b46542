// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/comparable_text.h"

#include <gmock/gmock.h>

#include "schema/text/text.h"

namespace kw {
namespace {

TEST(ComparableText, FormsOfOneTextAreOne) {
  struct {
    const char *text, *folded, *case_kept, *why;
  } const cases[] = {
      {"Plain ASCII", "Plain ASCII", "Plain ASCII", "ASCII stays, its case too"},
      {"STRA\u00dfE stra\u1e9ee", "STRAssE strasse", "STRA\u00dfE stra\u1e9ee", "sharp s"},
      {"\ufb01le o\ufb03ce \ufb05", "file office st", "file office st", "ligatures"},
      {"cafe\u0301", "caf\u00e9", "caf\u00e9", "composed"},
      {"\u00c9t\u00e9", "\u00e9t\u00e9", "\u00c9t\u00e9", "case beyond ASCII"},
      {"\u201cit\u2019s\u201d", "\"it's\"", "\"it's\"", "quotes"},
      {"a\u2013b\u2014c\u2212d\u2011e", "a-b-c-d-e", "a-b-c-d-e", "dashes"},
      {"a\u00a0b\u202fc\u3000d", "a b c d", "a b c d", "blanks"},
      {"\u6771\u4eac\ud55c", "\u6771\u4eac\ud55c", "\u6771\u4eac\ud55c", "scripts of one form"},
      {"\u304b\u3099", "\u304c", "\u304c", "a mark on kana"},
      {"\u1112\u1161\u11ab", "\ud55c", "\ud55c", "Hangul from its letters"},
      {"\xff\xc3x", "\xff\xc3x", "\xff\xc3x", "bytes that are not UTF-8"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(comparable(c.text, TextForm::Folded), c.folded) << c.why;
    EXPECT_EQ(comparable(c.text, TextForm::CaseKept), c.case_kept) << c.why;
  }
  EXPECT_EQ(comparable("a\r\nb\rc\r\n", TextForm::UnixLines), "a\nb\rc\n");
}

TEST(ComparableText, FindsItsWayBack) {
  const std::string text = "x stra\u00dfe\u00a0o\ufb03ce cafe\u0301 end";
  const ComparableText folded(text, TextForm::Folded);
  const std::string view(folded.view());
  const auto original = [&](const std::string& piece) {
    const std::size_t at = view.find(piece);
    const auto [begin, end] = folded.in_original(at, at + piece.size());
    return text.substr(begin, end - begin);
  };
  EXPECT_EQ(original("x"), "x");
  EXPECT_EQ(original("strasse"), "stra\u00dfe");
  EXPECT_EQ(original("stras"), "stra\u00df") << "half of a character stands for the whole";
  EXPECT_EQ(original("se office"), "\u00dfe\u00a0o\ufb03ce");
  EXPECT_EQ(original("caf\u00e9"), "cafe\u0301");
  EXPECT_EQ(original("end"), "end");
  const std::string dos = "one\r\ntwo\r\n";
  const ComparableText lines(dos, TextForm::UnixLines);
  EXPECT_EQ(lines.in_original(0, 3).end, 3u) << "before the carriage return";
  EXPECT_EQ(lines.in_original(4, 7).begin, 5u);
}

TEST(ComparableText, TheRunStandsInEveryForm) {
  EXPECT_EQ(ascii_run_in_all_forms("Some Plain"), "plain");
  EXPECT_EQ(ascii_run_in_all_forms("schliessen"), "schlie");
  EXPECT_EQ(ascii_run_in_all_forms("it's o-k"), "it");
  EXPECT_EQ(ascii_run_in_all_forms("ffi"), "");
  EXPECT_EQ(ascii_run_in_all_forms(""), "");
}

}  // namespace
}  // namespace kw
