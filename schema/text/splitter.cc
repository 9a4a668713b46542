// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/splitter.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "schema/base/xapian_api.h"
#include "schema/text/text.h"

namespace kw {
namespace {

enum Class : std::uint8_t { kNone, kLower, kUpper, kDigit, kUnderscore, kOperator, kHigh };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[c] = kLower;
  for (int c = 'A'; c <= 'Z'; ++c) table[c] = kUpper;
  for (int c = '0'; c <= '9'; ++c) table[c] = kDigit;
  table['_'] = kUnderscore;
  for (const char c : std::string_view("=!<>&|+-:*/%^.?~#@"))
    table[static_cast<unsigned char>(c)] = kOperator;
  for (int c = 128; c < 256; ++c) table[c] = kHigh;
  return table;
}
constexpr auto kClasses = make_classes();
constexpr bool is_ascii_word(std::uint8_t cls) { return cls >= kLower && cls <= kUnderscore; }
std::uint8_t class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

// Longest first. `//` and `**` are left out: comments and Markdown would put them in every file.
constexpr std::string_view kOperators[] = {
    "<=>", "<<=", ">>=", "...", "===", "!==", "->*", "**=", "==", "!=", "<=", ">=", "&&",
    "||",  "<<",  ">>",  "++",  "--",  "->",  "::",  "+=",  "-=", "*=", "/=", "%=", "&=",
    "|=",  "^=",  "=>",  "??",  "?.",  ":=",  "..",  "##",  "~>", "<-", "=~", "@@"};

struct CodePoint {
  utf8proc_int32_t value = 0;
  std::size_t length = 0;  // bytes; 0 where the bytes are not UTF-8
};

CodePoint decode(const char* at, const char* end) {
  CodePoint cp;
  const auto n =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(at), end - at, &cp.value);
  if (n > 0) cp.length = static_cast<std::size_t>(n);
  return cp;
}

bool is_word(utf8proc_int32_t c) {
  switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return false;
  }
}

// Scripts written without blanks between words: Han, Hiragana, Katakana, Hangul and their
// extensions; Thai, Lao, Burmese, Khmer.
bool is_unspaced(utf8proc_int32_t c) {
  return (c >= 0x0E01 && c <= 0x0EDF) || (c >= 0x1000 && c <= 0x109F) ||
         (c >= 0x1780 && c <= 0x17FF) || (c >= 0x19E0 && c <= 0x19FF) ||
         (c >= 0xA9E0 && c <= 0xA9FE) || (c >= 0xAA60 && c <= 0xAA7F) ||
         (c >= 0x2E80 && c <= 0x2FDF) || (c >= 0x3005 && c <= 0x3007) ||
         (c >= 0x3031 && c <= 0x318F) || (c >= 0x31A0 && c <= 0x31BF) ||
         (c >= 0x31F0 && c <= 0x31FF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7FF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF66 && c <= 0xFFDC) ||
         (c >= 0x1100 && c <= 0x11FF) || (c >= 0x20000 && c <= 0x3FFFF);
}

// Soft hyphen, zero-width blanks and joiners, byte-order mark: they shape a word and are no part of
// it.
bool is_unseen(utf8proc_int32_t c) {
  return c == 0xAD || (c >= 0x200B && c <= 0x200D) || c == 0x2060 || c == 0xFEFF;
}

/// Which scripts a token is made of, character by character.
class ScriptRun {
 public:
  /// False if a character that is part of a word cannot follow in the same token.
  bool take(utf8proc_int32_t c) {
    const auto category = utf8proc_category(c);
    if (category == UTF8PROC_CATEGORY_PC || category == UTF8PROC_CATEGORY_MN ||
        category == UTF8PROC_CATEGORY_MC || category == UTF8PROC_CATEGORY_ME)
      return true;  // it belongs to what is before it
    return take(is_unspaced(c) ? Unspaced : Spaced);
  }
  bool take_ascii(std::uint8_t cls) { return cls == kUnderscore || take(Spaced); }

 private:
  enum Script { Unknown, Spaced, Unspaced };
  bool take(Script script) {
    if (script_ != Unknown && script_ != script) return false;
    script_ = script;
    return true;
  }
  Script script_ = Unknown;
};

