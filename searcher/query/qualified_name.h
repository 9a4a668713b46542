// SPDX-License-Identifier: GPL-2.0-or-later
// Reads a name with what stands before it: `A.b`, `a::B::c`, `A#b`, a call, a decorator, a generic
// type, an assignment, a line that imports or includes. Pure text: qualified_lookup.h finds it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kw::search {

struct QualifiedName {
  std::vector<std::string> scope;  ///< the parts before the name, outermost first; may be empty
  std::string name;                ///< the last part
  std::string sign;                ///< behind it, maybe a part of it: "?" or "!" (Ruby, Rust)
  std::string text;                ///< as it stands in code: "torch.nn.Linear", "A::b"
  std::string form;                ///< for --explain: "qualified name", "call", "import" ...
  bool can_be_module = false;      ///< the whole may name a module or a file: no call
  std::vector<std::string> path;   ///< of `#include` and of `import x from "path"`: what it names
};

/// The name that one line of code refers to. Nothing for words, numbers, versions (2.6.0),
/// abbreviations (e.g., C#), addresses, and what has other signs in it.
std::optional<QualifiedName> parse_qualified_name(std::string_view line);

}  // namespace kw::search
