// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/query/qualified_name.h"

#include <re2/re2.h>

#include <algorithm>

#include "schema/text/splitter.h"
#include "searcher/query/path_reference.h"

namespace kw::search {
namespace {

std::string_view trimmed(std::string_view text, std::string_view signs) {
  const std::size_t begin = text.find_first_not_of(signs);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(signs) - begin + 1);
}

/// `text` without what stands between `open` and its `close`: arguments, template arguments. Where
/// they do not fit together the text ends at the one that is never closed.
std::string without_groups(std::string_view text, char open, char close) {
  std::string out;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool arrow = i > 0 && text[i] == '>' && text[i - 1] == '-';
    if (text[i] == open)
      ++depth;
    else if (text[i] == close && depth > 0 && !arrow)
      --depth;
    else if (depth == 0)
      out.push_back(text[i]);
  }
  return out;
}

/// The first name of a token's text, which is all of it.
bool is_name(std::string_view text) {
  Tokenizer tokenizer(text);
  Token token;
  return tokenizer.next(token) && token.text.size() == text.size() && token.kind == TokenKind::Name;
}

constexpr std::string_view kSeparators[] = {"::", "->", "?.", ".", "#", "/", "\\"};

/// Length of the separator at the start of `text`; 0: none stands there.
std::size_t separator_length(std::string_view text) {
  for (const std::string_view s : kSeparators)
    if (text.starts_with(s)) return s.size();
  return 0;
}

/// The names between separators; empty if anything else is there. A last part may have a sign of
/// its own: `empty?`, `save!`, `~Foo`.
std::vector<std::string> split_parts(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    std::size_t end = 0;
    while (end < text.size() && separator_length(text.substr(end)) == 0) ++end;
    std::string_view part = text.substr(0, end);
    if (part.starts_with('~') || part.starts_with('$') || part.starts_with('@'))
      part.remove_prefix(1);
    if (end == text.size() && part.size() > 1 && (part.back() == '?' || part.back() == '!'))
      part.remove_suffix(1);
    if (!is_name(part)) return {};
    parts.emplace_back(part);
    if (end == text.size()) return parts;
    text.remove_prefix(end + separator_length(text.substr(end)));
  }
}

std::optional<QualifiedName> from_parts(std::vector<std::string> parts, std::string_view text,
                                        std::string_view form) {
  if (parts.empty()) return std::nullopt;
  QualifiedName q;
  q.name = std::move(parts.back());
  parts.pop_back();
  q.scope = std::move(parts);
  if (text.ends_with('?') || text.ends_with('!')) q.sign = text.back();
  q.text = text;
  q.form = form;
  return q;
}

