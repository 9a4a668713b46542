// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/record.h"

#include <gmock/gmock.h>

#include <random>
#include <string>

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

// Heads and texts of all sizes around those of zstd's blocks, of letters that compress and that do
// not; what is cut in the text still has its head.
TEST(Record, HeadsOfLargeRecordsAreReadAlone) {
  std::mt19937 random(5);
  for (const std::size_t text_bytes : {0, 1, 15'000, 16'384, 17'000, 131'072, 400'000})
    for (const int names : {0, 3, 500, 20'000})
      for (const bool is_random : {false, true}) {
        FileRecord record = sample();
        record.text.assign(text_bytes, 'x');
        if (is_random)
          for (char& c : record.text) c = static_cast<char>('a' + random() % 26);
        record.rendering.clear();
        for (int i = 0; i < names; ++i)
          record.definitions.push_back({"name" + std::to_string(random() % 100'000), "member",
                                        static_cast<std::uint32_t>(i + 9), "Point"});
        const std::string data = RecordCodec().encode(record);
        const auto whole = RecordCodec().decode(data);
        ASSERT_TRUE(whole) << text_bytes << " " << names;
        EXPECT_EQ(*whole, record);
        const auto head = RecordCodec().decode(data, RecordParts::WithoutText);
        ASSERT_TRUE(head) << text_bytes << " " << names;
        record.text.clear();
        record.code.clear();
        EXPECT_EQ(*head, record);
        if (text_bytes < 131'072 || !is_random) continue;
        const std::string cut = data.substr(0, data.size() - text_bytes / 4);
        EXPECT_FALSE(RecordCodec().decode(cut));
        EXPECT_TRUE(RecordCodec().decode(cut, RecordParts::WithoutText));
      }
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

// Bound: a record's text
TEST(Record, TextHasABound) {
  FileRecord record = sample();
  record.text.resize(kMaxTextBytes, ' ');
  const auto at_it = RecordCodec().decode(RecordCodec().encode(record));
  ASSERT_TRUE(at_it) << at_it.error().message;
  EXPECT_TRUE(*at_it == record);
  record.text += ' ';
  const auto over = RecordCodec().decode(RecordCodec().encode(record));
  ASSERT_FALSE(over);
  EXPECT_THAT(over.error().message, testing::HasSubstr("its text is too large"));
}

// Bound: the rest of a record
TEST(Record, HeadAndRenderingHaveBounds) {
  FileRecord record;
  record.sections.resize(1);
  record.sections[0].title.resize(kMaxHeadBytes - head_bytes(record), 't');
  ASSERT_EQ(head_bytes(record), kMaxHeadBytes);
  const auto at_it = RecordCodec().decode(RecordCodec().encode(record));
  ASSERT_TRUE(at_it) << at_it.error().message;
  EXPECT_TRUE(*at_it == record);
  record.sections[0].title.resize(kMaxHeadBytes);
  EXPECT_FALSE(RecordCodec().decode(RecordCodec().encode(record)));

  FileRecord edited;
  edited.rendering.resize(kMaxHeadBytes / sizeof(TextEdit));
  edited.code.resize(kMaxHeadBytes % sizeof(TextEdit) / sizeof(LineRange));
  ASSERT_EQ(rendering_bytes(edited), kMaxHeadBytes);
  EXPECT_TRUE(RecordCodec().decode(RecordCodec().encode(edited)));
  edited.rendering.emplace_back();
  const auto over = RecordCodec().decode(RecordCodec().encode(edited));
  ASSERT_FALSE(over);
  EXPECT_THAT(over.error().message, testing::HasSubstr("too many edits"));
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
