// SPDX-License-Identifier: GPL-2.0-or-later
// The table of languages: which files and fences are theirs, how their comments look, and under
// which made-up file name ctags knows them.
#pragma once

#include <cstdint>
#include <string_view>

#include "schema/text/source_lexer.h"

namespace kw {

enum class FileKind {
  Markdown,  ///< parsed by markdown.h: sections, fences, prose
  Source,    ///< code: tokens are identifiers, comments also prose
  Data,      ///< structured data (JSON, YAML, CSV): as Source, without definitions
  Prose      ///< plain text, and everything unknown
};

struct Language {
  std::string_view name;  ///< "python", "c++": as `lang:` asks for it
  FileKind kind = FileKind::Prose;
  std::string_view
      ctags_extension;  ///< "py": ctags takes "x.py" for this language; empty: no definitions
  LexicalStyle lexis;
};

/// By file name, then by extension; "x.h.in" is taken for "x.h". Never fails: what is unknown is
/// Prose without a name.
const Language& language_of_path(std::string_view path);

/// The same, and by the text where the path does not tell: the first line's interpreter (`#!`), the
/// modelines of Emacs and Vim, what a header (C, C++, Objective-C), a `.m` (Objective-C, MATLAB)
/// and a
/// `.ts` (TypeScript, Qt's XML) hold.
const Language& language_of_file(std::string_view path, std::string_view text);

/// The name that the index has for what people call a language: "cpp" -> "c++", "py" -> "python".
/// Empty if it is none.
std::string_view language_name(std::string_view alias);

/// The name of a language that is spelled most like `text`; empty if none is like it.
std::string_view nearest_language(std::string_view text);

/// By a fence's info string, or its first word: "cpp", "Python", "rust,no_run", "{.py}". nullptr if
/// it is none we know.
const Language* language_of_fence(std::string_view info);

}  // namespace kw