/// Lines that bring a name into a file.
std::optional<QualifiedName> parse_import(std::string_view line) {
  const re2::StringPiece text(line.data(), line.size());
  // The last of several names would be as good; the first is what people mean.
  static const RE2 kPython(R"(\s*from\s+\.*([\w.]*)\s+import\s+\(?\s*(\w+).*)"),
      kPlain(
          R"(\s*(?:import|use|using|require|import static|pub use|package|namespace|extern crate)\s+(?:static\s+|function\s+|type\s+)?\.*([\w.:\\/]+?)(?:::\{\s*(\w+).*|\.\{?\*\}?|::\*)?(?:\s+as\s+\w+)?\s*;?\s*)"),
      kScript(
          R"(\s*(?:import|export)\s+(?:type\s+)?(?:\{\s*)?([\w*]+).*\bfrom\s+['"]([^'"]+)['"].*)"),
      kRequire(
          R"((?:.*=\s*)?(?:require|import|require_relative|require_once|include)\s*\(?\s*['"]([^'"]+)['"]\)?(?:\.(\w+))?\s*;?\s*)"),
      kInclude(R"(\s*#\s*(?:include|import)\s*[<"]([^>"]+)[>"].*)");
  std::string module, name;
  if (RE2::FullMatch(text, kInclude, &module)) {
    QualifiedName q;
    q.path = path_parts(module);
    if (q.path.empty()) return std::nullopt;
    q.name = q.path.back();
    q.text = module;
    q.form = "include";
    return q;
  }
  if (RE2::FullMatch(text, kPython, &module, &name)) {
    std::vector<std::string> parts =
        module.empty() ? std::vector<std::string>() : split_parts(module);
    parts.push_back(name);
    auto q = from_parts(std::move(parts), name, "import");
    if (q) q->can_be_module = true;
    return q;
  }
  if (RE2::FullMatch(text, kScript, &name, &module) ||
      RE2::FullMatch(text, kRequire, &module, &name)) {
    QualifiedName q;
    q.path = path_parts(module);
    if (q.path.empty()) return std::nullopt;
    q.name = name.empty() || name == "*" ? q.path.back() : name;
    q.text = q.name;
    q.form = "import";
    for (const std::string& part : q.path) q.scope.push_back(part);
    return q;
  }
  if (RE2::FullMatch(text, kPlain, &module, &name)) {
    std::vector<std::string> parts = split_parts(module);
    if (parts.empty()) return std::nullopt;
    if (!name.empty()) parts.push_back(name);
    // "use it", "require care": words, unless the line ends as code does.
    if (parts.size() < 2 && line.find(';') == line.npos && !line.starts_with("import "))
      return std::nullopt;
    auto q = from_parts(std::move(parts), module, "import");
    if (q) q->can_be_module = true;
    return q;
  }
  return std::nullopt;
}

/// What stands before brackets and is no call, in the languages that people paste.
bool is_control_word(std::string_view word) {
  static constexpr std::string_view kWords[] = {"catch",   "elif",   "elsif",  "for",
                                                "foreach", "if",     "switch", "until",
                                                "using",   "unless", "while",  "with"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

/// e.g., i.e., U.S.: every part is one letter.
bool is_abbreviation(const QualifiedName& q) {
  const auto is_letter = [](const std::string& part) { return part.size() == 1; };
  return is_letter(q.name) && std::all_of(q.scope.begin(), q.scope.end(), is_letter);
}

}  // namespace

std::optional<QualifiedName> parse_qualified_name(std::string_view line) {
  if (auto import = parse_import(line)) return import;
  std::string_view text = trimmed(line, " \t\r\n");
  std::string_view form = "qualified name";
  if (text.find("://") != text.npos) return std::nullopt;
  // An assignment refers to what stands on its right.
  static const RE2 kAssignment(
      R"((?:(?:const|let|var|auto|final|val)\s+)?[\w.\s:<>\[\],*&]*?[\w\]>]\s*(?::=|=)\s*(?:new\s+|await\s+|return\s+)*([^=\s].*))"),
      kLead(
          R"((?:await|return|new|throw|yield|const|def|class|struct|fn|func|function|async|raise)\s+(.+))");
  re2::StringPiece right;
  const bool has_call = text.find('(') != text.npos;
  const std::string_view before_call = text.substr(0, text.find('('));
  if (before_call.find('=') != text.npos &&
      RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kAssignment, &right)) {
    text = std::string_view(right.data(), right.size());
    form = "assignment";
  }
  for (int i = 0;
       i < 3 && RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kLead, &right); ++i)
    text = std::string_view(right.data(), right.size());
  if (text.starts_with('@') && text.size() > 1) {
    text.remove_prefix(1);
    form = "decorator";
  }
  if (text.starts_with("#[") && text.ends_with(']')) {
    text = text.substr(2, text.size() - 3);
    form = "attribute";
  }
  // A call whose end was cut off is one too.
  std::string plain = without_groups(text, '(', ')');
  if (plain.find('<') != plain.npos) {
    plain = without_groups(plain, '<', '>');
    if (form == "qualified name") form = "generic type";
  }
  plain = without_groups(plain, '[', ']');
  std::string_view core = trimmed(plain, " \t&*;,:`'\"{}");
  if (has_call && form == "qualified name") form = "call";
  while (core.ends_with('.')) core.remove_suffix(1);
  if (core.starts_with("const ")) core.remove_prefix(6);
  if (core.find(' ') != core.npos) return std::nullopt;
  if (has_call && is_control_word(core)) return std::nullopt;
  auto q = from_parts(split_parts(core), core, form);
  if (!q || is_abbreviation(*q)) return std::nullopt;
  if (q->scope.empty() && form == "qualified name") return std::nullopt;  // a name
  q->can_be_module =
      form == "qualified name" && core.find("->") == core.npos && core.find('#') == core.npos;
  return q;
}

}  // namespace kw::search
