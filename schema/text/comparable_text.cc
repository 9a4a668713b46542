// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/comparable_text.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw {
namespace {

struct Character {
  std::size_t bytes = 0;  // 0: not UTF-8
  utf8proc_int32_t value = 0;
};

Character character_at(std::string_view text, std::size_t at) {
  Character c;
  const auto n = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                                  static_cast<utf8proc_ssize_t>(text.size() - at), &c.value);
  if (n > 0) c.bytes = static_cast<std::size_t>(n);
  return c;
}

/// Han, kana and composed Hangul: most of a text in these scripts, and never another form.
bool has_one_form(utf8proc_int32_t c) {
  return (c >= 0x3041 && c <= 0x3096) || (c >= 0x30A1 && c <= 0x30FE) ||
         (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7A3);
}

/// The ASCII of a quote, a dash or a blank; empty for another character.
std::string_view ascii_of_mark(utf8proc_int32_t c) {
  if (c == 0xA0 || c == 0x202F || c == 0x205F || c == 0x3000 || (c >= 0x2000 && c <= 0x200A))
    return " ";
  if ((c >= 0x2010 && c <= 0x2015) || c == 0x2212) return "-";
  if ((c >= 0x2018 && c <= 0x201B) || c == 0x2032) return "'";
  if ((c >= 0x201C && c <= 0x201F) || c == 0x2033) return "\"";
  return {};
}

bool is_ligature(utf8proc_int32_t c) { return c >= 0xFB00 && c <= 0xFB06; }

}  // namespace

ComparableText::ComparableText(std::string_view original, TextForm form)
    : original_(original), text_(original) {
  if (form == TextForm::UnixLines)
    drop_carriage_returns();
  else if (!is_ascii(original))
    unite_forms(form == TextForm::Folded);
  text_.finish();
}

void ComparableText::drop_carriage_returns() {
  for (std::size_t at = 0; (at = original_.find("\r\n", at)) != std::string_view::npos; at += 2)
    text_.replace(at, at + 1, {});
}

void ComparableText::unite_forms(bool fold_case) {
  for (std::size_t at = 0; at < original_.size();) {
    const char next = at + 1 < original_.size() ? original_[at + 1] : ' ';
    if (static_cast<signed char>(original_[at]) >= 0 && static_cast<signed char>(next) >= 0) {
      ++at;
      continue;
    }
    const Character first = character_at(original_, at);
    if (first.bytes == 0) {
      ++at;
      continue;
    }
    std::size_t end = at + first.bytes;
    while (end < original_.size() && static_cast<signed char>(original_[end]) < 0) {
      const Character more = character_at(original_, end);
      if (more.bytes == 0 || !continues_character(more.value)) break;
      end += more.bytes;
    }
    const bool alone = end == at + first.bytes;
    if (!alone || (first.bytes > 1 && !has_one_form(first.value))) {
      const std::string_view here = original_.substr(at, end - at),
                             mark = ascii_of_mark(first.value);
      const std::string form = alone && !mark.empty()                  ? std::string(mark)
                               : fold_case || is_ligature(first.value) ? fold(here)
                                                                       : compose(here);
      if (form != here) text_.replace(at, end, form);
    }
    at = end;
  }
}

std::string comparable(std::string_view text, TextForm form) {
  return std::string(ComparableText(text, form).view());
}

std::string ascii_run_in_all_forms(std::string_view comparable) {
  // Quotes, dashes and blanks have other forms, and these pairs of letters may be one character.
  static constexpr std::string_view kMarks = " -'\"";
  static constexpr std::array<std::string_view, 5> kPairs{"ss", "ff", "fi", "fl", "st"};
  const std::string text = fold(comparable);
  std::vector<bool> varies(text.size() + 1, false);
  varies[text.size()] = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (static_cast<signed char>(text[i]) < 0 || kMarks.find(text[i]) != kMarks.npos)
      varies[i] = true;
    else if (std::find(kPairs.begin(), kPairs.end(), std::string_view(text).substr(i, 2)) !=
             kPairs.end())
      varies[i] = varies[i + 1] = true;
  }
  std::string_view longest;
  for (std::size_t begin = 0, i = 0; i <= text.size(); ++i) {
    if (!varies[i]) continue;
    if (i - begin > longest.size()) longest = std::string_view(text).substr(begin, i - begin);
    begin = i + 1;
  }
  return std::string(longest);
}

}  // namespace kw
