// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/code_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "exporter/site/html.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// A browser lays out and paints the lists of long code that are in sight: lists of so many lines.
// Shorter code is one list. Of longer code the lists after that many lines are in <noscript>, which
// is only a text to a browser with scripts: page.js makes it elements when the browser is idle.
// 40,000 elements at once would block a phone for a second.
constexpr std::uint32_t kLongCode = 1'000;
constexpr std::uint32_t kPartLines = 200;
static_assert(kLongCode % kPartLines == 0);
// Each marked word is an element, which longer code would have by the ten thousand.
constexpr std::ptrdiff_t kMarkedCode = 5'000;

/// A name that one token spells, so that its uses can be told.
bool is_word(std::string_view name) {
  Tokenizer tokenizer(name);
  Token token;
  return tokenizer.next(token) && token.kind == TokenKind::Name && token.text.size() == name.size();
}

/// A capital letter of ASCII: in code it begins the name of a type or a constant.
bool is_capitalised(std::string_view name) { return name[0] >= 'A' && name[0] <= 'Z'; }

/// Lines that end in `\n` alone.
std::string with_newlines(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') out += text[i];
  return out;
}

/// Whether a name in code can be taken for the one that the tree defines under it. A word of small
/// letters is as often a variable, or a member of something else: it must be called. What is
/// assigned to is no use.
bool is_use(std::string_view name, std::string_view before, std::string_view after) {
  if (name.size() < 3) return false;
  while (!after.empty() && is_blank(after[0])) after.remove_prefix(1);
  if (after.starts_with('=') && !after.starts_with("==")) return false;
  if (is_capitalised(name) || is_code_like(name)) return true;
  return after.starts_with('(') && !before.ends_with('.') && !before.ends_with("->");
}

std::string definition_id(std::string_view name) {
  return attribute(std::string(kDefinitionAnchor).append(name));
}

}  // namespace

std::string definition_anchor(std::string_view name) {
  return is_word(name) ? std::string(kDefinitionAnchor) + url_path(name) : std::string();
}

CodeHtml::CodeHtml(const FileRecord& record, LineIds& ids, ToDefinition to_definition)
    : record_(record), ids_(ids), to_definition_(std::move(to_definition)) {
  // Of several the first that stands in nothing else, as a class before the methods that share its
  // name.
  std::unordered_set<std::string_view> outer;
  for (const Definition& d : record.definitions) {
    if (!is_word(d.name)) continue;
    const bool is_new = anchor_lines_.try_emplace(d.name, d.line).second;
    if (!d.scope.empty() || !outer.insert(d.name).second || is_new) continue;
    anchor_lines_[d.name] = d.line;
  }
}

void CodeHtml::append_block(std::string& out, std::string_view code, std::uint32_t first_line,
                            const CodeLook& look) {
  std::string lines;
  if (code.find('\r') != std::string_view::npos) {
    lines = with_newlines(code);
    code = lines;
  }
  if (code.ends_with('\n')) code.remove_suffix(1);
  line_ = first_line;
  const auto at =
      std::lower_bound(record_.definitions.begin(), record_.definitions.end(), first_line,
                       [](const Definition& d, std::uint32_t line) { return d.line < line; });
  definition_ = static_cast<std::size_t>(at - record_.definitions.begin());
  const auto line_ends = std::count(code.begin(), code.end(), '\n');
  const bool is_long = line_ends >= std::ptrdiff_t{kLongCode};
  marks_words_ = line_ends < kMarkedCode;
  part_end_ = is_long ? first_line + kPartLines : std::numeric_limits<std::uint32_t>::max();
  closed_from_ = is_long ? first_line + kLongCode : std::numeric_limits<std::uint32_t>::max();
  if (is_long) out += "<div class=code>\n<div>";
  open_list(out, is_long ? "<ol" : "<ol class=code");
  open_line(out);
  if (look.is_plain())
    append_plain(out, code);
  else
    for (const CodePiece& piece : code_pieces(code, look))
      piece.quoted ? append_quoted(out, piece.text) : append_code(out, piece.text, look);
  close_line(out);
  close_list(out);
  out += is_long ? "</div></div>\n" : "\n";
}

void CodeHtml::open_list(std::string& out, std::string_view tag) const {
  out += tag;
  if (line_ > 1) fmt::format_to(std::back_inserter(out), " start={}", line_);
  out += ">\n";
}

void CodeHtml::close_list(std::string& out) const {
  out += line_ > closed_from_ ? "</ol></noscript>" : "</ol>";
}

