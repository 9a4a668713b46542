// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/query/path_reference.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "schema/text/text.h"

namespace kw::search {
namespace {

/// One way in which programs print a place. Groups: path, line (may be empty), rest.
struct Form {
  RE2 expression;
  bool is_certain;
};

// The first that fits counts: those that say more stand before those that say less.
const std::array<Form, 13>& forms() {
  static const std::array<Form, 13> kForms{{
      // Python: File "/usr/lib/x.py", line 12, in f
      {RE2(R"re(\s*File "([^"]+)", line (\d+)(?:, in )?(.*))re"), true},
      // Pages of forges: https://host/owner/name/blob/main/a/b.py#L12-L20
      {RE2(R"re(https?://[^/\s]+/[^/\s]+/[^/\s]+/(?:-/)?(?:blob|raw|tree|blame|src|edit)/(?:branch/)?[^/\s]+/([^#?\s]+)(?:\?[^#\s]*)?(?:#L?(\d+)\S*)?()\s*)re"),
       true},
      // The header of a diff: +++ b/a/b.py
      {RE2(R"re((?:---|\+\+\+|diff --git) [ab]/(\S+)()(?:\s+[ab]/)?(.*))re"), true},
      {RE2(R"re(\s*file://(?:localhost)?(/[^\s#:]+)(?::(\d+)(?::\d+)?|#L?(?:\d+))?()\s*)re"), true},
      // PHP: #0 /srv/app/x.php(12): f(); C#: in C:\src\x.cs:line 12
      {RE2(R"re((?:#\d+ |.* in )?((?:[A-Za-z]:)?[^\s:()"']*[/\\][^\s:()"']+)(?::line |\()(\d+)(?:,\d+)?\)?:?\s*(.*))re"),
       true},
      // PHP: Uncaught Error: no leaf in /srv/x.php:12, thrown in /srv/x.php on line 12
      {RE2(R"re(.* in ((?:[A-Za-z]:)?[^\s:()"']+\.[A-Za-z]\w*)(?::| on line )(\d+)()\s*)re"), true},
      // JavaScript, Java, gdb: at f (/srv/x.js:12:5), at a.B.c(B.java:12)
      {RE2(R"re(.*[( ]((?:[A-Za-z]:)?[^\s:()"'<>]+\.[A-Za-z]\w*):(\d+)(?::\d+)?\)()\s*)re"), true},
      // Ruby: from x.rb:12:in `f'; Rust: --> src/x.rs:12:5, at src/x.rs:12
      {RE2(R"re(\s*(?:-->|at|from|in|by|ld: |.*\bpanicked at)\s+((?:[A-Za-z]:)?[^\s:()"'<>]+\.[A-Za-z]\w*):(\d+)(?::\d+)?:?\s*(.*))re"),
       true},
      // gdb, sanitizers: #1 0x4f in f(int) a/b.cc:12:5
      {RE2(R"re(\s*#\d+\s.*\s((?:[A-Za-z]:)?[^\s:()"'<>]+\.[A-Za-z]\w*):(\d+)(?::\d+)?()\s*)re"),
       true},
      // Compilers, grep, Go: a/b.cc:12:5: error: no member
      {RE2(R"re(\s*["'`(<\[]*((?:[A-Za-z]:)?[^\s:()"'`<>|*?]*[^\s:()"'`<>|*?\d.][^\s:()"'`<>|*?]*):(\d+)(?:[:,.]\d+)*["'`)>\],.;]*(?:[:\s]+(.*))?)re"),
       true},
      {RE2(R"re(\s*["'`]?((?:[A-Za-z]:)?[^\s:()"'`<>|*?]+)["'`]?,? (?:at |on )?line (\d+)\b,?\s*(.*))re"),
       true},
      // Forges' links without the host: a/b.py#L12-L20
      {RE2(R"re(\s*([^\s:()"'`<>|*?#]+)#L(\d+)(?:-L?\d+)?()\s*)re"), true},
      // A path and nothing else.
      {RE2(R"re(\s*["'`(<\[]*((?:[A-Za-z]:)?[^\s:()"'`<>|*?\[\]#,;]+)["'`)>\]:,;]*()()\s*)re"),
       false},
  }};
  return kForms;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether a name ends in an extension, which begins with a letter: x.py, .gitignore; not 2.6.0.
bool has_extension(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot != std::string_view::npos && dot + 1 < name.size() && name.size() - dot <= 12 &&
         is_letter(name[dot + 1]) &&
         std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; });
}

/// What only looks like a path: e.g., I/O, and/or's single letters, hosts, numbers.
bool is_no_path(const std::vector<std::string>& parts) {
  const bool has_letter = std::any_of(parts.begin(), parts.end(), [](const std::string& p) {
    return std::any_of(p.begin(), p.end(), [](char c) { return is_letter(c) || (c & 0x80); });
  });
  if (!has_letter) return true;
  const bool single =
      std::all_of(parts.begin(), parts.end(), [](const std::string& p) { return p.size() < 2; });
  if (single) return true;
  // Letters with dots between them: e.g, i.e, U.S.A
  const std::string& name = parts.back();
  bool dotted = parts.size() == 1 && name.size() >= 3;
  for (std::size_t i = 0; i < name.size() && dotted; ++i) dotted = (i % 2 == 1) == (name[i] == '.');
  return dotted;
}

}  // namespace

std::vector<std::string> path_parts(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find_first_of("/\\"), path.size());
    const std::string_view name = path.substr(0, end);
    if (!name.empty() && name != "." && name != "..") parts.emplace_back(name);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

std::optional<PathReference> parse_path_reference(std::string_view line) {
  const re2::StringPiece whole(line.data(), line.size());
  for (const Form& form : forms()) {
    re2::StringPiece path, number, rest;
    if (!RE2::FullMatch(whole, form.expression, &path, &number, &rest)) continue;
    PathReference found;
    std::string_view text(path.data(), path.size());
    if (text.size() > 2 && text[1] == ':' && is_letter(text[0])) text.remove_prefix(2);
    // The sides of a diff.
    if (!form.is_certain && text.size() > 4 && (text.starts_with("a/") || text.starts_with("b/")))
      text.remove_prefix(2);
    while (!form.is_certain && !text.empty() && text.back() == '.') text.remove_suffix(1);
    found.parts = path_parts(text);
    if (found.parts.empty() || is_no_path(found.parts)) continue;
    std::from_chars(number.data(), number.data() + number.size(), found.line);
    found.rest = std::string(rest.data(), rest.size());
    found.is_certain = form.is_certain;
    // A bare word with a number behind it ("error:3", "step 1:2") names no file.
    if (found.parts.size() == 1 && !has_extension(found.parts[0])) {
      if (form.is_certain && text.find_first_of("/\\") == std::string_view::npos) continue;
      if (!form.is_certain && text.find_first_of("/\\") == std::string_view::npos) continue;
    }
    if (!form.is_certain && (text.starts_with("//") || line.find("://") != line.npos)) continue;
    return found;
  }
  return std::nullopt;
}

}  // namespace kw::search
