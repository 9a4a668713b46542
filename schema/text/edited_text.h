// SPDX-License-Identifier: GPL-2.0-or-later
// A text with some of its bytes replaced by others, and the way back to the bytes of the original.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kw {

/// Bytes that others stand for.
struct TextEdit {
  std::uint32_t offset = 0;   ///< in the original
  std::uint32_t removed = 0;  ///< bytes from there on
  std::string inserted;       ///< in their place

  bool operator==(const TextEdit&) const = default;
};

/// The original must outlive it: where nothing is replaced, it is not copied.
class EditedText {
 public:
  explicit EditedText(std::string_view original) : original_(original) {}
  /// `edits` in order, none overlapping another, all within the original.
  EditedText(std::string_view original, const std::vector<TextEdit>& edits);

  /// Replaces bytes [begin, end) of the original, which lie behind all that were replaced before.
  void replace(std::size_t begin, std::size_t end, std::string_view by);
  /// To be called behind the last replace().
  void finish();

  std::string_view view() const { return changes_.empty() ? original_ : std::string_view(copy_); }
  bool is_changed() const { return !changes_.empty(); }

  /// The bytes [begin, end) of view() in the original; what lies within a replacement stands for
  /// the whole of what was replaced.
  struct Range {
    std::size_t begin, end;
  };
  Range in_original(std::size_t begin, std::size_t end) const;

  /// What was replaced.
  struct Change {
    std::size_t begin, end;  ///< in view()
    std::size_t original_begin, original_end;
  };
  /// In order.
  const std::vector<Change>& changes() const { return changes_; }

 private:
  const Change* last_change_before(std::size_t at) const;

  std::string_view original_;
  std::string copy_;
  std::size_t copied_ = 0;  // bytes of the original that copy_ stands for
  std::vector<Change> changes_;
};

}  // namespace kw
