// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/query/message.h"

#include <re2/re2.h>

#include <algorithm>

#include "schema/text/splitter.h"

namespace kw::search {
namespace {

std::size_t count_words(std::string_view text) {
  std::size_t n = 0;
  Tokenizer tokenizer(text);
  for (Token token; tokenizer.next(token);) n += token.kind == TokenKind::Name;
  return n;
}

/// A line without what stands in round brackets, the last of which may be open.
std::string outside_brackets(std::string_view line) {
  std::string out;
  int depth = 0;
  for (const char c : line) {
    depth += c == '(';
    if (depth == 0) out += c;
    if (c == ')' && depth > 0) --depth;
  }
  return out;
}

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

bool is_message(std::string_view line) {
  static const RE2 kNamed(
      R"(\s*(?:\[[^\]]*\]\s*)?(?:(?:[\w.$:]*(?:Error|Exception|Warning|Failure|Fault|Interrupt|Panic)|(?i:error|fatal|fatal error|panic|warning|exception|critical|abort(?:ed)?|assertion failed|segmentation fault|internal compiler error|undefined reference))(?:\[[\w-]+\]|\s+\w+\d+|\s*\([^)]*\))?\s*:\s*\S.*|(?:Uncaught|Unhandled|Caused by|Exception in thread|thread '.*' panicked|goroutine )\b.*))"),
      kValue(
          R"((?:^|\s|[(=:,])(?:'[^']+'|"[^"]+"|`[^`]+`|0x[0-9a-fA-F]+|-?\d+(?:\.\d+)*|\[[^\]]*\]|/\S+/\S+|\w+:\d+)(?:$|[\s.,;:)]))");
  if (line.find('\n') != line.npos) return false;
  if (RE2::FullMatch(piece(line), kNamed)) return count_words(line) >= 2;
  // A path, a call and a loop hold words and numbers, too: a message says something outside
  // brackets.
  const std::string outside = outside_brackets(line);
  return outside.find(' ') != outside.npos && count_words(outside) >= 3 && count_words(line) >= 5 &&
         RE2::PartialMatch(piece(line), kValue);
}

std::vector<MessageWord> message_words(std::string_view message) {
  // Signs that no word has: a value, the ends of a quotation, an apostrophe.
  std::string text(message);
  static const RE2 kApostrophe(R"((\w)'(\w))"), kQuoted(R"re('([^']*)'|"([^"]*)")re"),
      kValues(
          R"(\[[^\[\]]*\]|\{[^{}]*\}|\b0x[0-9a-fA-F]+\b|\b[0-9a-fA-F]{12,}\b|(?:[A-Za-z]:)?[/\\][^\s:,;\x04]+[/\\][^\s:,;\x04]*|\b\d[\w.:]*)");
  RE2::GlobalReplace(&text, kApostrophe, "\\1\x02\\2");
  RE2::GlobalReplace(&text, kQuoted, "\x03\\1\\2\x04");
  RE2::GlobalReplace(&text, kValues, " \x01 ");
  std::vector<MessageWord> words;
  bool is_optional = false;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of("\x01\x03\x04"), rest.size());
    Tokenizer tokenizer(rest.substr(0, end));
    for (Token token; tokenizer.next(token);)
      if (token.kind == TokenKind::Name) words.push_back({fold(token.text), is_optional});
    if (end == rest.size()) break;
    is_optional = rest[end] == '\x03' || (is_optional && rest[end] == '\x01');
    if (!words.empty() && !words.back().text.empty()) words.push_back({});
    rest.remove_prefix(end + 1);
  }
  if (!words.empty() && words.back().text.empty()) words.pop_back();
  return words;
}

}  // namespace kw::search
