// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/command/summary.h"

#include <fmt/format.h>

#include "schema/text/text.h"

namespace kw::indexer {
namespace {

std::string files_text(std::uint64_t n) {
  return fmt::format("{} {}", with_thousands(n), n == 1 ? "file" : "files");
}

/// The word and the reason of one line of --explain.
struct Explanation {
  std::string_view word;
  std::string reason;
};

Explanation explain_file(const FileChange& file, const FileOutcome& outcome,
                         const std::function<bool(const std::string&)>& in_tree) {
  const std::string planned = reason_text(file);
  switch (outcome.kind) {
    case OutcomeKind::Kept:
      return {"same", planned};
    case OutcomeKind::Indexed:
      if (!file.docid) return {"new", {}};
      return file.must_be_read() ? Explanation{"changed", planned} : Explanation{"rebuilt", {}};
    case OutcomeKind::SameContent:
      if (file.kind == ChangeKind::Changed) return {"same", "touched, same content: " + planned};
      return {"same", planned.empty() ? planned : planned + "; same content"};
    case OutcomeKind::LeftOut:
      return {"skipped", std::string(text_of(*outcome.skip))};
    case OutcomeKind::Gone:
      if (planned.empty() && file.kind == ChangeKind::Gone && in_tree(file.path))
        return {"gone", "left out by ignore rules or options"};
      return {"gone", file.kind == ChangeKind::Gone ? planned : "vanished during the run"};
  }
  return {};
}

}  // namespace

std::uint64_t RunSummary::skipped_files() const {
  std::uint64_t sum = 0;
  for (const auto& [reason, n] : skipped) sum += n;
  return sum;
}

RunSummary summarize(const ChangeSet& plan, const std::vector<FileOutcome>& outcomes) {
  RunSummary summary;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const bool was_there = plan[i].docid != 0;
    bool is_there = true;
    switch (outcomes[i].kind) {
      case OutcomeKind::Kept:
      case OutcomeKind::SameContent:
        break;
      case OutcomeKind::Indexed:
        ++(was_there ? summary.rewritten : summary.added);
        break;
      case OutcomeKind::LeftOut:
        ++summary.skipped[*outcomes[i].skip];
        is_there = false;
        break;
      case OutcomeKind::Gone:
        is_there = false;
        break;
    }
    if (is_there) {
      ++summary.files;
      summary.bytes += outcomes[i].size;
    } else if (was_there) {
      ++summary.removed;
    }
  }
  return summary;
}

std::string to_json(const RunSummary& s) {
  return fmt::format(
      R"({{"indexed":{},"unchanged":{},"removed":{},"skipped":{},"files":{},"bytes":{},"seconds":{:.3f}}})"
      "\n",
      s.indexed(), s.files - s.indexed(), s.removed, s.skipped_files(), s.files, s.bytes,
      s.seconds);
}

std::string to_text(const RunSummary& s) {
  std::string changes;
  const auto add = [&changes](std::uint64_t n, const char* word) {
    if (n > 0)
      changes += fmt::format("{}{} {}", changes.empty() ? "" : ", ", with_thousands(n), word);
  };
  add(s.added, "new");
  add(s.rewritten, "changed");
  add(s.removed, "removed");
  add(s.files - s.indexed(), "unchanged");
  std::string text =
      fmt::format("{} {} of {} ({}){} in {:.2f} s{}{}\n", s.dry_run ? "would index" : "indexed",
                  with_thousands(s.indexed()), files_text(s.files), human_size(s.bytes),
                  s.root.empty() ? "" : " of " + printable(s.root), s.seconds,
                  changes.empty() ? "" : ": ", changes);
  if (s.skipped.empty()) return text;
  text += fmt::format("skipped {}:", files_text(s.skipped_files()));
  const char* separator = " ";
  for (const auto& [reason, n] : s.skipped) {
    text += fmt::format("{}{} {}", separator, with_thousands(n), text_of(reason));
    separator = ", ";
  }
  return text + "\n";
}

std::string explain(const ChangeSet& plan, const std::vector<FileOutcome>& outcomes,
                    const std::function<bool(const std::string&)>& in_tree) {
  std::string text;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const auto [word, reason] = explain_file(plan[i], outcomes[i], in_tree);
    text += fmt::format("{:<8} {}", word, printable(plan[i].path));
    if (!reason.empty()) text += fmt::format("  ({})", reason);
    text += '\n';
  }
  return text;
}

RunStatus remember(const ChangeSet& plan, const std::vector<FileOutcome>& outcomes,
                   const RunStatus& last) {
  RunStatus status;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const FileOutcome& outcome = outcomes[i];
    if (outcome.kind == OutcomeKind::LeftOut) {
      const std::string reason(text_of(*outcome.skip));
      status.skipped.push_back(
          {plan[i].path, reason, outcome.stamp ? std::optional(*outcome.stamp) : std::nullopt});
      if (hides_text(*outcome.skip)) ++status.unsearched[reason];
    }
    if (is_ctags_failure(outcome.loss)) status.symbols_lost.push_back(plan[i].path);
    if (outcome.loss == SymbolLoss::Limit) status.truncated.push_back(plan[i].path);
    // The index keeps the time of the run that wrote its stat data; a later look at the file counts
    // more.
    if (outcome.kind == OutcomeKind::SameContent && plan[i].kind == ChangeKind::Racy)
      status.clean[plan[i].path] = outcome.stamp->seen_ns;
    if (outcome.kind == OutcomeKind::Kept)
      if (const auto it = last.clean.find(plan[i].path); it != last.clean.end())
        status.clean.insert(*it);
  }
  return status;
}

}  // namespace kw::indexer
