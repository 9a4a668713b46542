// SPDX-License-Identifier: GPL-2.0-or-later
// The options that choose what an index holds. They are stored in it, and read by the searcher and
// exporter where they need them (documentation suffixes). The next run uses again what command
// lines set; what a configuration file set is taken from the file anew, so both are kept where they
// differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"
#include "schema/index/record.h"

namespace kw {

/// Latin-1 doubles when it becomes UTF-8, and the text must still fit into a record.
inline constexpr std::uint64_t kMaxFileSizeLimit = kMaxTextBytes / 2;

enum class Symbols { Ctags, None };

struct IndexOptions {
  std::vector<std::string>
      include;  ///< globs; if there are any, only files that match one are indexed
  std::vector<std::string> exclude;        ///< globs of files and folders that are left out
  bool use_ignore_files = true;            ///< --no-ignore clears it
  bool hidden = false;                     ///< names that begin with a dot, too
  bool follow = false;                     ///< symbolic links
  std::uint64_t max_file_size = 8u << 20;  ///< bytes; larger files are left out
  Symbols symbols = Symbols::Ctags;
  std::vector<std::string> doc_suffixes{"_docs.md"};
  std::string doc_root = "docs/";

  bool operator==(const IndexOptions&) const = default;
};

/// A JSON object with sorted keys, by the options' long names; the same options give the same
/// bytes.
std::string to_json(const IndexOptions& options);

/// The same with `stored`, where there are any, as the value of the key "stored".
std::string to_json(const IndexOptions& options, const std::optional<IndexOptions>& stored);

/// The inverse; keys that are missing keep their defaults, unknown keys are ignored (a later
/// version's), and a size over kMaxFileSizeLimit becomes that.
Result<IndexOptions> parse_index_options(std::string_view text);

/// The value of "stored"; nothing if there is none that decodes.
std::optional<IndexOptions> parse_stored_options(std::string_view text);

}  // namespace kw
