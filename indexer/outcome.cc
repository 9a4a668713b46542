// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/outcome.h"

namespace kw {

std::vector<FileOutcome> initial_outcomes(const Plan& plan) {
  std::vector<FileOutcome> outcomes;
  outcomes.reserve(plan.size());
  for (const PlannedFile& file : plan) {
    switch (file.kind) {
      case PlanKind::New:
      case PlanKind::Changed:
      case PlanKind::Racy:
      case PlanKind::Retry:
      case PlanKind::Same:
        outcomes.push_back({OutcomeKind::Kept, file.stored, {}});
        break;
      case PlanKind::Skipped:
        outcomes.push_back({OutcomeKind::LeftOut, file.found, file.skip});
        break;
      case PlanKind::Gone:
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

}  // namespace kw
