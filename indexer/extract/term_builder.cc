// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/term_builder.h"

#include <algorithm>
#include <limits>

#include "schema/index/interner.h"
#include "schema/index/terms.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::indexer {
namespace {

constexpr std::uint32_t kAbsent = std::numeric_limits<std::uint32_t>::max();

/// What a token gives: numbers of terms, in TermBuilder::Impl::term_lists. First the terms it gives
/// in code, then those it gives as a word of prose.
struct TokenTerms {
  std::uint32_t begin = 0;
  std::uint32_t code = 0;
  std::uint32_t prose = 0;
};

// Caches are dropped between two files when they grow over this. Larger ones take more memory, and
// more time, because fewer look-ups hit the processor's cache (docs/benchmarks.md, Growth).
constexpr std::size_t kMaxTokens = 30'000;
constexpr std::size_t kMaxDistinctWords = 64;
constexpr std::size_t kMaxTokenBytes = 2u << 20;

}  // namespace

struct TermBuilder::Impl {
  Stemmer stemmer;
  Interner tokens;
  std::vector<TokenTerms> token_terms;    // by token
  std::vector<std::uint32_t> last_file;   // by token: the number of the last file that has it
  std::uint32_t file = 1;                 // the number of this one
  std::vector<std::uint32_t> term_lists;  // what TokenTerms point into
  Interner terms;
  std::vector<std::uint32_t> counts;   // by term: wdf in this file, or kAbsent
  std::vector<std::uint32_t> touched;  // terms of this file

  std::uint32_t term_number(std::string_view term) {
    const auto [number, added] = terms.intern(term);
    if (added) counts.push_back(kAbsent);
    return number;
  }

  void count(std::uint32_t term, std::uint32_t occurrences) {
    std::uint32_t& n = counts[term];
    if (n == kAbsent) {
      touched.push_back(term);
      n = 0;
    }
    n += occurrences;
  }

  void count_term(std::string_view term) { count(term_number(term), 1); }

  /// The stem of a folded word, and that of its form without accents where that is another.
  template <class F>
  void for_stems(const std::string& folded, F&& f) {
    if (folded.empty()) return;
    f(stemmer.stem(folded));
    const std::string plain = strip_marks(folded);
    if (plain != folded && !plain.empty())
      f(stemmer.stem(plain));  // nothing is left of a mark alone
  }

  TokenTerms analyse(const Token& token) {
    TokenTerms t;
    t.begin = static_cast<std::uint32_t>(term_lists.size());
    const auto add = [&](std::string_view term) {
      const std::uint32_t number = term_number(term);
      const auto begin = term_lists.begin() + t.begin;
      // A word that a name repeats counts once; in a token of thousands of words it may count
      // again.
      if (term_lists.size() - t.begin > kMaxDistinctWords ||
          std::find(begin, term_lists.end(), number) == term_lists.end())
        term_lists.push_back(number);
    };
    if (token.kind == TokenKind::Operator) {
      add(make_term(Field::Word, token.text));
      t.code = 1;
      return t;
    }
    const std::string folded = fold(token.text);
    if (token.kind == TokenKind::Number) {
      add(make_term(Field::Word, folded));
      for (const std::string& word : words_of_number(token.text))
        for_stems(word, [&](const std::string& stem) { add(make_term(Field::Part, stem)); });
      t.code = static_cast<std::uint32_t>(term_lists.size() - t.begin);
      return t;
    }
    const std::vector<std::string> words = split_name(token.text);
    add(make_ident_term(token.text));
    // A name of one plain word is found by the name itself.
    if (words.size() > 1 || (words.size() == 1 && words[0] != folded))
      for (const std::string& word : words)
        for_stems(word, [&](const std::string& stem) { add(make_term(Field::Part, stem)); });
    t.code = static_cast<std::uint32_t>(term_lists.size() - t.begin);
    if (!is_code_like(token.text)) {
      const std::size_t before = term_lists.size();
      const auto add_word = [&](const std::string& stem) {
        term_lists.push_back(term_number(make_term(Field::Word, stem)));
      };
      if (folded.size() == token.text.size() && words.size() <= 1)
        for_stems(folded, add_word);
      else  // scripts without blanks, in pairs
        for (const std::string& word : words) for_stems(word, add_word);
      t.prose = static_cast<std::uint32_t>(term_lists.size() - before);
    }
    return t;
  }

  std::uint32_t token_number(const Token& token) {
    const auto [number, added] = tokens.intern(token.text);
    if (added) {
      token_terms.push_back(analyse(token));
      last_file.push_back(0);
    }
    return number;
  }

