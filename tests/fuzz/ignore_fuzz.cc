// SPDX-License-Identifier: GPL-2.0-or-later
// Any bytes are an ignore file, and any a path: what stands before the last line is the rules, the
// last line a path.
#include "indexer/walk/ignore.h"
#include "schema/text/text.h"
#include "tests/fuzz/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kw;
  using namespace kw::indexer;
  const std::string_view input = test::text_of_input(data, size);
  const std::size_t end = input.rfind('\n');
  if (end == std::string_view::npos) return 0;
  const std::string_view path = input.substr(end + 1);
  RuleList rules;
  rules.add_file(input.substr(0, end));
  const Verdict file = rules.verdict(path, file_name_of(path), false);
  test::expect(!rules.empty() || file == Verdict::Unmatched, "no rules, no verdict");
  rules.verdict(path, file_name_of(path), true);
  RuleList one;
  [[maybe_unused]] const auto added = one.add(input.substr(0, end));
  return 0;
}
