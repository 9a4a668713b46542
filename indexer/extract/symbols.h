// SPDX-License-Identifier: GPL-2.0-or-later
// Definitions, by universal-ctags as a child process in interactive mode: text in, definitions out,
// no temporary file. The child is not trusted to behave: its time, memory and output are bounded
// for each file, and it is started again after it hung or died. The file then has no definitions,
// which is counted; it is never lost.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"
#include "schema/index/record.h"

namespace kw::indexer {

/// One ctags child. One thread at a time; each worker has its own, and starts it itself: the child
/// dies with the thread that started it.
class SymbolExtractor {
 public:
  /// Time for one text, and as much again for each MiB of it. ctags reads some 20 MB/s, and a tenth
  /// of that where a text is nothing but definitions; the rest is for a machine that is slow or
  /// busy, because a text that is given up has no definitions this time.
  static constexpr std::chrono::milliseconds kDeadline{5000};

  /// Starts `program` (looked up in PATH). Fails if it cannot be started or is no universal-ctags
  /// with interactive mode and JSON: the caller warns once and goes on without definitions.
  static Result<SymbolExtractor> start(const std::string& program = "ctags",
                                       std::chrono::milliseconds deadline = kDeadline);
  SymbolExtractor(SymbolExtractor&&) noexcept;
  SymbolExtractor& operator=(SymbolExtractor&&) noexcept;
  ~SymbolExtractor();

  /// Definitions of `text`, by line, then name and kind; lines counted from 1 in it, each name,
  /// kind and line once. Names that ctags makes up for what has none are left out, of scopes too;
  /// so are imports. `extension` (language_table.h) tells ctags the language. On failure (hang,
  /// crash, too much output) the child is replaced at the next call and the definitions are lost;
  /// after several failures in a row it is not, and each call fails at once.
  Result<std::vector<Definition>> definitions(std::string_view text, std::string_view extension);

  /// What decides whether ctags manages a file beside the file itself: the program in PATH, by size
  /// and time, and the processors and memory of the machine. Another text: it may succeed now.
  static std::string source(const std::string& program = "ctags");

  /// "5.9.0", as ctags says it.
  const std::string& version() const;

 private:
  struct Impl;
  explicit SymbolExtractor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kw::indexer
