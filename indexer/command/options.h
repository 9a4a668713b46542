// SPDX-License-Identifier: GPL-2.0-or-later
// The command line of kwindex, parsed: a plain struct, so that all behind it is tested without a
// process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "schema/cli/program.h"
#include "schema/index/index_options.h"
#include "schema/index/partition.h"

namespace kw::indexer {

/// Options that choose what an index holds, as they were given; what was not given is taken from
/// the index, or is the default.
struct GivenIndexOptions {
  std::optional<std::vector<std::string>> include;
  std::optional<std::vector<std::string>> exclude;
  std::optional<bool> use_ignore_files;
  std::optional<bool> hidden;
  std::optional<bool> follow;
  std::optional<std::uint64_t> max_file_size;
  std::optional<Symbols> symbols;
  std::optional<std::vector<std::string>> doc_suffixes;
  std::optional<std::string> doc_root;

  /// `stored` with each given option in place of its stored value.
  IndexOptions applied_to(IndexOptions stored) const;
};

/// What a call of kwindex is for.
enum class KwindexTask {
  Index,
  Status,   ///< say what there is
  Skipped,  ///< list what the last run left out
  Check,    ///< verify the index
  Watch     ///< index, and again whenever the tree changes
};

struct KwindexOptions {
  KwindexTask task = KwindexTask::Index;
  cli::CommonOptions common;
  std::string root;      ///< empty: the one of the index
  std::string database;  ///< --db; empty: in the root, or the nearest above
  std::optional<Partition> shard;
  GivenIndexOptions index;
  GivenIndexOptions to_store;  ///< of `index`, what the command line gave
  bool reset = false;          ///< stored options count no more
  bool rebuild = false;
  bool shared = false;
  bool trust = false;  ///< an index without a record is taken as the user's own
  bool allow_empty = false;
  bool dry_run = false;
  bool explain = false;
  bool json = false;
  unsigned jobs = 0;  ///< 0: as many as cores
  double wait_seconds = 0;
  double scan_seconds = 60;  ///< between scans of --watch beside what the system tells; 0: none
  std::string then;          ///< a shell command for when the index has changed; empty: none
  std::optional<bool> progress;
};

/// The options, or the code to exit with: then all is said (help, version, an error).
std::variant<KwindexOptions, ExitCode> parse_kwindex_options(int argc, const char* const* argv);

}  // namespace kw::indexer