void CodeHtml::open_line(std::string& out) {
  if (line_ == part_end_) {
    close_list(out);
    out += "</div><div>";
    if (line_ >= closed_from_) out += "<noscript>";
    open_list(out, "<ol");
    part_end_ += kPartLines;
  }
  out += "<li";
  ids_.close_tag(out, line_);
}

void CodeHtml::close_line(std::string& out) {
  const auto& definitions = record_.definitions;
  for (; definition_ < definitions.size() && definitions[definition_].line <= line_; ++definition_)
    if (const std::string_view id = id_of(definitions[definition_]); !id.empty())
      out += fmt::format("<i id={}></i>", definition_id(id));
  out += '\n';
  ++line_;
}

/// Text that may run over lines.
void CodeHtml::append_plain(std::string& out, std::string_view text) {
  for (;;) {
    const std::size_t end = text.find('\n');
    append_html(out, text.substr(0, end));
    if (end == std::string_view::npos) return;
    close_line(out);
    open_line(out);
    text.remove_prefix(end + 1);
  }
}

void CodeHtml::append_quoted(std::string& out, std::string_view text) {
  for (;;) {
    const std::size_t end = text.find('\n');
    const std::string_view part = text.substr(0, end);
    if (part.find_first_not_of(" \t") != std::string_view::npos) {
      out += "<i>";
      append_html(out, part);
      out += "</i>";
    } else {
      out += part;
    }
    if (end == std::string_view::npos) return;
    close_line(out);
    open_line(out);
    text.remove_prefix(end + 1);
  }
}

void CodeHtml::append_code(std::string& out, std::string_view text, const CodeLook& look) {
  std::size_t plain = 0;  // from here on nothing is appended yet
  Tokenizer tokenizer(text);
  Token token;
  while (tokenizer.next(token)) {
    if (token.kind != TokenKind::Name) continue;
    const bool is_word = look.marks(token.text) && marks_words_;
    if (!is_word && look.style && is_reserved(*look.style, token.text)) continue;
    const auto at = static_cast<std::size_t>(token.text.data() - text.data());
    const std::size_t end = at + token.text.size();
    append_plain(out, text.substr(plain, at - plain));  // moves to the token's line
    plain = at;
    if (append_definition(out, token.text)) {
      plain = end;
      continue;
    }
    if (is_word) {
      out += "<u>";
      out += token.text;
      out += "</u>";
      plain = end;
      continue;
    }
    if (!is_use(token.text, text.substr(0, at), text.substr(end))) continue;
    const std::string& href = target(token.text, look.family);
    if (href.empty()) continue;
    out += "<a href=";
    out += href;
    out += '>';
    append_html(out, token.text);
    out += "</a>";
    plain = end;
  }
  append_plain(out, text.substr(plain));
}

/// If the line under way defines `name`, and has not done so yet.
bool CodeHtml::append_definition(std::string& out, std::string_view name) {
  const auto& definitions = record_.definitions;
  // A line rarely defines more than one.
  for (std::size_t i = definition_; i < definitions.size() && definitions[i].line <= line_; ++i) {
    if (definitions[i].line < line_ || definitions[i].name != name) continue;
    const std::string_view id = id_of(definitions[i]);
    out += id.empty() ? "<b>" : fmt::format("<b id={}>", definition_id(id));
    append_html(out, name);
    out += "</b>";
    if (i == definition_) ++definition_;
    return true;
  }
  return false;
}

/// The name, if the anchor of all of that name belongs here and is not written yet.
std::string_view CodeHtml::id_of(const Definition& definition) {
  const auto at = anchor_lines_.find(definition.name);
  if (at == anchor_lines_.end() || at->second != definition.line) return {};
  return anchored_.insert(at->first).second ? at->first : std::string_view();
}

void CodeHtml::append_span(std::string& out, std::string_view code, bool linked) {
  std::string_view name = code;
  const bool called = name.ends_with("()");
  if (called) name.remove_suffix(2);
  const bool links = linked && is_word(name) && is_use(name, {}, called ? "(" : "");
  const std::string href = links ? target(name, {}) : std::string();
  out += href.empty() ? "<code>" : fmt::format("<a href={}><code>", href);
  append_html(out, code);
  out += href.empty() ? "</code>" : "</code></a>";
}

void CodeHtml::append_rest(std::string& out) {
  for (const Definition& d : record_.definitions)
    if (const std::string_view id = id_of(d); !id.empty())
      out += fmt::format("<i id={}></i>", definition_id(id));
}

const std::string& CodeHtml::target(std::string_view name, std::string_view family) {
  Targets& targets = targets_[family];
  if (const auto known = targets.find(name); known != targets.end()) return known->second;
  return targets.emplace(name, to_definition_(name, family)).first->second;
}

}  // namespace kw::exporter::site
