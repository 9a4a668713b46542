// SPDX-License-Identifier: GPL-2.0-or-later
// Any bytes are a page, or a source: sections in order, a record that comes back as it was, and the
// same entry made anew from it. The first byte chooses the kind of file.
#include <algorithm>

#include "indexer/extract/declarations.h"
#include "indexer/extract/extract.h"
#include "tests/fuzz/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kw;
  using namespace kw::indexer;
  using test::expect;
  static const char* const kPaths[] = {"docs/a.md", "docs/a.py_docs.md",
                                       "a.py",      "a.c",
                                       "a.json",    "a.html",
                                       "a.txt",     "a.md",
                                       "a.ts",      "a.kt",
                                       "a.cs",      "a.php",
                                       "a.rs",      "a.sh",
                                       "a.rb",      "a.h"};
  static const IndexOptions options;
  static Extractor extractor(options, nullptr);
  static const RecordCodec codec;
  if (size == 0) return 0;
  const char* const path = kPaths[data[0] % std::size(kPaths)];
  const std::string_view text = test::text_of_input(data + 1, size - 1);
  const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  if (const auto found = scan_declarations(text, language_of_path(path)))
    for (const Definition& d : *found)
      expect(d.line >= 1 && d.line <= lines && !d.name.empty(), "a definition stands on a line");
  const auto extracted = extractor.extract(path, text);
  const auto* const entry = std::get_if<IndexEntry>(&extracted);
  if (!entry) return 0;
  const std::vector<Section>& sections = entry->record.sections;
  expect(std::is_sorted(
             sections.begin(), sections.end(),
             [](const Section& a, const Section& b) { return a.first_line < b.first_line; }),
         "sections are in order");
  for (const Section& s : sections) expect(s.first_line <= s.last_line, "a section has a line");
  const auto decoded = codec.decode(codec.encode(entry->record));
  expect(decoded && *decoded == entry->record, "a record comes back as it was");
  const IndexEntry again = extractor.derive(*decoded);
  expect(again.record == entry->record, "a record makes the same record");
  const auto sorted = [](std::vector<Posting> postings) {
    std::sort(postings.begin(), postings.end(),
              [](const Posting& a, const Posting& b) { return a.term < b.term; });
    return postings;
  };
  expect(sorted(again.postings) == sorted(entry->postings), "and the same terms");
  return 0;
}