/// Bytes of the token of word characters that begins at `at`.
std::size_t word_length(const char* at, const char* end) {
  if (static_cast<std::size_t>(end - at) > kMaxWordBytes) end = at + kMaxWordBytes;
  const char* ascii = at;
  while (ascii < end && is_ascii_word(class_of(*ascii))) ++ascii;
  if (ascii == end || class_of(*ascii) != kHigh) return static_cast<std::size_t>(ascii - at);
  ScriptRun run;
  const char* const begin = at;
  const char* last = at;  // behind the last character that is seen
  while (at < end) {
    const std::uint8_t here = class_of(*at);
    if (is_ascii_word(here)) {
      if (!run.take_ascii(here)) break;
      last = ++at;
      continue;
    }
    if (here != kHigh) break;
    const CodePoint cp = decode(at, end);
    if (cp.length == 0) break;
    if (is_unseen(cp.value) && at > begin) {
      at += cp.length;
      continue;
    }
    if (!is_word(cp.value) || !run.take(cp.value)) break;
    last = at += cp.length;
  }
  return static_cast<std::size_t>(last - begin);
}

// utf8proc takes eight times the size of a text, and sorts marks in the square of their number.
constexpr std::size_t kMapAtOnce = 4096;
constexpr std::size_t kMarksInOrder = 30;
constexpr std::size_t kNeverTooManyMarks = 2 * kMarksInOrder;  // bytes; a mark has two at least

/// Bytes at the start of `text` that are mapped alone. They end where nothing joins what follows,
/// or in a row of marks that no word has.
std::size_t mapped_at_once(std::string_view text) {
  if (text.size() <= kNeverTooManyMarks) return text.size();
  std::size_t marks = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint cp = decode(text.data() + at, text.data() + text.size());
    marks = continues_character(cp.value) ? marks + 1 : 0;
    if (marks > kMarksInOrder || (marks == 0 && at >= kMapAtOnce)) return at;
    at += std::max<std::size_t>(cp.length, 1);
  }
  return text.size();
}

std::string map_at_once(std::string_view text, int options) {
  utf8proc_uint8_t* out = nullptr;
  const auto n = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                              static_cast<utf8proc_ssize_t>(text.size()), &out,
                              static_cast<utf8proc_option_t>(options));
  if (n < 0) return std::string(text);  // not UTF-8: compared byte by byte
  std::string result(reinterpret_cast<char*>(out), static_cast<std::size_t>(n));
  std::free(out);
  return result;
}

std::string map_utf8(std::string_view text, int options) {
  std::string result;
  do {
    const std::size_t bytes = mapped_at_once(text);
    std::string mapped = map_at_once(text.substr(0, bytes), options);
    text.remove_prefix(bytes);
    if (result.empty())
      result = std::move(mapped);
    else
      result += mapped;
  } while (!text.empty());
  return result;
}

char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

std::string lower_ascii(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower_ascii(c);
  return result;
}

/// Divides one name into words: where its case or its script changes, at underscores and digits.
class NameSplitter {
 public:
  std::vector<std::string> split(std::string_view name) {
    const char* at = name.data();
    const char* const end = at + name.size();
    while (at < end) {
      if (const std::uint8_t cls = class_of(*at); cls == kHigh)
        at += take_beyond_ascii(at, end);
      else
        take(at++, 1, cls);
    }
    end_word();
    end_run();
    return std::move(words_);
  }

 private:
  /// Returns the length of the character, or 1 for a byte that is not UTF-8.
  std::size_t take_beyond_ascii(const char* at, const char* end) {
    const CodePoint cp = decode(at, end);
    if (cp.length == 0) {
      take(at, 1, kLower);
      return 1;
    }
    if (is_unspaced(cp.value)) {
      end_word();
      run_.emplace_back(at, cp.length);
      before_ = kNone;
    } else if (is_unseen(cp.value)) {  // fold() takes it out of the word around it
      if (!run_.empty())
        run_.back() = extended(run_.back(), cp.length);
      else if (!word_.empty())
        word_ = extended(word_, cp.length);
    } else {
      take(at, cp.length, class_of_letter(cp.value));
    }
    return cp.length;
  }

  /// A mark is of the class of the letter before it.
  std::uint8_t class_of_letter(utf8proc_int32_t c) const {
    switch (utf8proc_category(c)) {
      case UTF8PROC_CATEGORY_LU:
        return kUpper;
      case UTF8PROC_CATEGORY_PC:
        return kUnderscore;
      case UTF8PROC_CATEGORY_MN:
      case UTF8PROC_CATEGORY_MC:
        return before_ == kNone ? static_cast<std::uint8_t>(kLower) : before_;
      default:
        return kLower;
    }
  }

