// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/text_scan.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace kw::search {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_letter_or_digit(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9');
}

// A letter with this bit is a small one. What else it makes equal is told apart later.
unsigned char small(char c) { return static_cast<unsigned char>(c | 0x20); }

}  // namespace

bool starts_with_folded(std::string_view text, std::string_view start) {
  return text.size() >= start.size() && std::equal(start.begin(), start.end(), text.begin(),
                                                   [](char s, char c) { return lower(c) == s; });
}

std::string longest_ascii_run(std::string_view text, std::string_view between) {
  std::string_view longest;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool ends = i == text.size() || static_cast<signed char>(text[i]) < 0 ||
                      between.find(text[i]) != between.npos;
    if (!ends) continue;
    if (i - begin > longest.size()) longest = text.substr(begin, i - begin);
    begin = i + 1;
  }
  return std::string(longest);
}

bool holds_folded(std::string_view text, std::string_view piece) {
  if (piece.empty()) return true;
  for (std::size_t at = 0; at + piece.size() <= text.size(); ++at)
    if (lower(text[at]) == piece[0] && starts_with_folded(text.substr(at), piece)) return true;
  return false;
}

NeedleFinder::NeedleFinder(std::string_view text, std::vector<Needle> probes)
    : text_(text), probes_(std::move(probes)) {
  for (const auto& [probe, begins_word] : probes_) {
    const bool has_second = probe.size() > 1;
    starts_.push_back({small(probe[0]),
                       has_second ? small(probe[1]) : static_cast<unsigned char>(0),
                       static_cast<unsigned char>(has_second ? 0xff : 0)});
  }
}

std::size_t NeedleFinder::next(std::size_t at, std::size_t end) {
  while (at < end) {
    const std::size_t block = at / kBlock * kBlock;
    if (block != block_) look_at_block(block);
    const std::size_t block_end = std::min(block + kBlock, end);
    for (std::uint64_t eight; at < block_end;) {
      if (at % sizeof eight == 0) {
        std::memcpy(&eight, marks_.data() + (at - block), sizeof eight);
        if (eight == 0) {
          at += sizeof eight;
          continue;
        }
      }
      if (marks_[at - block] && begins_here(at)) return at;
      ++at;
    }
  }
  return end;
}

void NeedleFinder::look_at_block(std::size_t begin) {
  block_ = begin;
  std::array<unsigned char, kBlock + 1> bytes = {};
  std::memcpy(bytes.data(), text_.data() + begin, std::min(text_.size() - begin, bytes.size()));
  for (std::size_t i = 0; i < kBlock; ++i) marks_[i] = bytes[i] & 0x80;
  for (unsigned char& byte : bytes) byte |= 0x20;
  for (const Start start : starts_)
    for (std::size_t i = 0; i < kBlock; ++i) {
      // Both in any case, without a branch: the compiler looks at many bytes at once.
      const std::uint8_t first = bytes[i] == start.first;
      const std::uint8_t second = (bytes[i + 1] & start.mask) == start.second;
      marks_[i] |= static_cast<std::uint8_t>(first & second);
    }
}

bool NeedleFinder::begins_here(std::size_t at) const {
  const char here = text_[at], before = at > 0 ? text_[at - 1] : ' ';
  if (static_cast<signed char>(here) < 0) return true;
  const bool inside_word = is_letter_or_digit(before) && !(here >= 'A' && here <= 'Z');
  const unsigned char first = small(here),
                      second = at + 1 < text_.size() ? small(text_[at + 1]) : 0;
  for (std::size_t i = 0; i < starts_.size(); ++i)
    if (starts_[i].first == first && (second & starts_[i].mask) == starts_[i].second &&
        !(probes_[i].begins_word && inside_word) &&
        starts_with_folded(text_.substr(at), probes_[i].text))
      return true;
  return false;
}

bool may_contain(std::string_view text, std::string_view piece) {
  if (piece.empty()) return true;
  NeedleFinder finder(text, {{piece}});
  for (std::size_t at = 0; (at = finder.next(at)) < text.size(); ++at)
    if (static_cast<signed char>(text[at]) >= 0) return true;
  // The two letters beyond ASCII that fold into it: long s, and the sign of kelvin.
  return (piece.find('s') != piece.npos && text.find("\u017f") != text.npos) ||
         (piece.find('k') != piece.npos && text.find("\u212a") != text.npos);
}

}  // namespace kw::search
