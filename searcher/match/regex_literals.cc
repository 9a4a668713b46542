// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/regex_literals.h"

#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::search {

std::vector<std::string> required_literals(std::string_view regex) {
  std::vector<std::string> literals;
  std::string run;
  const auto flush = [&] {
    if (run.size() > 1) literals.push_back(run);
    run.clear();
  };
  constexpr std::string_view kMeta = "^$.[]()*+?{}|\\";
  for (std::size_t i = 0; i < regex.size(); ++i) {
    char c = regex[i];
    if (c == '|' || c == '(' || c == ')')
      return {};     // alternatives and groups: anything may be optional
    if (c == '[') {  // a class: to its end
      flush();
      if (++i < regex.size() && regex[i] == '^') ++i;
      if (i < regex.size() && regex[i] == ']') ++i;  // first in a class it is itself
      for (; i < regex.size() && regex[i] != ']'; ++i)
        if (regex[i] == '\\') ++i;
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
