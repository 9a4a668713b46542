// SPDX-License-Identifier: GPL-2.0-or-later
// The table of languages: which files and fences are theirs, how their comments look, and under
// which made-up file name ctags knows them.
#pragma once

#include <string_view>

namespace kw::indexer {

enum class FileKind {
  Markdown,  ///< parsed by markdown.h: sections, fences, prose
  Source,    ///< code: tokens are identifiers, comments also prose
  Data,      ///< structured data (JSON, YAML, CSV): as Source, without definitions
  Prose      ///< plain text, and everything unknown
};

/// How comments look: what source.h needs to find them. Marks of a list are separated by blanks.
struct CommentStyle {
  std::string_view line;    ///< begin a comment that runs to the end of its line: "// #"
  std::string_view block;   ///< pairs of begin and end: "/* */ <!-- -->"
  std::string_view quotes;  ///< characters that begin and end strings, in which no comment begins
  std::string_view
      line_start;  ///< as `line`, but only as the first thing on a line: ";" of ini files
};

struct Language {
  std::string_view name;  ///< "python", "c++": as `lang:` asks for it
  FileKind kind = FileKind::Prose;
  std::string_view
      ctags_extension;  ///< "py": ctags takes "x.py" for this language; empty: no definitions
  CommentStyle comments;
};

/// By file name, then by extension; "x.h.in" is taken for "x.h". Never fails: what is unknown is
/// Prose without a name.
const Language& language_of_path(std::string_view path);

/// By a fence's info string, or its first word: "cpp", "Python", "rust,no_run", "{.py}". nullptr if
/// it is none we know.
const Language* language_of_fence(std::string_view info);

}  // namespace kw::indexer
