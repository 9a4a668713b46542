// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/slow_search.h"

#include <algorithm>
#include <stdexcept>

#include "schema/base/xapian_api.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

using Text = std::u32string;

Text decode(const std::string& bytes) {
  Text out;
  for (std::size_t i = 0; i < bytes.size();) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    const std::size_t more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    char32_t c = more == 0 ? lead : lead & (0x3Fu >> more);
    for (std::size_t k = 1; k <= more; ++k)
      c = c << 6 | (static_cast<unsigned char>(bytes[i + k]) & 0x3Fu);
    out += c;
    i += more + 1;
  }
  return out;
}

bool in(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }
bool is_digit(char32_t c) { return in(c, '0', '9'); }
bool is_ascii_letter(char32_t c) { return in(c, 'a', 'z') || in(c, 'A', 'Z'); }
bool is_blank(char32_t c) { return c == ' ' || in(c, '\t', '\r'); }

bool is_word_char(char32_t c) {
  if (c < 0x80) return is_digit(c) || is_ascii_letter(c) || c == '_';
  return !in(c, 0x80, 0xBF) && c != 0xD7 && c != 0xF7 && !in(c, 0x2000, 0x2BFF) &&
         !in(c, 0x3000, 0x3004) && !in(c, 0x3008, 0x3020) && !in(c, 0xFF00, 0xFF0F);
}

bool is_upper(char32_t c) {
  return in(c, 'A', 'Z') || in(c, 0xC0, 0xDE) || in(c, 0x391, 0x3A9) || in(c, 0x410, 0x42F);
}

/// Written without blanks: Han, Hiragana, Katakana, Hangul.
bool has_no_blanks(char32_t c) {
  return in(c, 0x3041, 0x30FF) || in(c, 0x3400, 0x9FFF) || in(c, 0xAC00, 0xD7A3);
}

/// A letter and the accent after it in one, for those that the tree has.
char32_t compose(char32_t letter, char32_t mark) {
  if (mark == 0x301 && letter == 'e') return 0xE9;
  if (mark == 0x308 && letter == 'u') return 0xFC;
  throw std::runtime_error("a mark that the slow search does not know");
}

Text fold(const Text& text) {
  Text out;
  for (const char32_t c : text) {
    if (in(c, 0x300, 0x36F))
      out.back() = compose(out.back(), c);
    else if (c == 0xDF)
      out += U"ss";
    else if (c == 0x3C2)  // final sigma
      out += char32_t{0x3C3};
    else
      out += is_upper(c) ? c + 0x20 : c;
  }
  return out;
}

Text without_accents(const Text& folded) {
  const std::pair<const char32_t*, char32_t> plain[] = {
      {U"äàáâ", 'a'}, {U"éèêë", 'e'}, {U"ïíì", 'i'}, {U"öóò", 'o'}, {U"üúù", 'u'},
      {U"й", U'и'},   {U"ё", U'е'},   {U"ά", U'α'},  {U"έ", U'ε'},  {U"ή", U'η'},
      {U"ί", U'ι'},   {U"ό", U'ο'},   {U"ύ", U'υ'},  {U"ώ", U'ω'}};
  Text out = folded;
  for (char32_t& c : out)
    for (const auto& [accented, letter] : plain)
      if (Text(accented).find(c) != Text::npos) c = letter;
  return out;
}

Text stem(const Text& folded) {
  static const Xapian::Stem english("english");
  if (!std::all_of(folded.begin(), folded.end(), [](char32_t c) { return in(c, 'a', 'z'); }))
    return folded;
  return decode(english(std::string(folded.begin(), folded.end())));
}

