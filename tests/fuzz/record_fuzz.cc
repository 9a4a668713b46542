// SPDX-License-Identifier: GPL-2.0-or-later
// Any bytes are the data of a document, or a stamp: what decodes is coded to the same again.
#include "schema/index/record.h"
#include "tests/fuzz/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kw;
  using test::expect;
  static const RecordCodec codec;
  const std::string_view bytes = test::text_of_input(data, size);
  const auto record = codec.decode(bytes);
  const auto head = codec.decode(bytes, RecordParts::WithoutText);
  expect(!record || head, "what decodes decodes without its text");
  if (record) {
    const auto again = codec.decode(codec.encode(*record));
    expect(again && *again == *record, "a record comes back as it was");
  }
  const auto stamp = decode_stat(bytes);
  if (stamp) {
    const auto again = decode_stat(encode_stat(*stamp));
    expect(again && *again == *stamp, "a stamp comes back as it was");
  }
  return 0;
}
