// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/walk/walker.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "indexer/walk/ignore.h"
#include "indexer/walk/tree_walk.h"
#include "schema/base/bounds.h"
#include "schema/base/parallel.h"
#include "schema/text/text.h"

namespace kw::indexer {
namespace {
/// More would wait for the file system.
constexpr unsigned kMostThreads = 4;
constexpr std::chrono::milliseconds kProgressTime{100};

/// The rules of --include or --exclude. They come from a person, who is told of a glob that cannot
/// work.
Result<RuleList> parse_globs(const std::vector<std::string>& globs) {
  if (globs.size() > kMaxGlobs)
    return Error{ErrorCode::Usage,
                 fmt::format("{} globs of one kind, {} are taken", globs.size(), kMaxGlobs),
                 "put them into a file .kwignore"};
  RuleList rules;
  for (const std::string& glob : globs) {
    const bool added = KW_TRY(rules.add(glob));
    if (!added)
      return Error{ErrorCode::Usage,
                   fmt::format("bad glob '{}': it names nothing", printable(glob)),
                   "put a '\\' before a '#' that begins a name"};
  }
  return rules;
}

/// Merges what another thread found into `found`, which is sorted.
void append(WalkResult& found, WalkResult more) {
  const auto merge = [](auto& all, auto& added, const auto& is_before) {
    const auto middle = static_cast<std::ptrdiff_t>(all.size());
    all.insert(all.end(), std::make_move_iterator(added.begin()),
               std::make_move_iterator(added.end()));
    std::inplace_merge(all.begin(), all.begin() + middle, all.end(), is_before);
  };
  merge(found.files, more.files,
        [](const FoundFile& a, const FoundFile& b) { return a.path < b.path; });
  merge(found.folders, more.folders, std::less<>());
  found.skipped.insert(found.skipped.end(), more.skipped.begin(), more.skipped.end());
  found.cut_ignore_files.insert(found.cut_ignore_files.end(), more.cut_ignore_files.begin(),
                                more.cut_ignore_files.end());
}

void put_in_order(WalkResult& found) {
  // A folder that cannot be read stands before what would be in it, not before its own name.
  std::sort(found.skipped.begin(), found.skipped.end(),
            [](const SkippedPath& a, const SkippedPath& b) { return a.path < b.path; });
  // Each thread reads the ignore files above the shared folders.
  std::sort(found.cut_ignore_files.begin(), found.cut_ignore_files.end());
  found.cut_ignore_files.erase(
      std::unique(found.cut_ignore_files.begin(), found.cut_ignore_files.end()),
      found.cut_ignore_files.end());
}

}  // namespace

Result<WalkResult> walk(const std::string& root, const std::string& database_folder,
                        const IndexOptions& options, const WalkProgress& progress,
                        unsigned threads) {
  RuleList include = KW_TRY(parse_globs(options.include));
  for (const std::string& glob : options.include)
    if (glob.ends_with('/'))
      return Error{ErrorCode::Usage,
                   fmt::format("bad glob '{}': --include selects files, and this names a folder",
                               printable(glob)),
                   fmt::format("for the files in it: --include '{}**'", printable(glob))};
  RuleList exclude = KW_TRY(parse_globs(options.exclude));
  const WalkOrder order{root,    database_folder, options, std::move(include), std::move(exclude),
                        progress};
  // A file that is reached by several links counts under its first path: one thread tells which.
  const unsigned most = options.follow ? 1 : std::min(threads, kMostThreads);
  WalkShares shares;
  std::vector<std::future<Result<WalkResult>>> others;
  Result<WalkResult> found = walk_first(order, shares, [&] {
    while (others.size() + 1 < most)
      others.push_back(ask_at_once([&] { return walk_along(order, shares); }));
  });
  for (auto& other : others) {
    while (other.wait_for(kProgressTime) == std::future_status::timeout)
      if (progress) progress(shares.files);
    if (Result<WalkResult> more = other.get(); more && found) append(*found, std::move(*more));
  }
  if (found) put_in_order(*found);
  return found;
}

}  // namespace kw::indexer