  void add_token(const Token& token, Context context) {
    const std::uint32_t number = token_number(token);
    last_file[number] = file;
    const TokenTerms& t = token_terms[number];
    const bool as_code = context == Context::Code || t.prose == 0;
    const std::uint32_t begin = as_code ? t.begin : t.begin + t.code,
                        size = as_code ? t.code : t.prose;
    for (std::uint32_t i = begin; i < begin + size; ++i)
      count(term_lists[i], context == Context::Hidden ? 0 : 1);
  }

  /// As words, in the form in which the tokens of exact text are looked up.
  void add_unseen(const Token& token) {
    if (token.kind == TokenKind::Operator) return;
    const std::uint32_t number = token_number(token);
    if (last_file[number] == file) return;
    last_file[number] = file;
    const std::string folded = fold(token.text);
    if (token.kind == TokenKind::Number) count(term_number(make_term(Field::Word, folded)), 0);
    std::vector<std::string> words;
    if (folded.size() != token.text.size() || !is_ascii(folded)) words = split_name(token.text);
    if (words.empty()) words.push_back(folded);
    for (const std::string& word : words)
      for_stems(word, [&](const std::string& stem) {
        count(term_number(make_term(Field::Word, stem)), 0);
      });
  }

  enum class Whole { WithParts, OnlyWithoutParts };

  /// Words of a name or heading, whole and inside, to one text field.
  void add_words(Field field, std::string_view text, bool stemmed, Whole whole = Whole::WithParts) {
    Tokenizer tokenizer(text);
    for (Token token; tokenizer.next_word(token);) {
      std::vector<std::string> words = split_name(token.text);
      std::string folded = fold(token.text);
      const bool has_parts = words.size() > 1 || (words.size() == 1 && words[0] != folded);
      if (words.empty() || (has_parts && whole == Whole::WithParts))
        words.push_back(std::move(folded));
      for (const std::string& word : words) {
        if (word.empty()) continue;
        if (stemmed)
          for_stems(word, [&](const std::string& stem) { count_term(make_term(field, stem)); });
        else
          count_term(make_term(field, word));
      }
    }
  }
};

TermBuilder::TermBuilder() : impl_(std::make_unique<Impl>()) {}
TermBuilder::~TermBuilder() = default;

namespace {

/// Calls `f` with each token of a text outside of code: of what a percent-escape begins, the rest.
template <class F>
void for_prose_tokens(std::string_view text, const F& f) {
  Tokenizer tokenizer(text);
  for (Token token; tokenizer.next(token);) {
    const std::size_t escaped = escaped_bytes(text, token.text);
    if (escaped == 0) {
      f(token);
      continue;
    }
    Tokenizer rest(token.text.substr(escaped));
    while (rest.next(token)) f(token);
  }
}

}  // namespace

void TermBuilder::add_text(std::string_view text, Context context) {
  if (context != Context::Code)
    return for_prose_tokens(text, [&](const Token& token) { impl_->add_token(token, context); });
  Tokenizer tokenizer(text);
  for (Token token; tokenizer.next(token);) impl_->add_token(token, context);
}

void TermBuilder::add_unseen(std::string_view text) {
  for_prose_tokens(text, [&](const Token& token) { impl_->add_unseen(token); });
}

void TermBuilder::add_words(Field field, std::string_view text) {
  impl_->add_words(field, text, true);
}

void TermBuilder::add_path(std::string_view path) {
  impl_->add_words(Field::PathWord, path, false);
}

void TermBuilder::add_definition(std::string_view name, DefinitionClass rank) {
  impl_->count_term(make_definition_term(name, rank));
  // The whole name has a term of its own.
  impl_->add_words(Field::DefinitionPart, name, true, Impl::Whole::OnlyWithoutParts);
}

void TermBuilder::add_filter(Field field, std::string_view text) {
  impl_->count(impl_->term_number(make_term(field, text)), 0);
}

std::vector<Posting> TermBuilder::take() {
  std::vector<Posting> postings;
  postings.reserve(impl_->touched.size());
  for (const std::uint32_t term : impl_->touched) {
    postings.push_back({std::string(impl_->terms.text(term)), impl_->counts[term]});
    impl_->counts[term] = kAbsent;
  }
  impl_->touched.clear();
  ++impl_->file;
  if (impl_->tokens.size() > kMaxTokens || impl_->tokens.bytes() > kMaxTokenBytes) {
    impl_->tokens.clear();
    impl_->token_terms.clear();
    impl_->last_file.clear();
    impl_->term_lists.clear();
    impl_->terms.clear();
    impl_->counts.clear();
  }
  return postings;
}

}  // namespace kw::indexer
