// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/text_scan.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace kw {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

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

ByteFinder::ByteFinder(std::string_view text, std::bitset<128> bytes) : text_(text) {
  for (std::size_t c = 'a'; c <= 'z'; ++c)
    if (bytes[c]) bytes.set(c - 'a' + 'A');
  for (std::size_t c = 0; c < 128; ++c)
    if (bytes[c]) next_.push_back({static_cast<char>(c), find(static_cast<char>(c), 0)});
}

std::size_t ByteFinder::next(std::size_t at) {
  if (high_ < at || at == 0) high_ = find_high(at);
  std::size_t first = high_;
  for (Next& n : next_) {
    if (n.at < at) n.at = find(n.byte, at);
    first = std::min(first, n.at);
  }
  return first;
}

std::size_t ByteFinder::find(char byte, std::size_t from) const {
  return std::min(text_.find(byte, from), text_.size());
}

std::size_t ByteFinder::find_high(std::size_t at) const {
  for (std::uint64_t eight; at + sizeof eight <= text_.size(); at += sizeof eight) {
    std::memcpy(&eight, text_.data() + at, sizeof eight);
    if (eight & 0x8080808080808080) break;
  }
  while (at < text_.size() && static_cast<signed char>(text_[at]) >= 0) ++at;
  return at;
}

bool may_hold(std::string_view text, std::string_view piece) {
  if (piece.empty()) return true;
  std::bitset<128> begins;
  begins.set(static_cast<unsigned char>(piece[0]));
  ByteFinder finder(text, begins);
  for (std::size_t at = 0; (at = finder.next(at)) < text.size(); ++at)
    if (starts_with_folded(text.substr(at), piece)) return true;
  // The two letters beyond ASCII that fold into it: long s, and the sign of kelvin.
  return (piece.find('s') != piece.npos && text.find("\u017f") != text.npos) ||
         (piece.find('k') != piece.npos && text.find("\u212a") != text.npos);
}

}  // namespace kw
