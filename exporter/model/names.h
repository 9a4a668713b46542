// SPDX-License-Identifier: GPL-2.0-or-later
// Which names stand in a file, where and how often: the ground of its keyword page. Names of the
// code are told from words of the prose here; which of them tell most: term_weights.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/index/record.h"

namespace kw::exporter {

/// Before the first heading, or in a file without any.
inline constexpr std::uint32_t kNoSection = 0xffffffff;

struct SectionCount {
  std::uint32_t section = kNoSection;  ///< index into the record's sections
  std::uint32_t count = 0;

  bool operator==(const SectionCount&) const = default;
};

struct NameUse {
  std::string_view name;  ///< points into the rendered text
  std::uint32_t count = 0;
  std::uint32_t first_line = 0;
  bool in_code = false;                ///< stands in code, outside of comments and strings
  bool imported = false;               ///< stands first in a statement that imports
  std::vector<SectionCount> sections;  ///< by line
};

/// The names of a file, in order of their first use.
///
/// Code is the file itself where its language is known, and the fenced blocks of a page. What
/// stands there outside of comments and strings is a name unless the language reserves it. All
/// else (prose, comments, strings, code of an unknown language) has names where a word looks like
/// one (is_code_like), code spans of a guide have them as code does; so no word of plain English
/// gets in by standing in a sentence.
///
/// A page about a source file (`about_source`), and the source itself, list the names of their code
/// alone where they have any: what only a comment names is no identifier of the file. The code of
/// such a page is its longest block; names of others count, but are not listed for their sake.
///
/// `rendered` is the record's rendered text: prose has the names that a reader sees.
std::vector<NameUse> find_names(const FileRecord& record, const EditedText& rendered,
                                bool about_source);

/// The language that line `line` is written in: of the fenced block, or of the file. Empty for
/// prose.
class CodeLines {
 public:
  explicit CodeLines(const FileRecord& record);
  std::string_view language_at(std::uint32_t line) const;

  struct Block {
    std::uint32_t first_line;  ///< of the code itself
    std::uint32_t last_line;
    std::string_view language;  ///< first word of the fence
  };
  const std::vector<Block>& blocks() const { return blocks_; }

 private:
  std::vector<Block> blocks_;  ///< by line
};

}  // namespace kw::exporter
