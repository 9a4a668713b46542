// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/query/reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "schema/text/splitter.h"
#include "searcher/query/message.h"
#include "searcher/query/traceback.h"

namespace kw::search {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

struct Shape {
  std::size_t names = 0;      // and numbers
  std::size_t operators = 0;  // ==, ::, ->
  bool has_blank = false;
};

Shape shape_of(std::string_view text) {
  Shape shape;
  shape.has_blank = text.find_first_of(" \t\n") != text.npos;
  Tokenizer tokenizer(text);
  for (Token token; tokenizer.next(token);)
    (token.kind == TokenKind::Operator ? shape.operators : shape.names)++;
  return shape;
}

/// Whether several words are code and not a sentence: brackets with something beside them,
/// semicolons at the end, operators between words.
bool is_code(std::string_view text) {
  std::size_t signs = 0, words = 0;
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool word =
        word_char_length(text.substr(i, 4)) > 0 || (static_cast<unsigned char>(c) & 0x80);
    words += word && !in_word;
    in_word = word;
    signs += std::string_view("(){}[]<>=;&|*+$@#%^~\\").find(c) != std::string_view::npos;
  }
  return signs >= 2 && signs * 2 >= words;
}

/// Whether a line with round brackets is code, and not a query with groups: it has other signs of
/// code, and no operator nor field of the query language.
bool is_code_line(std::string_view text) {
  if (text.find_first_of("()") == text.npos || text.find(" OR ") != text.npos ||
      text.find("NOT ") != text.npos || text.find_first_of("\"*?") != text.npos)
    return false;
  for (std::size_t colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1))
    if (colon + 1 < text.size() && text[colon + 1] != ' ' && text[colon + 1] != ':' &&
        (colon == 0 || text[colon - 1] != ':'))
      return false;
  const auto signs = std::count_if(text.begin(), text.end(), [](char c) {
    return std::string_view("{}[]<>=;&|+$@#%^~\\").find(c) != std::string_view::npos;
  });
  return signs >= 2 && is_code(text);
}

Reading words_reading(std::string_view text, std::string reason) {
  Reading r;
  r.kind = ReadingKind::Words;
  r.text = text;
  r.reason = std::move(reason);
  return r;
}

Reading path_reading(PathReference place) {
  Reading r;
  r.kind = ReadingKind::Path;
  r.reason = place.line         ? fmt::format("a path with line {}", place.line)
             : place.is_certain ? "a place as programs print it"
                                : "the form of a path";
  r.places.push_back(std::move(place));
  return r;
}

/// A file or module that a qualified name may be itself: torch.nn.functional.
PathReference module_place(const QualifiedName& name) {
  PathReference place;
  place.parts = name.path.empty() ? name.scope : name.path;
  if (name.path.empty()) place.parts.push_back(name.name);
  return place;
}

void add_name(std::vector<Reading>& readings, QualifiedName name) {
  if ((name.can_be_module && !name.scope.empty()) || !name.path.empty()) {
    Reading module = path_reading(module_place(name));
    module.reason =
        name.path.empty() ? "the dotted path of a module" : "the path of an " + name.form;
    readings.push_back(std::move(module));
  }
  Reading r;
  r.kind = name.scope.empty() ? ReadingKind::Name : ReadingKind::QualifiedName;
  r.reason = "the form of a " + name.form;
  r.text = name.name;
  r.name = std::move(name);
  readings.push_back(std::move(r));
}

void add_message(std::vector<Reading>& readings, std::string_view text) {
  const std::vector<MessageWord> words = message_words(text);
  const auto is_fixed = [](const MessageWord& w) { return !w.text.empty() && !w.is_optional; };
  if (std::none_of(words.begin(), words.end(), is_fixed)) return;
  Reading r;
  r.kind = ReadingKind::Message;
  r.reason = "a message with values in it";
  r.text = text;
  readings.push_back(std::move(r));
}

void add_text(std::vector<Reading>& readings, std::string_view text, std::string reason) {
  Reading r;
  r.kind = ReadingKind::Text;
  r.text = text;
  r.reason = std::move(reason);
  readings.push_back(std::move(r));
}

std::vector<Reading> forced(std::string_view text, ReadAs as) {
  std::vector<Reading> readings;
  switch (as) {
    case ReadAs::Name:
      if (auto name = parse_qualified_name(text)) {
        add_name(readings, *std::move(name));
        break;
      }
      readings.push_back({ReadingKind::Name, "--as name", {}, {}, std::string(text)});
      return readings;
    case ReadAs::Path: {
      auto place = parse_path_reference(text);
      if (!place) place = PathReference{path_parts(text), 0, true, {}};
      place->is_certain = true;
      if (!place->parts.empty()) readings.push_back(path_reading(*std::move(place)));
      break;
    }
    case ReadAs::Text:
      add_text(readings, text, "--as text");
      break;
    case ReadAs::Words:
      readings.push_back(words_reading(text, "--as words"));
      break;
  }
  for (Reading& r : readings) r.reason = "--as";
  if (readings.empty()) readings.push_back(words_reading(text, "no other reading"));
  return readings;
}

