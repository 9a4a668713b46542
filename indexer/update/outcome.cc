// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/update/outcome.h"

namespace kw::indexer {

std::vector<FileOutcome> initial_outcomes(const ChangeSet& plan) {
  std::vector<FileOutcome> outcomes;
  outcomes.reserve(plan.size());
  for (const FileChange& file : plan) {
    FileOutcome& outcome = outcomes.emplace_back();
    switch (file.kind) {
      case ChangeKind::New:
      case ChangeKind::Changed:
      case ChangeKind::Racy:
      case ChangeKind::Retry:
      case ChangeKind::Same:
        outcome.size = file.stored ? file.stored->size : file.size;
        outcome.loss = file.loss;
        break;
      case ChangeKind::Skipped:
        outcome.kind = OutcomeKind::LeftOut;
        if (file.found) outcome.stamp = std::make_unique<FileStat>(*file.found);
        outcome.skip = file.skip;
        break;
      case ChangeKind::Gone:
        outcome.kind = OutcomeKind::Gone;
        break;
    }
  }
  return outcomes;
}

FileOutcome outcome_of(const Made& made) {
  FileOutcome outcome;
  if (const auto* entry = std::get_if<IndexEntry>(&made)) {
    outcome.kind = OutcomeKind::Indexed;
    outcome.size = entry->stamp.size;
    outcome.loss = entry->stamp.loss;
  } else if (const auto* same = std::get_if<SameContent>(&made)) {
    outcome.kind = OutcomeKind::SameContent;
    outcome.size = same->stamp.size;
    outcome.loss = same->stamp.loss;
    outcome.stamp = std::make_unique<FileStat>(same->stamp);
  } else if (const auto* left_out = std::get_if<LeftOut>(&made)) {
    outcome.kind = OutcomeKind::LeftOut;
    if (left_out->stamp) outcome.stamp = std::make_unique<FileStat>(*left_out->stamp);
    outcome.skip = left_out->reason;
  } else {
    outcome.kind = OutcomeKind::Gone;
  }
  return outcome;
}

}  // namespace kw::indexer