/// view_count, viewCount, VIEWCount: view, count.
std::vector<Text> words_inside(const Text& name) {
  std::vector<Text> out;
  Text word;
  const auto flush = [&] {
    if (!word.empty()) out.push_back(fold(word));
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char32_t c = name[i];
    if (has_no_blanks(c)) {
      flush();
      std::size_t end = i;
      while (end < name.size() && has_no_blanks(name[end])) ++end;
      if (end == i + 1) out.push_back(Text(1, c));
      for (; i + 1 < end; ++i) out.push_back(name.substr(i, 2));
      continue;
    }
    if (c == '_') {
      flush();
      continue;
    }
    const bool after_small = !word.empty() && !is_upper(word.back());
    const bool before_small = i + 1 < name.size() && name[i + 1] != '_' && !is_upper(name[i + 1]) &&
                              !is_digit(name[i + 1]);
    if (is_upper(c) && (after_small || (!word.empty() && before_small))) flush();
    word += c;
  }
  flush();
  return out;
}

bool is_code_like(const Text& token) {
  bool letter = false, small = false, inner_capital = false, digit_after = false, line = false;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const char32_t c = token[i];
    line |= c == '_';
    digit_after |= letter && is_digit(c);
    inner_capital |= i > 0 && in(c, 'A', 'Z');
    small |= in(c, 'a', 'z');
    letter |= c != '_' && !is_digit(c);
  }
  return letter && (line || digit_after || (inner_capital && small));
}

/// `*` any characters, `?` one.
bool fits(const Text& pattern, std::size_t p, const Text& text, std::size_t t) {
  if (p == pattern.size()) return t == text.size();
  if (pattern[p] == '*') {
    for (std::size_t skip = t; skip <= text.size(); ++skip)
      if (fits(pattern, p + 1, text, skip)) return true;
    return false;
  }
  return t < text.size() && (pattern[p] == '?' || pattern[p] == text[t]) &&
         fits(pattern, p + 1, text, t + 1);
}

