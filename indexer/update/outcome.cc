// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/update/outcome.h"

namespace kw::indexer {

std::vector<FileOutcome> initial_outcomes(const ChangeSet& plan) {
  std::vector<FileOutcome> outcomes;
  outcomes.reserve(plan.size());
  for (const FileChange& file : plan) {
    switch (file.kind) {
      case ChangeKind::New:
      case ChangeKind::Changed:
      case ChangeKind::Racy:
      case ChangeKind::Retry:
      case ChangeKind::Same:
        outcomes.push_back({OutcomeKind::Kept, file.stored, {}});
        break;
      case ChangeKind::Skipped:
        outcomes.push_back({OutcomeKind::LeftOut, file.found, file.skip});
        break;
      case ChangeKind::Gone:
        outcomes.push_back({OutcomeKind::Gone, {}, {}});
        break;
    }
  }
  return outcomes;
}

FileOutcome outcome_of(const Made& made) {
  if (const auto* entry = std::get_if<IndexEntry>(&made))
    return {OutcomeKind::Indexed, entry->stamp, {}};
  if (const auto* same = std::get_if<SameContent>(&made))
    return {OutcomeKind::SameContent, same->stamp, {}};
  if (const auto* left_out = std::get_if<LeftOut>(&made))
    return {OutcomeKind::LeftOut, left_out->stamp, left_out->reason};
  return {OutcomeKind::Gone, {}, {}};
}

}  // namespace kw::indexer