  /// A character of a script with blanks between its words.
  void take(const char* at, std::size_t length, std::uint8_t cls) {
    if (!run_.empty()) end_run();
    if (cls == kUnderscore || cls == kNone || cls == kOperator) {
      end_word();
      before_ = kNone;
      return;
    }
    if (cls == kUpper && (before_ == kLower || before_ == kDigit)) end_word();
    if (cls == kLower && before_ == kUpper && word_.size() > 1) end_before_last_capital();
    word_ = word_.empty() ? std::string_view(at, length) : extended(word_, length);
    before_ = cls;
  }

  /// Several capitals, then a small letter: the last capital begins the next word (HTTP|Server).
  void end_before_last_capital() {
    std::size_t last = word_.size() - 1;
    while (last > 0 && is_continuation(word_[last])) --last;
    if (last == 0) return;
    const std::string_view capital = word_.substr(last);
    word_ = word_.substr(0, last);
    end_word();
    word_ = capital;
  }

  void end_word() {
    if (!word_.empty()) words_.push_back(fold(word_));
    word_ = {};
  }

  /// Characters of a script without blanks are words in overlapping pairs.
  void end_run() {
    if (run_.size() == 1) words_.push_back(fold(run_[0]));
    for (std::size_t i = 1; i < run_.size(); ++i)
      words_.push_back(fold(extended(run_[i - 1], run_[i].size())));
    run_.clear();
  }

  /// `text` and as many bytes behind it.
  static std::string_view extended(std::string_view text, std::size_t bytes) {
    return {text.data(), text.size() + bytes};
  }

  std::vector<std::string> words_;
  std::string_view word_;              // the word under way: a part of the name
  std::vector<std::string_view> run_;  // the run under way, by characters
  std::uint8_t before_ = kNone;        // the class of the character before
};

}  // namespace

bool Tokenizer::next(Token& token) {
  for (; at_ < end_; ++at_) {
    const std::uint8_t cls = class_of(*at_);
    if (cls == kNone) continue;
    if (cls != kOperator) {
      if (take_word(token)) return true;
      continue;
    }
    if (at_ + 1 == end_ || class_of(at_[1]) != kOperator) continue;
    const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
    for (const std::string_view op : kOperators) {
      if (op[0] != rest[0] || op[1] != rest[1] || !rest.starts_with(op)) continue;
      token = {rest.substr(0, op.size()), TokenKind::Operator};
      at_ += op.size();
      return true;
    }
  }
  return false;
}

bool Tokenizer::next_word(Token& token) {
  for (; at_ < end_; ++at_) {
    const std::uint8_t cls = class_of(*at_);
    if (cls != kNone && cls != kOperator && take_word(token)) return true;
  }
  return false;
}

/// Takes the word that begins here. Else, there being none, goes to the last byte of what is here.
bool Tokenizer::take_word(Token& token) {
  const std::size_t length = word_length(at_, end_);
  if (length == 0) {
    at_ += std::max<std::size_t>(decode(at_, end_).length, 1) - 1;
    return false;
  }
  token.text = std::string_view(at_, length);
  token.kind = class_of(*at_) == kDigit ? TokenKind::Number : TokenKind::Name;
  at_ += length;
  return true;
}

std::size_t word_char_length(std::string_view text) {
  if (text.empty()) return 0;
  const std::uint8_t cls = class_of(text[0]);
  if (is_ascii_word(cls)) return 1;
  if (cls != kHigh) return 0;
  const CodePoint cp = decode(text.data(), text.data() + text.size());
  return cp.length && is_word(cp.value) ? cp.length : 0;
}

bool continues_character(std::int32_t code_point) {
  if (code_point < 0x300) return false;
  if (code_point >= 0x1160 && code_point <= 0x11FF) return true;
  const auto category = utf8proc_category(code_point);
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
         category == UTF8PROC_CATEGORY_ME;
}

bool ends_in_word_char(std::string_view text) {
  if (text.empty()) return false;
  std::size_t start = text.size() - 1;  // back to the lead byte: at most three continuation bytes
  for (int i = 0; i < 3 && start > 0 && is_continuation(text[start]); ++i) --start;
  return word_char_length(text.substr(start)) == text.size() - start;
}

