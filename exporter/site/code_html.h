// SPDX-License-Identifier: GPL-2.0-or-later
// Code as HTML: a numbered list with an item, and so an anchor, for each line; long code is several
// lists, which a browser lays out as they come into sight, the later ones in <noscript>. Comments
// and strings (i) and reserved words (u) are set apart, names that are defined (b) too (the script
// makes them links to where they are used), and the use of a name leads to its definition where
// that is known. Items have no end tag and few attributes quotes, which HTML allows: on a tree of a
// hundred megabytes each byte a line counts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "exporter/site/code_look.h"
#include "exporter/site/line_ids.h"
#include "schema/index/record.h"

namespace kw::exporter::site {

/// The anchor of a definition. It follows the name and not the line, so that a page that links here
/// stays as it is when lines move. No heading's anchor has a dot.
inline constexpr std::string_view kDefinitionAnchor = "d.";

/// As a URL has it behind the `#`. Empty for a name that is no single word, and has no anchor.
std::string definition_anchor(std::string_view name);

class CodeHtml {
 public:
  /// Where the use of a name leads, as a URL that needs no quotes; empty for nowhere. `family`:
  /// CodeLook's, of the code that uses it; empty in prose.
  using ToDefinition = std::function<std::string(std::string_view name, std::string_view family)>;

  /// For one page; `record` and `ids` must outlive it.
  CodeHtml(const FileRecord& record, LineIds& ids, ToDefinition to_definition);

  /// Appends code whose first line is `first_line` of the record's text.
  void append_block(std::string& out, std::string_view code, std::uint32_t first_line,
                    const CodeLook& look);

  /// Appends a code span of prose. `linked`: it may hold a link.
  void append_span(std::string& out, std::string_view code, bool linked);

  /// Appends the anchors of definitions that stand in no code of the page.
  void append_rest(std::string& out);

 private:
  void open_list(std::string& out, std::string_view tag) const;
  void close_list(std::string& out) const;
  void open_line(std::string& out);
  void close_line(std::string& out);
  void append_quoted(std::string& out, std::string_view text);
  void append_code(std::string& out, std::string_view text, const CodeLook& look);
  void append_plain(std::string& out, std::string_view text);
  bool append_definition(std::string& out, std::string_view name);
  std::string_view id_of(const Definition& definition);
  const std::string& target(std::string_view name, std::string_view family);

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  const FileRecord& record_;
  LineIds& ids_;
  ToDefinition to_definition_;
  std::unordered_map<std::string_view, std::uint32_t> anchor_lines_;  ///< of names that are a word
  std::unordered_set<std::string_view> anchored_;
  using Targets = std::unordered_map<std::string, std::string, Hash, std::equal_to<>>;
  std::unordered_map<std::string_view, Targets> targets_;  ///< by family
  std::uint32_t line_ = 1;
  bool marks_words_ = true;
  std::uint32_t part_end_ = 0;     ///< the line with which the next list of long code begins
  std::uint32_t closed_from_ = 0;  ///< from that line on lists are in <noscript>
  std::size_t definition_ = 0;     ///< the first of line_ that is not written yet
};

}  // namespace kw::exporter::site
