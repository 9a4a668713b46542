// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/record.h"

#include <gmock/gmock.h>

namespace kw {
namespace {

FileRecord sample() {
  FileRecord r;
  r.path = "docs/a.py_docs.md";
  r.title = "Documentation: `a.py`";
  r.language = "markdown";
  r.text = "# Documentation\n\ntext\n";
  r.size = r.text.size();
  r.hash = hash_content(r.text);
  r.sections = {{"Documentation: a.py", 1, 1, 4, "documentation-apy"}, {"Source", 2, 5, 9, "source"}};
  r.definitions = {{"Point", "class", 6, ""}, {"x", "member", 7, "Point"}, {"y", "member", 8, "Point"}};
  return r;
}

TEST(Record, DecodesToWhatWasEncoded) {
  const auto decoded = decode_record(encode_record(sample()));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, sample());
}

TEST(Record, TextCanBeLeftOut) {
  FileRecord expected = sample();
  expected.text.clear();
  const auto decoded = decode_record(encode_record(sample()), RecordParts::WithoutText);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, expected);
}

TEST(Record, EveryCutIsAnErrorAndNoCrash) {
  const std::string whole = encode_record(sample());
  for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_FALSE(decode_record(whole.substr(0, n))) << n;
}

TEST(Record, ClaimedSizesAreChecked) {
  FileRecord empty;
  std::string bytes = encode_record(empty);
  // A record whose text claims 2^40 bytes: the number stands before the compressed text.
  const std::string text = encode_record(empty).substr(bytes.size() - 9);
  bytes.resize(bytes.size() - text.size() - 1);
  bytes += std::string("\x80\x80\x80\x80\x80\x20", 6) + text;
  EXPECT_FALSE(decode_record(bytes));
}

TEST(Stamp, DecodesToWhatWasEncoded) {
  const FileStamp stamp{123, 1'700'000'000'123'456'789, -5, 99, 1'800'000'000'000'000'000};
  const auto decoded = decode_stamp(encode_stamp(stamp));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, stamp);
}

}  // namespace
}  // namespace kw
