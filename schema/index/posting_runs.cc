// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/posting_runs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "schema/index/glass_packer.h"
#include "schema/index/spool.h"

namespace kw {
namespace {

// Each has a descriptor, of the usual 1,024, and a buffer of 32 KiB.
constexpr std::size_t kMergeAtOnce = 256;

/// Goes through the lists of one run.
class RunCursor {
 public:
  explicit RunCursor(const PostingRun& run) : in_(run.path), before_(run.documents_before) {}

  /// False at the end.
  bool next() {
    if (in_.at_end()) return false;
    term_.resize(in_.number());
    term_ += in_.string();
    list_.term = term_;
    list_.documents = in_.number();
    list_.occurrences = in_.number();
    list_.first = before_ + static_cast<std::uint32_t>(in_.number());
    list_.last = list_.first + static_cast<std::uint32_t>(in_.number());
    list_.list = in_.string();
    head_ = head_of(term_);
    return true;
  }

  const PostingList& list() const { return list_; }
  int compare(const RunCursor& other) const {
    if (head_ != other.head_) return head_ < other.head_ ? -1 : 1;
    return term_.compare(other.term_);
  }

 private:
  SpoolReader in_;
  std::uint32_t before_;
  std::string term_;
  PostingList list_;
  std::uint64_t head_ = 0;  // of the term
};

void merge_some(const PostingRun* begin, const PostingRun* end,
                const std::function<void(const PostingList&)>& take) {
  std::vector<RunCursor> cursors;
  cursors.reserve(static_cast<std::size_t>(end - begin));
  std::vector<std::size_t> heap, same;  // numbers of cursors; those of one term
  const auto is_after = [&](std::size_t a, std::size_t b) {
    const int order = cursors[a].compare(cursors[b]);
    return order != 0 ? order > 0 : a > b;
  };
  for (const PostingRun* run = begin; run < end; ++run) {
    cursors.emplace_back(*run);
    if (!cursors.back().next()) continue;
    heap.push_back(cursors.size() - 1);
  }
  std::make_heap(heap.begin(), heap.end(), is_after);
  std::string joined;
  while (!heap.empty()) {
    same.clear();
    do {
      std::pop_heap(heap.begin(), heap.end(), is_after);
      same.push_back(heap.back());
      heap.pop_back();
    } while (!heap.empty() && cursors[heap.front()].compare(cursors[same.front()]) == 0);
    PostingList all = cursors[same.front()].list();
    if (same.size() > 1) {
      joined = all.list;
      for (std::size_t i = 1; i < same.size(); ++i) {
        const PostingList& more = cursors[same[i]].list();
        pack_number(joined, more.first - all.last - 1);
        joined += more.list;
        all.documents += more.documents;
        all.occurrences += more.occurrences;
        all.last = more.last;
      }
      all.list = joined;
    }
    take(all);
    for (const std::size_t cursor : same) {
      if (!cursors[cursor].next()) continue;
      heap.push_back(cursor);
      std::push_heap(heap.begin(), heap.end(), is_after);
    }
  }
  for (const PostingRun* run = begin; run < end; ++run) ::unlink(run->path.c_str());
}

}  // namespace

void RunWriter::add(const PostingList& list) {
  const auto [a, b] =
      std::mismatch(list.term.begin(), list.term.end(), before_.begin(), before_.end());
  const auto shared = static_cast<std::size_t>(a - list.term.begin());
  out_.number(shared);
  out_.string(list.term.substr(shared));
  out_.number(list.documents);
  out_.number(list.occurrences);
  out_.number(list.first);
  out_.number(list.last - list.first);
  out_.string(list.list);
  before_ = list.term;
}

void merge_runs(std::vector<PostingRun> runs, const std::string& scratch,
                const std::function<void(const PostingList&)>& take) {
  for (int level = 0; runs.size() > kMergeAtOnce; ++level) {
    std::vector<PostingRun> merged;
    for (std::size_t i = 0; i < runs.size(); i += kMergeAtOnce) {
      merged.push_back({fmt::format("{}-{}-{}", scratch, level, merged.size()), 0});
      RunWriter out(merged.back().path);
      merge_some(runs.data() + i, runs.data() + std::min(i + kMergeAtOnce, runs.size()),
                 [&](const PostingList& list) { out.add(list); });
      out.finish();
    }
    runs = std::move(merged);
  }
  merge_some(runs.data(), runs.data() + runs.size(), take);
}

}  // namespace kw
