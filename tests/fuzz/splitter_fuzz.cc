// SPDX-License-Identifier: GPL-2.0-or-later
// Any bytes split into tokens that lie in them, in order, and every name becomes a legal term.
#include "schema/index/terms.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"
#include "tests/fuzz/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kw;
  using test::expect;
  constexpr std::size_t kMaxTermBytes = 245;
  const std::string_view text = test::text_of_input(data, size);
  const char* at = text.data();
  Tokenizer tokens(text);
  for (Token token; tokens.next(token);) {
    expect(!token.text.empty(), "no token is empty");
    expect(token.text.data() >= at && token.text.data() + token.text.size() <= text.data() + size,
           "tokens lie in the text, in order");
    at = token.text.data() + token.text.size();
    if (token.kind != TokenKind::Name) continue;
    const std::string term = make_ident_term(token.text);
    expect(term.size() <= kMaxTermBytes, "a term is short enough");
    const auto parsed = parse_ident_term(term);
    expect(parsed.has_value(), "a term of a name can be read");
    expect(parsed->key == term_key(token.text), "and has its key");
    split_name(token.text);
    is_code_like(token.text);
  }
  const std::string folded = fold(text);
  expect(fold(folded) == folded, "folding twice is folding once");
  strip_marks(folded);
  name_key(text);
  expect(is_utf8(printable(text)), "what is shown is UTF-8");
  expect(is_utf8(to_valid_utf8(text)), "what is made valid is valid");
  expect(from_base64(base64(text)) == text, "base64 and back");
  return 0;
}