void read_lines(std::string_view text, std::vector<Reading>& readings) {
  if (auto trace = parse_traceback(text)) {
    Reading r;
    r.kind = ReadingKind::Traceback;
    r.reason = fmt::format("lines that name {} places", trace->frames.size());
    r.places = std::move(trace->frames);
    readings.push_back(std::move(r));
    if (!trace->message.empty()) add_message(readings, trace->message);
    return;
  }
  add_text(readings, text, "several lines");
}

/// Words of letters with blanks between them, of which the first begins no line of code or of a
/// program's output: no form of a path, a message or a name is among them. Most queries are so, and
/// compiling the expressions of those forms takes longer than the search of a name.
bool is_plain(std::string_view text) {
  static constexpr std::string_view kFirst[] = {
      "Caused", "Exception", "Uncaught",  "Unhandled", "async",   "at",      "await",
      "class",  "const",     "def",       "export",    "extern",  "fn",      "from",
      "func",   "function",  "goroutine", "import",    "in",      "include", "namespace",
      "new",    "package",   "pub",       "raise",     "require", "return",  "struct",
      "thread", "throw",     "use",       "using",     "yield"};
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ' ';
  };
  if (!std::all_of(text.begin(), text.end(), is_word)) {
    // One identifier may hold digits, too.
    const auto is_name = [&](char c) { return c != ' ' && (is_word(c) || (c >= '0' && c <= '9')); };
    return !text.empty() && is_word(text[0]) && std::all_of(text.begin(), text.end(), is_name);
  }
  const std::string_view first = text.substr(0, text.find(' '));
  return first.size() == text.size() ||
         std::find(std::begin(kFirst), std::end(kFirst), first) == std::end(kFirst);
}

void read_line(std::string_view text, std::vector<Reading>& readings) {
  if (is_plain(text)) return;
  auto place = parse_path_reference(text);
  if (place && place->is_certain) {
    const std::string rest = place->rest;
    readings.push_back(path_reading(*std::move(place)));
    if (is_message(rest)) add_message(readings, rest);
    return;
  }
  if (is_message(text)) {
    add_message(readings, text);
    return;
  }
  auto name = parse_qualified_name(text);
  const Shape shape = shape_of(text);
  if (place && (!name || !name->scope.empty())) readings.push_back(path_reading(*place));
  if (name) {
    if (!readings.empty()) name->can_be_module = true;
    add_name(readings, *std::move(name));
    return;
  }
  if (shape.names == 0 || (!shape.has_blank && shape.names + shape.operators > 1) ||
      (shape.has_blank && is_code(text)))
    add_text(readings, text, "signs between words");
}

}  // namespace

std::string_view name_of(ReadingKind kind) {
  switch (kind) {
    case ReadingKind::Name:
      return "name";
    case ReadingKind::Compound:
      return "compound";
    case ReadingKind::QualifiedName:
      return "qualified";
    case ReadingKind::Path:
      return "path";
    case ReadingKind::Traceback:
      return "traceback";
    case ReadingKind::Message:
      return "message";
    case ReadingKind::Text:
      return "text";
    case ReadingKind::Words:
      return "words";
  }
  return {};
}

std::vector<Reading> readings_of(std::string_view query, std::optional<ReadAs> as) {
  const std::string_view text = trimmed(query);
  if (as) return forced(text, *as);
  std::vector<Reading> readings;
  if (text.find('\n') != text.npos)
    read_lines(text, readings);
  else
    read_line(text, readings);
  const bool has_name = !readings.empty() && readings.back().kind == ReadingKind::Name;
  if (has_name) return readings;
  if (readings.empty() && shape_of(text).names == 1 && !shape_of(text).has_blank) {
    readings.push_back({ReadingKind::Name, "one word", {}, {}, std::string(text)});
    return readings;
  }
  readings.push_back(
      words_reading(text, readings.empty() ? "several words" : "nothing else was found"));
  return readings;
}

bool is_pasted(std::string_view query) {
  const std::string_view text = trimmed(query);
  if (text.find('\n') != text.npos) return true;
  if (text.starts_with('"') || is_plain(text)) return false;
  const auto place = parse_path_reference(text);
  if (place && place->is_certain) return true;
  if (is_code_line(text)) return true;
  static constexpr std::string_view kQuotes = "\"";
  return is_message(text) && text.find("NOT ") == text.npos && text.find(" OR ") == text.npos &&
         (text.find_first_of(kQuotes) == text.npos || text.find(": ") != text.npos);
}

}  // namespace kw::search
