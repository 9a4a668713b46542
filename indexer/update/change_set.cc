// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/update/change_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace kw::indexer {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
// A server's clock may be ahead of ours; a day is more than any that is set at all.
constexpr std::int64_t kClockSkew = 86'400 * kSecond;

/// Files that the last run left out for what they hold, by path.
using KnownSkips = std::unordered_map<std::string, const SkippedFile*>;

KnownSkips known_skips(const RunStatus& last) {
  KnownSkips known;
  for (const SkippedFile& file : last.skipped)
    if (file.stamp) known.emplace(file.path, &file);
  return known;
}

std::optional<SkipReason> content_skip(const SkippedFile& file) {
  for (const SkipReason reason : {SkipReason::Binary, SkipReason::Generated})
    if (file.reason == text_of(reason)) return reason;
  return std::nullopt;
}

class ChangeSetBuilder {
 public:
  ChangeSetBuilder(const WalkResult& tree, const RunStatus& last, std::int64_t now_ns,
                   bool other_source)
      : tree_(tree),
        last_(last),
        known_(known_skips(last)),
        now_ns_(now_ns),
        other_source_(other_source) {}

  FileChange in_tree_only(FoundFile& found) const {
    FileChange file = change(ChangeKind::New, found.path, found.stamp);
    if (const auto it = known_.find(file.path); it != known_.end()) {
      const FileStat& before = *it->second->stamp;
      const auto reason = content_skip(*it->second);
      if (reason && before.same_file(found.stamp) && !is_racy(before, now_ns_)) {
        file.kind = ChangeKind::Skipped;
        file.skip = reason;
        file.found = std::make_unique<FileStat>(before);  // with the time of the run that read it
      }
    }
    return file;
  }

  FileChange in_both(const StoredFile& stored, FoundFile& found) const {
    FileChange file = change(kind_of(stored, found.stamp), found.path, found.stamp);
    file.docid = stored.docid;
    file.loss = stored.stamp.loss;
    if (file.must_be_read()) file.stored = std::make_unique<FileStat>(stored.stamp);
    if (file.kind == ChangeKind::Changed) file.found = std::make_unique<FileStat>(found.stamp);
    return file;
  }

  FileChange in_index_only(StoredFile& stored) const {
    FileChange file = change(ChangeKind::Gone, stored.path, stored.stamp);
    file.docid = stored.docid;
    file.loss = stored.stamp.loss;
    for (const SkippedPath& skipped : tree_.skipped)
      if (skipped.reason == SkipReason::Unreadable && file.path.size() > skipped.path.size() &&
          file.path.starts_with(skipped.path) && file.path[skipped.path.size()] == '/')
        file.skip = SkipReason::Unreadable;
    return file;
  }

 private:
  static FileChange change(ChangeKind kind, std::string& path, const FileStat& stamp) {
    FileChange file;
    file.path = std::move(path);
    file.size = stamp.size;
    file.kind = kind;
    return file;
  }

  ChangeKind kind_of(const StoredFile& stored, const FileStat& found) const {
    if (!stored.stamp.same_file(found)) return ChangeKind::Changed;
    if (stored.stamp.loss == SymbolLoss::Once ||
        (stored.stamp.loss == SymbolLoss::Twice && other_source_))
      return ChangeKind::Retry;
    FileStat verified = stored.stamp;
    if (const auto it = last_.clean.find(stored.path); it != last_.clean.end())
      verified.seen_ns = std::max(verified.seen_ns, it->second);
    return is_racy(verified, now_ns_) ? ChangeKind::Racy : ChangeKind::Same;
  }

  const WalkResult& tree_;
  const RunStatus& last_;
  KnownSkips known_;
  std::int64_t now_ns_;
  bool other_source_;
};

std::string changed_text(const FileStat& before, const FileStat& now) {
  if (before.size != now.size) return fmt::format("size {} -> {}", before.size, now.size);
  if (before.mtime_ns != now.mtime_ns) return "mtime";
  if (before.inode != now.inode) return "another inode";
  return "ctime";
}

}  // namespace

std::int64_t time_granularity_ns(std::int64_t time_ns) {
  return time_ns % kSecond == 0 ? 2 * kSecond : kSecond / 50;
}

bool is_racy(const FileStat& stamp, std::int64_t now_ns) {
  const auto hides_a_change = [&](std::int64_t time_ns) {
    return stamp.seen_ns <= time_ns + time_granularity_ns(time_ns) &&
           time_ns <= now_ns + kClockSkew;
  };
  return hides_a_change(stamp.mtime_ns) || hides_a_change(stamp.ctime_ns);
}

ChangeSet build_change_set(std::vector<StoredFile> stored, WalkResult tree, const RunStatus& last,
                           std::int64_t now_ns, bool other_source) {
  const ChangeSetBuilder planner(tree, last, now_ns, other_source);
  ChangeSet plan;
  plan.reserve(std::max(stored.size(), tree.files.size()) + tree.skipped.size());
  auto s = stored.begin();
  auto f = tree.files.begin();
  while (s != stored.end() || f != tree.files.end()) {
    if (s == stored.end() || (f != tree.files.end() && f->path < s->path))
      plan.push_back(planner.in_tree_only(*f++));
    else if (f == tree.files.end() || s->path < f->path)
      plan.push_back(planner.in_index_only(*s++));
    else
      plan.push_back(planner.in_both(*s++, *f++));
  }
  // What the walk skipped is either new in the plan or turns a Gone into the reason why.
  const std::size_t merged = plan.size();
  for (const SkippedPath& skipped : tree.skipped) {
    const auto end = plan.begin() + static_cast<std::ptrdiff_t>(merged);
    const auto at =
        std::lower_bound(plan.begin(), end, skipped.path,
                         [](const FileChange& a, const std::string& b) { return a.path < b; });
    if (at != end && at->path == skipped.path) {
      at->kind = ChangeKind::Skipped;
      at->skip = skipped.reason;
    } else {
      FileChange& file = plan.emplace_back();
      file.path = skipped.path;
      file.kind = ChangeKind::Skipped;
      file.skip = skipped.reason;
    }
  }
  std::inplace_merge(plan.begin(), plan.begin() + static_cast<std::ptrdiff_t>(merged), plan.end(),
                     [](const FileChange& a, const FileChange& b) { return a.path < b.path; });
  return plan;
}

std::string reason_text(const FileChange& file) {
  switch (file.kind) {
    case ChangeKind::New:
      return {};
    case ChangeKind::Changed:
      return changed_text(*file.stored, *file.found);
    case ChangeKind::Racy:
      return "racy: changed in the tick it was recorded";
    case ChangeKind::Retry:
      return file.loss == SymbolLoss::Once
                 ? "ctags failed on it last time"
                 : "ctags failed on it twice; ctags or the machine is another";
    case ChangeKind::Same:
      return {};
    case ChangeKind::Skipped:
      return std::string(text_of(*file.skip));
    case ChangeKind::Gone:
      return file.skip ? "its folder is unreadable" : "";
  }
  return {};
}

}  // namespace kw::indexer
