// SPDX-License-Identifier: GPL-2.0-or-later
// Whatever ctags says: definitions in order, or no answer.
#include <algorithm>
#include <string>

#include "indexer/extract/ctags_output.h"
#include "tests/fuzz/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kw;
  using namespace kw::indexer;
  static CtagsOutputParser parser;
  std::string answer(test::text_of_input(data, size));
  answer.append(CtagsOutputParser::kPadding, '\0');
  const std::string_view said = std::string_view(answer).substr(0, size);
  parser.version(said);
  const auto definitions = parser.definitions(said);
  if (!definitions) return 0;
  test::expect(
      std::is_sorted(definitions->begin(), definitions->end(),
                     [](const Definition& a, const Definition& b) { return a.line < b.line; }),
      "definitions are in order");
  for (const Definition& d : *definitions)
    test::expect(d.line > 0 && !d.name.empty(), "a definition has a name and a line");
  return 0;
}
