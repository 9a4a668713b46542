// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/classic.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory_resource>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::exporter {
namespace {

enum Class : std::uint8_t { kOther, kWord, kCapital, kHigh };

constexpr auto kClasses = [] {
  std::array<std::uint8_t, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[c] = kWord;
  for (int c = 'A'; c <= 'Z'; ++c) table[c] = kCapital;
  for (int c = '0'; c <= '9'; ++c) table[c] = kWord;
  table['_'] = kWord;
  for (int c = 128; c < 256; ++c) table[c] = kHigh;
  return table;
}();
Class class_of(char c) { return static_cast<Class>(kClasses[static_cast<unsigned char>(c)]); }
bool is_ascii_word(Class c) { return c == kWord || c == kCapital; }

/// Python's isalnum for characters beyond ASCII. Not word_char_length of the splitter, which takes
/// marks too: names in Devanagari must not fall apart there, but here the old pages decide.
bool is_letter_or_number(utf8proc_int32_t c) {
  const auto category = utf8proc_category(c);
  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
         (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO);
}

/// The length in bytes of the word character beyond ASCII that begins at `at`; 0 where none does.
std::size_t word_length_at(std::string_view text, std::size_t at) {
  utf8proc_int32_t value = 0;
  const auto n = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                                  static_cast<utf8proc_ssize_t>(text.size() - at), &value);
  return n > 1 && is_letter_or_number(value) ? static_cast<std::size_t>(n) : 0;
}

/// True if a word character beyond ASCII ends before `at`.
bool word_ends_at(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 4;  // bytes of a character
  for (std::size_t n = 2; n <= std::min(at, kLongest); ++n)
    if (!is_continuation(text[at - n])) return word_length_at(text, at - n) == n;
  return false;
}

/// Calls `found` for each match. A match begins and ends at a word boundary and holds word
/// characters only, so it is a whole run of them: one of ASCII alone that begins with a capital.
/// Capitals are looked for and all else passed over: most of a text is small letters and blanks.
template <class Found>
void for_each_match(std::string_view text, Found&& found) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (class_of(text[i]) != kCapital) continue;
    const std::size_t begin = i;
    while (i < text.size() && is_ascii_word(class_of(text[i]))) ++i;
    const Class before = begin > 0 ? class_of(text[begin - 1]) : kOther;
    const Class behind = i < text.size() ? class_of(text[i]) : kOther;
    if (is_ascii_word(before) || (before == kHigh && word_ends_at(text, begin))) continue;
    if (behind == kHigh && word_length_at(text, i) > 0) continue;
    found(text.substr(begin, i - begin));
  }
}

struct Candidate {
  std::string_view name;
  bool defined = false;
  bool code_like = false;
  std::uint32_t count = 0;
};

bool is_more_salient(const Candidate& a, const Candidate& b) {
  return std::tie(b.defined, b.code_like, b.count, a.name) <
         std::tie(a.defined, a.code_like, a.count, b.name);
}

}  // namespace

std::vector<std::string_view> classic_matches(std::string_view text) {
  std::vector<std::string_view> matches;
  for_each_match(text, [&](std::string_view match) { matches.push_back(match); });
  return matches;
}

std::vector<std::string> classic_keywords(const FileRecord& record, std::size_t limit) {
  std::pmr::monotonic_buffer_resource nodes;
  std::pmr::unordered_map<std::string_view, std::uint32_t> counts(&nodes);
  for_each_match(record.text, [&](std::string_view match) { ++counts[match]; });

  std::vector<Candidate> candidates;
  candidates.reserve(counts.size());
  for (const auto& [name, count] : counts) candidates.push_back({name, false, false, count});
  if (limit > 0 && candidates.size() > limit) {
    std::unordered_set<std::string_view> defined;
    for (const Definition& d : record.definitions) defined.insert(d.name);
    for (Candidate& c : candidates) {
      c.defined = defined.contains(c.name);
      c.code_like = is_code_like(c.name);
    }
    std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(limit),
                     candidates.end(), is_more_salient);
    candidates.resize(limit);
  }

  std::vector<std::string> keywords;
  keywords.reserve(candidates.size());
  for (const Candidate& c : candidates) keywords.emplace_back(c.name);
  std::sort(keywords.begin(), keywords.end());
  return keywords;
}

}  // namespace kw::exporter
