// SPDX-License-Identifier: GPL-2.0-or-later
// Definitions, by universal-ctags as a child process in interactive mode: text in, definitions out, no
// temporary file. The child is not trusted to behave: its time, memory and output are bounded for each
// file, and it is started again after it hung or died. The file then has no definitions, which is counted;
// it is never lost.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/record.h"
#include "schema/result.h"

namespace kw {

/// One ctags child. One thread at a time; each worker has its own.
class SymbolExtractor {
 public:
  /// Starts `program` (looked up in PATH). Fails if it cannot be started or is no universal-ctags with
  /// interactive mode and JSON: the caller warns once and goes on without definitions.
  static Result<SymbolExtractor> start(const std::string& program = "ctags");
  SymbolExtractor(SymbolExtractor&&) noexcept;
  SymbolExtractor& operator=(SymbolExtractor&&) noexcept;
  ~SymbolExtractor();

  /// Definitions of `text`, by line, lines counted from 1 in it. `extension` (file_kind.h) tells ctags the
  /// language. On failure (hang, crash, too much output) the child is replaced and the definitions are
  /// lost.
  Result<std::vector<Definition>> definitions(std::string_view text, std::string_view extension);

  /// "5.9.0", as ctags says it.
  const std::string& version() const;

 private:
  struct Impl;
  explicit SymbolExtractor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kw
