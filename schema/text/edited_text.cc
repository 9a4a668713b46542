// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/edited_text.h"

#include <algorithm>
#include <iterator>

namespace kw {

EditedText::EditedText(std::string_view original, const std::vector<TextEdit>& edits)
    : original_(original) {
  changes_.reserve(edits.size());
  for (const TextEdit& edit : edits)
    replace(edit.offset, edit.offset + edit.removed, edit.inserted);
  finish();
}

void EditedText::replace(std::size_t begin, std::size_t end, std::string_view by) {
  if (copy_.empty()) copy_.reserve(original_.size());
  copy_ += original_.substr(copied_, begin - copied_);
  const std::size_t at = copy_.size();
  copy_ += by;
  changes_.push_back({at, copy_.size(), begin, end});
  copied_ = end;
}

void EditedText::finish() {
  if (!changes_.empty()) copy_ += original_.substr(copied_);
}

const EditedText::Change* EditedText::last_change_before(std::size_t at) const {
  const auto after = std::upper_bound(changes_.begin(), changes_.end(), at,
                                      [](std::size_t a, const Change& c) { return a < c.begin; });
  return after == changes_.begin() ? nullptr : &*std::prev(after);
}

EditedText::Range EditedText::in_original(std::size_t begin, std::size_t end) const {
  Range range{begin, end};
  if (const Change* const c = last_change_before(begin))
    range.begin = begin < c->end ? c->original_begin : c->original_end + (begin - c->end);
  if (begin == end) return {range.begin, range.begin};
  if (const Change* const c = last_change_before(end - 1))
    range.end = end <= c->end ? c->original_end : c->original_end + (end - c->end);
  return range;
}

}  // namespace kw
