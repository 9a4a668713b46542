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

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

bool is_message(std::string_view line) {
  static const RE2 kNamed(
      R"(\s*(?:\[[^\]]*\]\s*)?(?:(?:[\w.$:]*(?:Error|Exception|Warning|Failure|Fault|Interrupt|Panic)|(?i:error|fatal|fatal error|panic|warning|exception|critical|abort(?:ed)?|assertion failed|segmentation fault|internal compiler error|undefined reference))(?:\[[\w-]+\]|\s+\w+\d+|\s*\([^)]*\))?\s*:\s*\S.*|(?:Uncaught|Unhandled|Caused by|Exception in thread|thread '.*' panicked|goroutine )\b.*))"),
      kValue(
          R"((?:^|\s|[(=:,])(?:'[^']+'|"[^"]+"|`[^`]+`|0x[0-9a-fA-F]+|-?\d+(?:\.\d+)*|\[[^\]]*\]|/\S+/\S+|\w+:\d+)(?:$|[\s.,;:)]))");
  if (line.find('\n') != line.npos) return false;
  if (RE2::FullMatch(piece(line), kNamed)) return count_words(line) >= 2;
  return count_words(line) >= 5 && RE2::PartialMatch(piece(line), kValue);
}

std::vector<std::string> fixed_words(std::string_view message) {
  // Values become a sign that no word has.
  std::string text(message);
  static const RE2 kValues(
      R"('[^']*'|"[^"]*"|\[[^\[\]]*\]|\{[^{}]*\}|\b0x[0-9a-fA-F]+\b|\b[0-9a-fA-F]{12,}\b|(?:[A-Za-z]:)?[/\\][^\s:,;]+[/\\][^\s:,;]*|\b\d[\w.:]*)");
  // An apostrophe inside a word quotes nothing.
  static const RE2 kApostrophe(R"((\w)'(\w))");
  RE2::GlobalReplace(&text, kApostrophe, "\\1\x02\\2");
  RE2::GlobalReplace(&text, kValues, " \x01 ");
  std::replace(text.begin(), text.end(), '\x02', '\'');
  std::vector<std::string> words;
  const auto gap = [&] {
    if (!words.empty() && !words.back().empty()) words.emplace_back();
  };
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\x01'), rest.size());
    Tokenizer tokenizer(rest.substr(0, end));
    for (Token token; tokenizer.next(token);)
      if (token.kind == TokenKind::Name) words.push_back(fold(token.text));
    gap();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (!words.empty() && words.back().empty()) words.pop_back();
  return words;
}

}  // namespace kw::search