Text key_of(const Text& name) {
  Text key = without_accents(fold(name));
  key.erase(std::remove(key.begin(), key.end(), U'_'), key.end());
  return key;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::string last_extension(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::string language_of_extension(const std::string& extension) {
  const std::pair<const char*, const char*> rows[] = {
      {"md", "markdown"}, {"py", "python"}, {"python", "python"}, {"cc", "c++"},
      {"cpp", "c++"},     {"h", "c"},       {"sh", "shell"},      {"js", "javascript"},
      {"txt", "text"},    {"json", "json"}, {"sql", "sql"}};
  for (const auto& [ext, language] : rows)
    if (extension == ext) return language;
  throw std::runtime_error("a language that the slow search does not know: " + extension);
}

std::string comment_mark(const std::string& language) {
  if (language == "python" || language == "shell") return "#";
  if (language == "sql") return "--";
  return language == "text" || language == "markdown" ? "" : "//";
}

}  // namespace

Ask words(const std::vector<std::string>& each) {
  std::vector<Ask> of;
  std::string joined;
  for (const std::string& text : each) {
    of.push_back(word(text));
    joined += text;
  }
  return either({all(std::move(of)), make_ask(Ask::Kind::Joined, joined)});
}

struct SlowSearch::File {
  struct Token {
    Text text;
    std::size_t line;
    bool is_name;  ///< in code, or code-like in prose
  };
  std::string path;
  Text text;
  Text shown;  ///< what a reader sees of it, where that is another; line by line the same lines
  std::vector<std::string> lines;
  std::vector<Token> tokens;
  std::vector<std::pair<std::size_t, Text>> headings;
  std::set<std::string> languages;

  static std::vector<std::string> lines_of(const std::string& bytes) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
      lines.push_back(bytes.substr(at, end - at));
      if (ends_with(lines.back(), "\r")) lines.back().pop_back();
      at = end + 1;
    }
    return lines;
  }

  File(std::string name, const std::string& bytes, const std::string& seen)
      : path(std::move(name)), text(decode(bytes)), shown(decode(seen)), lines(lines_of(bytes)) {
    std::string language = language_of_extension(last_extension(path));
    // A header is C++ if it holds what C has not.
    for (const std::string& line : lines)
      if (language == "c" && line.starts_with("namespace ")) language = "c++";
    languages.insert(language);
    if (!seen.empty())
      read_shown(lines_of(seen));
    else if (language == "markdown")
      read_page();
    else
      for (std::size_t i = 0; i < lines.size(); ++i) read_code(i, language);
  }

  /// Names are those that are seen; what is typed has words alone, but for percent-escapes.
  void read_shown(const std::vector<std::string>& seen) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].starts_with("#")) headings.emplace_back(i + 1, decode(seen[i]));
      add_tokens(seen[i], i, false);
      std::string typed = lines[i];
      for (std::size_t at = 0; (at = typed.find('%', at)) != std::string::npos;)
        typed.replace(at, 3, " ");
      for (const Text& token : tokens_of(decode(typed))) tokens.push_back({token, i + 1, false});
    }
  }

  void read_page() {
    std::string fence, inside;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string& line = lines[i];
      const std::string mark = line.substr(0, 3);
      if (fence.empty() && (mark == "```" || mark == "~~~")) {
        fence = mark;
        inside = language_of_extension(line.substr(3));
        languages.insert(inside);
        add_tokens(line, i, false);
      } else if (!fence.empty() && line == fence) {
        fence.clear();
      } else if (!fence.empty()) {
        read_code(i, inside);
      } else {
        if (line.starts_with("#"))
          headings.emplace_back(i + 1, decode(line.substr(line.find(' ') + 1)));
        std::size_t at = 0;
        bool code = false;
        for (; at <= line.size(); code = !code) {  // between backticks
          const std::size_t end = std::min(line.find('`', at), line.size());
          add_tokens(line.substr(at, end - at), i, code);
          at = end + 1;
        }
      }
    }
  }

  void read_code(std::size_t i, const std::string& language) {
    const std::string mark = comment_mark(language);
    const bool prose = language == "text";
    const bool directive = language != "python" && language != "shell" && lines[i].starts_with("#");
    const std::size_t comment = mark.empty() || directive ? std::string::npos : lines[i].find(mark);
    add_tokens(lines[i].substr(0, comment), i, !prose);
    if (comment != std::string::npos) add_tokens(lines[i].substr(comment), i, false);
  }

  static std::vector<Text> tokens_of(const Text& part) {
    std::vector<Text> out;
    Text token;
    for (const char32_t c : part + U" ") {
      if (is_word_char(c)) {
        token += c;
      } else if (!token.empty()) {
        out.push_back(token);
        token.clear();
      }
    }
    return out;
  }

  void add_tokens(const std::string& part, std::size_t i, bool code) {
    for (const Text& token : tokens_of(decode(part)))
      tokens.push_back({token, i + 1, !is_digit(token[0]) && (code || is_code_like(token))});
  }

  // --- one word ---------------------------------------------------------------------------------

  static bool same_name(const Text& token, const Text& asked) {
    return fold(token) == asked || without_accents(fold(token)) == asked;
  }
  static bool same_stem(const Text& folded, const Text& asked) {
    return stem(folded) == stem(asked) || stem(without_accents(folded)) == stem(asked);
  }
  static bool has_word(const Text& token, const Text& asked) {
    const std::vector<Text> inside = words_inside(token), wanted = words_inside(asked);
    if (has_no_blanks(asked[0]))
      return std::all_of(wanted.begin(), wanted.end(), [&](const Text& w) {
        return std::find(inside.begin(), inside.end(), w) != inside.end();
      });
    return std::any_of(inside.begin(), inside.end(),
                       [&](const Text& w) { return same_stem(w, asked); });
  }

  /// Every token matches as it is or by its stem, a name by the words inside it, too.
  static bool token_matches(const Token& token, const Text& asked) {
    if (same_name(token.text, asked)) return true;
    if (is_digit(token.text[0])) return false;
    if (has_no_blanks(asked[0])) return has_word(token.text, asked);
    return same_stem(fold(token.text), asked) || (token.is_name && has_word(token.text, asked));
  }

  /// Lines are shown for stems in code, too: a record does not say what is code.
  static bool token_is_shown(const Token& token, const Text& asked) {
    return same_name(token.text, asked) || has_word(token.text, asked) ||
           (!has_no_blanks(asked[0]) && same_stem(fold(token.text), asked));
  }

  static bool heading_matches(const Text& title, const Text& asked) {
    for (const Text& token : tokens_of(title))
      if (same_stem(fold(token), asked) || has_word(token, asked)) return true;
    return false;
  }

  bool path_has_word(const Text& asked) const {
    for (const Text& token : tokens_of(decode(path))) {
      if (fold(token) == asked) return true;
      for (const Text& w : words_inside(token))
        if (w == asked) return true;
    }
    return false;
  }

  // --- literals ---------------------------------------------------------------------------------

  static bool same_letter(char32_t c, char32_t folded) {
    return c == folded || (is_upper(c) && c + 0x20 == folded);
  }

  static std::vector<std::size_t> find_literal(const Text& text, const Ask& ask) {
    const Text wanted = fold(decode(ask.text));
    std::vector<std::size_t> found;
    for (std::size_t at = 0; at < text.size(); ++at) {
      std::size_t t = at, w = 0;
      while (w < wanted.size() && t < text.size()) {
        if (wanted[w] == ' ') {
          if (!is_blank(text[t])) break;
          while (t < text.size() && is_blank(text[t])) ++t;
        } else if (same_letter(text[t], wanted[w])) {
          ++t;
        } else {
          break;
        }
        ++w;
      }
      if (w < wanted.size()) continue;
      const bool cuts_start =
          at > 0 && is_word_char(text[at - 1]) && is_word_char(text[at]) && !ask.open_start;
      const bool cuts_end =
          t < text.size() && is_word_char(text[t - 1]) && is_word_char(text[t]) && !ask.open_end;
      if (!cuts_start && !cuts_end) found.push_back(at);
    }
    return found;
  }

  static std::size_t line_of(const Text& of, std::size_t at) {
    return 1 + static_cast<std::size_t>(
                   std::count(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(at), U'\n'));
  }

  // --- the question -----------------------------------------------------------------------------

  bool matches(const Ask& ask) const {
    const Text asked = fold(decode(ask.text));
    const auto any_token = [&](auto&& test) {
      return std::any_of(tokens.begin(), tokens.end(), test);
    };
    switch (ask.kind) {
      case Ask::Kind::Word:
        return any_token([&](const Token& t) { return token_matches(t, asked); }) ||
               std::any_of(headings.begin(), headings.end(),
                           [&](const auto& h) { return heading_matches(h.second, asked); }) ||
               path_has_word(asked);
      case Ask::Kind::Joined:
        return any_token([&](const Token& t) { return t.is_name && key_of(t.text) == asked; });
      case Ask::Kind::Ident:
        return any_token([&](const Token& t) { return t.is_name && same_name(t.text, asked); });
      case Ask::Kind::Pattern: {
        const std::vector<Text> parts = tokens_of(decode(path));
        return any_token([&](const Token& t) { return pattern_fits(asked, t.text); }) ||
               std::any_of(parts.begin(), parts.end(),
                           [&](const Text& t) { return pattern_fits(asked, t); });
      }
      case Ask::Kind::Literal:
        return !find_literal(text, ask).empty() || !find_literal(shown, ask).empty() ||
               !find_literal(decode(path), ask).empty();
      case Ask::Kind::Section:
        return std::any_of(headings.begin(), headings.end(),
                           [&](const auto& h) { return heading_matches(h.second, asked); });
      case Ask::Kind::PathWord:
        return path_has_word(asked);
      case Ask::Kind::PathLiteral:
        return !find_literal(decode(path), ask).empty();
      case Ask::Kind::Language:
        return languages.contains(ask.text);
      case Ask::Kind::Extension:
        return last_extension(path) == ask.text;
      case Ask::Kind::Folder:
        return path.starts_with(ask.text + "/");
      case Ask::Kind::Places:
        return std::any_of(ask.places.begin(), ask.places.end(),
                           [&](const auto& place) { return place.first == path; });
      case Ask::Kind::All:
        return std::all_of(ask.of.begin(), ask.of.end(), [&](const Ask& a) { return matches(a); });
      case Ask::Kind::Either:
        return std::any_of(ask.of.begin(), ask.of.end(), [&](const Ask& a) { return matches(a); });
      case Ask::Kind::None:
        return !matches(ask.of[0]);
    }
    return false;
  }

  static bool pattern_fits(const Text& asked, const Text& token) {
    return fits(asked, 0, fold(token), 0) || fits(asked, 0, without_accents(fold(token)), 0);
  }

  void add_lines(const Ask& ask, std::set<std::size_t>& found) const {
    const Text asked = fold(decode(ask.text));
    const auto add_tokens_that = [&](auto&& test) {
      for (const Token& t : tokens)
        if (test(t)) found.insert(t.line);
    };
    const auto add_places = [&] {
      for (const auto& [file, part] : ask.places)
        for (std::size_t i = 0; i < lines.size(); ++i)
          if (file == path && !part.empty() && lines[i].find(part) != std::string::npos)
            found.insert(i + 1);
    };
    switch (ask.kind) {
      case Ask::Kind::Word:
        add_tokens_that([&](const Token& t) { return token_is_shown(t, asked); });
        break;
      case Ask::Kind::Joined:
        add_tokens_that([&](const Token& t) { return key_of(t.text) == asked; });
        break;
      case Ask::Kind::Ident:
        add_tokens_that([&](const Token& t) { return same_name(t.text, asked); });
        break;
      case Ask::Kind::Pattern:
        add_tokens_that([&](const Token& t) { return pattern_fits(asked, t.text); });
        break;
      case Ask::Kind::Literal:
        for (const Text* of : {&text, &shown})
          for (const std::size_t at : find_literal(*of, ask)) found.insert(line_of(*of, at));
        add_places();
        break;
      case Ask::Kind::Section:
        for (const auto& [line, title] : headings)
          if (heading_matches(title, asked)) found.insert(line);
        break;
      case Ask::Kind::Places:
        add_places();
        break;
      case Ask::Kind::All:
      case Ask::Kind::Either:
        for (const Ask& a : ask.of) add_lines(a, found);
        break;
      case Ask::Kind::PathWord:
      case Ask::Kind::PathLiteral:
      case Ask::Kind::Language:
      case Ask::Kind::Extension:
      case Ask::Kind::Folder:
      case Ask::Kind::None:
        break;
    }
  }
};