std::size_t escaped_bytes(std::string_view text, std::string_view token) {
  const auto is_hex = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  };
  const bool escaped = token.data() > text.data() && *(token.data() - 1) == '%' &&
                       token.size() >= 2 && is_hex(token[0]) && is_hex(token[1]);
  return escaped ? 2 : 0;
}

bool is_word_edge(std::string_view before, std::string_view after) {
  if (!before.empty() && !after.empty() && class_of(before.back()) != kHigh &&
      class_of(after.front()) != kHigh)
    return !is_ascii_word(class_of(before.back())) || !is_ascii_word(class_of(after.front()));
  if (!ends_in_word_char(before) || word_char_length(after) == 0) return true;
  std::size_t start = before.size() - 1;
  for (int i = 0; i < 3 && start > 0 && is_continuation(before[start]); ++i) --start;
  const std::string pair =
      std::string(before.substr(start)) + std::string(after.substr(0, word_char_length(after)));
  return word_length(pair.data(), pair.data() + pair.size()) < pair.size();
}

std::string fold(std::string_view text) {
  if (is_ascii(text)) return lower_ascii(text);
  return map_utf8(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
}

std::string compose(std::string_view text) {
  if (is_ascii(text)) return std::string(text);
  return map_utf8(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

std::string strip_marks(std::string_view folded) {
  if (is_ascii(folded)) return std::string(folded);
  return map_utf8(folded, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_STRIPMARK);
}

std::string name_key(std::string_view name) {
  const std::string folded = strip_marks(fold(name));
  std::string key;
  key.reserve(folded.size());
  for (const char c : folded)
    if (c != '_' && c != ' ') key.push_back(c);
  return key.empty() ? folded : key;
}

bool has_name_key(std::string_view name, std::string_view key) {
  if (!is_ascii(name)) return name_key(name) == key;
  std::size_t at = 0;
  for (const char c : name) {
    if (c == '_' || c == ' ') continue;
    if (at == key.size() || lower_ascii(c) != key[at]) return false;
    ++at;
  }
  return at > 0 ? at == key.size() : name == key;  // underscores alone are their own key
}

std::vector<std::string> split_name(std::string_view name) { return NameSplitter().split(name); }

std::vector<std::string> words_of_number(std::string_view token) {
  if (token.size() > 1 && token[0] == '0' && is_ascii_word(class_of(token[1])) && token[1] != '_')
    return {};  // 0x1F, 0b01
  std::vector<std::string> words = split_name(token);
  std::erase_if(words, [](const std::string& word) {
    return word.size() < 3 || class_of(word.front()) == kDigit;
  });
  return words;
}

bool is_compound_word_of(std::string_view word, std::string_view name) {
  const std::vector<std::string> words = split_name(name);
  const auto ends_here = [](std::string_view rest, std::string_view last) {
    const std::size_t letters = last.find_last_not_of("0123456789") + 1;
    return !rest.empty() && (rest == last || rest == last.substr(0, letters));
  };
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    std::string_view rest = word;
    for (std::size_t k = i; k < std::min(i + 3, words.size()); ++k) {
      if (k > i && ends_here(rest, words[k])) return true;
      if (!rest.starts_with(words[k])) break;
      rest.remove_prefix(words[k].size());
    }
  }
  return false;
}

bool is_code_like(std::string_view token) {
  if (token.empty()) return false;
  bool lower = false, inner_upper = false, digit_after_letter = false, letter = false,
       underscore = false;
  for (std::size_t i = 0; i < token.size(); ++i) {
    switch (class_of(token[i])) {
      case kLower:
        lower = letter = true;
        break;
      case kUpper:
        inner_upper |= i > 0;
        letter = true;
        break;
      case kDigit:
        digit_after_letter |= letter;
        break;
      case kUnderscore:
        underscore = true;
        break;
      default:
        letter = true;
        break;
    }
  }
  return letter && (underscore || digit_after_letter || (inner_upper && lower));
}

struct Stemmer::Impl {
  Xapian::Stem english{"english"};
};

Stemmer::Stemmer() : impl_(std::make_unique<Impl>()) {}
Stemmer::~Stemmer() = default;
Stemmer::Stemmer(Stemmer&&) noexcept = default;
Stemmer& Stemmer::operator=(Stemmer&&) noexcept = default;

std::string Stemmer::stem(const std::string& folded) const {
  // Only words of small ASCII letters have English stems; `v2` and `größe` are their own.
  for (const char c : folded)
    if (class_of(c) != kLower) return folded;
  return impl_->english(folded);
}

}  // namespace kw
