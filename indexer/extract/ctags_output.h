// SPDX-License-Identifier: GPL-2.0-or-later
// Reads what ctags says in interactive mode: a line of JSON a definition. Nothing of it is trusted:
// the texts that it was given may come from anywhere. Who asks ctags: symbols.cc.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/index/record.h"

namespace kw::indexer {

/// Keeps buffers: best used for many answers, by one thread at a time. kPadding more bytes after
/// each answer must be readable.
class CtagsOutputParser {
 public:
  static constexpr std::size_t kPadding = 64;

  CtagsOutputParser();
  CtagsOutputParser(CtagsOutputParser&&) noexcept;
  CtagsOutputParser& operator=(CtagsOutputParser&&) noexcept;
  ~CtagsOutputParser();

  /// The version in the line that it begins with; nothing if it is another program.
  std::optional<std::string> version(std::string_view greeting);

  /// The definitions of one text, as SymbolExtractor::definitions promises them. Nothing if a line
  /// is no JSON.
  std::optional<std::vector<Definition>> definitions(std::string_view answer);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kw::indexer
