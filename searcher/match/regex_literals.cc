// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/regex_literals.h"

#include <algorithm>
#include <initializer_list>

#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::search {
namespace {

/// Where the class that begins at `at` has its closing bracket; the size of `regex` if it has none.
std::size_t end_of_class(std::string_view regex, std::size_t at) {
  if (++at < regex.size() && regex[at] == '^') ++at;
  if (at < regex.size() && regex[at] == ']') ++at;  // first in a class it is itself
  for (; at < regex.size() && regex[at] != ']'; ++at) {
    if (regex[at] == '\\') {
      ++at;
    } else if (regex.substr(at).starts_with("[:")) {  // [:alpha:] inside it
      const std::size_t end = regex.find(":]", at + 2);
      if (end != regex.npos) at = end + 1;
    }
  }
  return at;
}

/// Whether `rest`, which follows a backslash, begins with one of these codes of a character.
bool is_one_of(std::string_view rest, std::initializer_list<std::string_view> codes) {
  return std::any_of(codes.begin(), codes.end(),
                     [&](std::string_view code) { return rest.starts_with(code); });
}

}  // namespace

RegexFacts facts_of_regex(std::string_view regex) {
  RegexFacts facts;
  facts.names_newline = regex.find('\n') != regex.npos;
  facts.names_carriage_return = regex.find('\r') != regex.npos;
  for (std::size_t at = 0; (at = regex.find('\\', at)) < regex.size(); at += 2) {
    const std::string_view rest = regex.substr(at + 1);
    facts.names_newline |=
        is_one_of(rest, {"n", "x0a", "x0A", "x{a}", "x{A}", "x{0a}", "x{0A}", "012"});
    facts.names_carriage_return |=
        is_one_of(rest, {"r", "x0d", "x0D", "x{d}", "x{D}", "x{0d}", "x{0D}", "015"});
  }
  return facts;
}

std::vector<std::string> required_literals(std::string_view regex) {
  std::vector<std::string> literals;
  std::string run;
  const auto flush = [&] {
    if (run.size() > 1) literals.push_back(run);
    run.clear();
  };
  constexpr std::string_view kMeta = "^$.[]()*+?{}|\\\n";  // a newline may follow a carriage return
  for (std::size_t i = 0; i < regex.size(); ++i) {
    char c = regex[i];
    if (c == '|' || c == '(' || c == ')')
      return {};     // alternatives and groups: anything may be optional
    if (c == '[') {  // a class: to its end
      flush();
      i = end_of_class(regex, i);
      continue;
    }
    bool is_char = kMeta.find(c) == std::string_view::npos;
    if (c == '\\') {
      if (++i >= regex.size()) return {};
      c = regex[i];
      // An escaped letter or digit is a class, an anchor or a code; escaped punctuation is itself.
      if (word_char_length(std::string_view(&c, 1))) {
        if (c == 'Q' || c == 'x' || c == 'p' || c == 'P') return {};
        flush();
        continue;
      }
      is_char = true;
    }
    const bool optional =
        i + 1 < regex.size() && (regex[i + 1] == '*' || regex[i + 1] == '?' || regex[i + 1] == '{');
    if (optional && is_continuation(c))  // the whole character is
      while (!run.empty() && static_cast<signed char>(run.back()) < 0) {
        const bool lead = (static_cast<unsigned char>(run.back()) & 0xC0) == 0xC0;
        run.pop_back();
        if (lead) break;
      }
    if (is_char && !optional) {
      run.push_back(c);
      if (i + 1 < regex.size() && regex[i + 1] == '+') flush();
    } else {
      flush();
      if (c == '{')
        while (i < regex.size() && regex[i] != '}') ++i;
    }
  }
  flush();
  return literals;
}

}  // namespace kw::search
