// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/record.h"

#include <gmock/gmock.h>

namespace kw {
namespace {

FileRecord sample() {
  FileRecord r;
  r.path = "docs/a.py_docs.md";
  r.title = "Documentation: `a.py`";
  r.description = "What a.py is for";
  r.language = "markdown";
  r.text = "# Documentation\n\ntext\n";
  r.size = r.text.size();
  r.hash = hash_content(r.text);
  r.sections = {{"Documentation: a.py", 1, 1, 4, "documentation-apy"},
                {"Source", 2, 5, 9, "source"}};
  r.rendering = {{0, 2, ""}, {17, 1, "x&"}};
  r.code = {{3, 3}};
  r.definitions = {
      {"Point", "class", 6, ""}, {"x", "member", 7, "Point"}, {"y", "member", 8, "Point"}};
  return r;
}

TEST(Record, DecodesToWhatWasEncoded) {
  const auto decoded = RecordCodec().decode(RecordCodec().encode(sample()));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, sample());
}

TEST(Record, TextCanBeLeftOut) {
  FileRecord expected = sample();
  expected.text.clear();
  expected.rendering.clear();
  expected.code.clear();
  const auto decoded =
      RecordCodec().decode(RecordCodec().encode(sample()), RecordParts::WithoutText);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, expected);
}

TEST(Record, RenderedText) {
  const FileRecord record = sample();
  const EditedText rendered = rendered_text(record);
  EXPECT_EQ(rendered.view(), "Documentation\n\nx&ext\n");
  const auto range = rendered.in_original(15, 17);
  EXPECT_EQ(range.begin, 17u);
  EXPECT_EQ(range.end, 18u);
}

TEST(Record, AnEditOutsideOfTheTextIsAnError) {
  FileRecord record = sample();
  record.rendering.back().offset = 22;
  EXPECT_FALSE(RecordCodec().decode(RecordCodec().encode(record)));
}

TEST(Record, EveryCutIsAnErrorAndNoCrash) {
  const std::string whole = RecordCodec().encode(sample());
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(RecordCodec().decode(whole.substr(0, n))) << n;
}

TEST(Record, ClaimedSizesAreChecked) {
  const std::string bytes = RecordCodec().encode(sample());
  // Both sizes stand in front: 2^40 bytes of head, then of text, are not taken at their word.
  const std::string huge("\x80\x80\x80\x80\x80\x20", 6);
  EXPECT_FALSE(RecordCodec().decode(huge + bytes.substr(1)));
  EXPECT_FALSE(RecordCodec().decode(bytes.substr(0, 1) + huge + bytes.substr(2)));
}

TEST(Record, AnyByteMayBeWrong) {
  const std::string whole = RecordCodec().encode(sample());
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const int flip : {1, 0x80, 0xff}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ flip);
      (void)RecordCodec().decode(bytes);  // an error or another record, and no crash
    }
}

TEST(Stamp, DecodesToWhatWasEncoded) {
  const FileStat stamp{123, 1'700'000'000'123'456'789, -5,
                       99,  1'800'000'000'000'000'000, SymbolLoss::Twice};
  const auto decoded = decode_stat(encode_stat(stamp));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, stamp);
}

}  // namespace
}  // namespace kw