namespace {

std::string read_shown(const std::filesystem::path& root, const std::string& path) {
  const std::filesystem::path file = root.string() + "_shown/" + path;
  return std::filesystem::exists(file) ? read_text(file) : std::string();
}

}  // namespace

SlowSearch::SlowSearch(const std::filesystem::path& root) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string path = entry.path().lexically_relative(root).string();
    if (entry.is_regular_file() && !path.starts_with(".kwsearch/"))  // an index of someone's
      files_.emplace_back(path, read_text(entry.path()), read_shown(root, path));
  }
  std::sort(files_.begin(), files_.end(),
            [](const File& a, const File& b) { return a.path < b.path; });
}
SlowSearch::~SlowSearch() = default;

bool SlowSearch::has_file(const std::string& path) const {
  return std::any_of(files_.begin(), files_.end(),
                     [&](const File& file) { return file.path == path; });
}

std::map<std::string, SlowSearch::Found> SlowSearch::search(const Ask& ask) const {
  std::map<std::string, std::vector<const File*>> groups;  // by the path of the source
  for (const File& file : files_) {
    if (!file.matches(ask)) continue;
    std::string source = file.path;
    if (const std::string suffix = "_docs.md"; ends_with(source, suffix)) {
      source.resize(source.size() - suffix.size());
      if (source.starts_with("docs/")) source.erase(0, 5);
    }
    auto& group = groups[source];
    group.insert(file.path == source ? group.begin() : group.end(), &file);
  }
  std::map<std::string, Found> found;
  for (const auto& [source, files] : groups) {
    Found& f = found[files[0]->path];
    files[0]->add_lines(ask, f.lines);
    for (std::size_t i = 1; i < files.size(); ++i) f.also.insert(files[i]->path);
  }
  return found;
}

}  // namespace kw::test
