// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/match/text_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

// clang does not read this header of glibc as C++.
#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>) && !defined(__clang__)
#define KW_AVX2
#include <immintrin.h>
#include <sys/platform/x86.h>  // glibc's
#endif

namespace kw::search {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_letter_or_digit(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9');
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

constexpr std::size_t kBuckets = 8;  // bits of a byte

/// Whether a word inside a name may begin there (splitter.h).
bool may_begin_word(std::string_view text, std::size_t at) {
  const char here = text[at];
  return at == 0 || !is_letter_or_digit(text[at - 1]) || (here >= 'A' && here <= 'Z');
}

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

std::uint64_t characters_of(std::string_view text) {
  std::uint64_t characters = 0;
  for (const char c : text)  // a letter with the bit 0x20 is a small one
    characters |= std::uint64_t{1} << (static_cast<unsigned char>(c | 0x20) % 64);
  return characters;
}

bool holds_folded(std::string_view text, const Needle& needle) {
  const std::string_view piece = needle.text;
  if (piece.empty()) return true;
  for (std::size_t at = 0; at + piece.size() <= text.size(); ++at)
    if (lower(text[at]) == piece[0] && !(needle.begins_word && !may_begin_word(text, at)) &&
        starts_with_folded(text.substr(at), piece))
      return true;
  return false;
}

NeedleFinder::NeedleFinder(std::string_view text, std::vector<Needle> probes)
    : text_(text), probes_(std::move(probes)) {
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    const auto bucket = static_cast<std::uint8_t>(1 << (i % kBuckets));
    for (std::size_t place = 0; place < kLooked; ++place) {
      auto& [low, high] = buckets_[place];
      if (place >= probes_[i].text.size()) {  // any byte
        for (std::uint8_t& half : low) half |= bucket;
        for (std::uint8_t& half : high) half |= bucket;
        continue;
      }
      const char c = probes_[i].text[place];
      for (const char form : {c, upper(c)}) {
        low[static_cast<unsigned char>(form) % 16] |= bucket;
        high[static_cast<unsigned char>(form) / 16] |= bucket;
      }
    }
  }
}

std::size_t NeedleFinder::next(std::size_t at, std::size_t end) {
  while (at < end) {
    const std::size_t block = at / kBlock * kBlock;
    if (block != block_) look_at_block(block);
    const std::uint64_t left = marks_ >> (at - block);
    if (left == 0) {
      at = block + kBlock;
      continue;
    }
    at += static_cast<std::size_t>(std::countr_zero(left));
    if (at < end && begins_here(at)) return at;
    ++at;
  }
  return end;
}

void NeedleFinder::look_at_block(std::size_t begin) {
  block_ = begin;
  constexpr std::size_t kNeeded = kBlock + kLooked - 1;
  if (text_.size() - begin >= kNeeded) {
    marks_ = marks_of_block(reinterpret_cast<const unsigned char*>(text_.data()) + begin, buckets_);
    return;
  }
  std::array<unsigned char, kNeeded> bytes = {};
  std::memcpy(bytes.data(), text_.data() + begin, text_.size() - begin);
  marks_ = marks_of_block(bytes.data(), buckets_);
}

bool NeedleFinder::begins_here(std::size_t at) const {
  const char here = text_[at];
  if (static_cast<signed char>(here) < 0) return true;
  const bool inside_word = !may_begin_word(text_, at);
  unsigned in = buckets_[0].low[static_cast<unsigned char>(here) % 16] &
                buckets_[0].high[static_cast<unsigned char>(here) / 16];
  for (; in != 0; in &= in - 1)
    for (auto i = static_cast<std::size_t>(std::countr_zero(in)); i < probes_.size(); i += kBuckets)
      if (!(probes_[i].begins_word && inside_word) &&
          starts_with_folded(text_.substr(at), probes_[i].text))
        return true;
  return false;
}

std::uint64_t marks_of_block_slowly(const unsigned char* bytes,
                                    const NeedleFinder::Buckets& buckets) {
  std::uint64_t marks = 0;
  for (std::size_t i = 0; i < NeedleFinder::kBlock; ++i) {
    unsigned in = 0xff;
    for (std::size_t place = 0; place < NeedleFinder::kLooked; ++place)
      in &= buckets[place].low[bytes[i + place] % 16] & buckets[place].high[bytes[i + place] / 16];
    if (in != 0 || bytes[i] >= 0x80) marks |= std::uint64_t{1} << i;
  }
  return marks;
}

#ifdef KW_AVX2

namespace {

__attribute__((target("avx2"))) __m256i both_lanes(const std::array<std::uint8_t, 16>& table) {
  return _mm256_broadcastsi128_si256(
      _mm_load_si128(reinterpret_cast<const __m128i*>(table.data())));
}

__attribute__((target("avx2"))) std::uint64_t marks_of_block_avx2(
    const unsigned char* bytes, const NeedleFinder::Buckets& buckets) {
  const __m256i half = _mm256_set1_epi8(0x0f), zero = _mm256_setzero_si256();
  std::uint64_t marks = 0;
  for (unsigned begin = 0; begin < NeedleFinder::kBlock; begin += 32) {
    __m256i in = _mm256_set1_epi8(-1);
    for (std::size_t place = 0; place < NeedleFinder::kLooked; ++place) {
      const __m256i here =
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + begin + place));
      const __m256i low = _mm256_and_si256(here, half),
                    high = _mm256_and_si256(_mm256_srli_epi16(here, 4), half);
      in = _mm256_and_si256(in, _mm256_shuffle_epi8(both_lanes(buckets[place].low), low));
      in = _mm256_and_si256(in, _mm256_shuffle_epi8(both_lanes(buckets[place].high), high));
    }
    const auto none = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(in, zero)));
    const auto beyond_ascii = static_cast<std::uint32_t>(
        _mm256_movemask_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + begin))));
    marks |= std::uint64_t{~none | beyond_ascii} << begin;
  }
  return marks;
}

}  // namespace

std::uint64_t marks_of_block(const unsigned char* bytes, const NeedleFinder::Buckets& buckets) {
  // What the loader has found out. The compiler's own test asks the processor anew at each start,
  // which takes a virtual machine a tenth of a millisecond.
  static const bool has_avx2 = CPU_FEATURE_ACTIVE(AVX2);
  return has_avx2 ? marks_of_block_avx2(bytes, buckets) : marks_of_block_slowly(bytes, buckets);
}

#else

std::uint64_t marks_of_block(const unsigned char* bytes, const NeedleFinder::Buckets& buckets) {
  return marks_of_block_slowly(bytes, buckets);
}

#endif

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
