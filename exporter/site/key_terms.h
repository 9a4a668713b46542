// SPDX-License-Identifier: GPL-2.0-or-later
// What a document is about: code spans, words and short phrases of its text, at most forty.
//
// Candidates are those of RAKE (Rose, Engel, Cramer and Cowley, Automatic Keyword Extraction from
// Individual Documents, 2010): runs of words between stop words and marks, here of up to three. A
// word weighs what it weighs in BM25F (Robertson, Zaragoza and Taylor, Simple BM25 Extension to
// Multiple Weighted Fields, 2004): its count in each part of the document times a weight of that
// part, so that a title says more than a paragraph. How rare a word is in the tree does not count:
// terms of a page then change with its document alone. docs/site-documents.md has figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "schema/index/record.h"

namespace kw::exporter::site {

struct KeyTerm {
  std::string text;        ///< as the document has it first; plain text
  bool is_code = false;    ///< a code span
  std::uint32_t line = 0;  ///< of the block where it stands first; 0: in the title or path alone

  bool operator==(const KeyTerm&) const = default;
};

inline constexpr std::size_t kMaxKeyTerms = 40;
inline constexpr std::size_t kMaxKeyWords = 60;  ///< distinct words of all terms together

/// In the order in which they stand in the document. No URLs, e-mail addresses, handles, numbers,
/// names of one letter or marks of Markdown.
std::vector<KeyTerm> key_terms(const FileRecord& record);

}  // namespace kw::exporter::site
