// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/match.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "schema/text/text.h"
#include "searcher/match/occurrences.h"

namespace kw::search {

Result<Matcher> Matcher::create(const QueryNode& root, bool case_sensitive, bool match_any) {
  return Matcher(KW_TRY(PreparedQuery::create(root, case_sensitive, match_any)));
}

bool Matcher::is_match(const FileRecord& record, const HoldsFilter& holds_filter) {
  const bool plain = is_plain_sequence();
  std::optional<EditedText> rendered;  // made when a leaf is not in the stored text
  return query_.evaluate([&](std::size_t i) {
    const Leaf& leaf = query_.leaves[i];
    if (leaf.node->is_filter()) return !holds_filter || holds_filter(*leaf.node);
    if (plain && leaf.node->kind == QueryNode::Kind::Word) return true;
    return leaf_holds(leaf, record, rendered);
  });
}

/// Whether the query is words that terms have seen to, and texts and patterns that all must hold.
bool Matcher::is_plain_sequence() const {
  return !query_.match_any && !query_.case_sensitive &&
         std::all_of(query_.root->children.begin(), query_.root->children.end(),
                     [](const QueryNode& c) { return c.is_leaf(); });
}

bool Matcher::reads(const Leaf& leaf, std::string_view text) {
  bytes_read_ += text.size();
  return occurs_in(query_, leaf, text);
}

/// Whether a leaf holds for a file: what match() finds out for all leaves at once.
bool Matcher::leaf_holds(const Leaf& leaf, const FileRecord& record,
                         std::optional<EditedText>& rendered) {
  if (!leaf.node->field || leaf.is_field(Field::Ident)) {
    if (reads(leaf, record.text)) return true;
    if (!record.rendering.empty() && !rendered) rendered = rendered_text(record);
    if (rendered && reads(leaf, rendered->view())) return true;
  }
  if (path_holds(query_, leaf, record)) return true;
  if (leaf.is_field(Field::Section))
    return std::any_of(record.sections.begin(), record.sections.end(),
                       [&](const Section& s) { return reads(leaf, s.title); });
  if (leaf.is_field(Field::Definition))
    return std::any_of(
        record.definitions.begin(), record.definitions.end(), [&](const Definition& d) {
          NameForms name(d.name);
          return query_.tester.match_definition(leaf, d, name) != DefinitionMatch::None;
        });
  return false;
}

const Section* section_at(const FileRecord& record, std::uint32_t line) {
  const auto after =
      std::upper_bound(record.sections.begin(), record.sections.end(), line,
                       [](std::uint32_t l, const Section& s) { return l < s.first_line; });
  return after == record.sections.begin() ? nullptr : &*std::prev(after);
}

const Definition* enclosing_definition(const FileRecord& record,
                                       const std::vector<std::size_t>& line_starts,
                                       std::uint32_t line) {
  static constexpr std::array<std::string_view, 17> kKinds{
      "function", "method",          "class",          "struct", "interface",  "trait",
      "enum",     "namespace",       "module",         "macro",  "subroutine", "procedure",
      "union",    "singletonMethod", "implementation", "func",   "constructor"};
  const auto indent = [&](std::uint32_t number) {
    const std::string_view text = line_at(record.text, line_starts, number);
    return std::min(text.find_first_not_of(" \t"), text.size());
  };
  const std::size_t own = indent(line);
  const bool is_blank_line = line_at(record.text, line_starts, line).size() == own;
  const Section* const section = section_at(record, line);
  // What stands above in the same block of a page, and is indented less, contains the line.
  for (auto d = record.definitions.rbegin(); d != record.definitions.rend(); ++d) {
    if (d->line > line || std::find(kKinds.begin(), kKinds.end(), d->kind) == kKinds.end())
      continue;
    if (section && d->line < section->first_line) break;
    if (d->line == line || is_blank_line || indent(d->line) < own) return &*d;
  }
  return nullptr;
}

}  // namespace kw::search
