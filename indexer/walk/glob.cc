// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/walk/glob.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <iterator>
#include <utility>

namespace kw::indexer {
namespace {

/// Braces in braces: deep enough for people, shallow enough for the stack.
constexpr int kMaxNesting = 16;

// Parts of an expression: one byte but a slash, any of them, anything, folders or none.
constexpr std::string_view kNotSlash = "[^/]", kStar = "[^/]*", kAnything = ".*",
                           kAnyFolders = "(?:.*/)?";

/// A byte as RE2 reads it, in a set and outside.
void append_byte(std::string& out, char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
    out += c;
  else
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
}

RE2::Options expression_options() {
  RE2::Options options(RE2::Latin1);  // bytes
  options.set_dot_nl(true);
  options.set_never_capture(true);
  options.set_log_errors(false);
  return options;
}

}  // namespace

/// Translates a glob into an expression while it reads it.
class GlobParser {
 public:
  GlobParser(std::string_view pattern, Glob& glob) : rest_(pattern), glob_(glob) {}

  /// nullptr, or what is wrong with the pattern.
  const char* parse() {
    if (rest_.size() > kMaxGlobBytes) return "it is too long";
    const bool in_any_folder = skip_folder_prefix();
    if (in_any_folder && rest_.empty()) {
      add(kAnything);  // `**` alone is everything
    } else {
      if (const char* wrong = parse_branch(0)) return wrong;
      if (!rest_.empty()) return "a '}' has no '{' before it";
      glob_.name_only_ = in_any_folder && !crosses_slash_;
      if (in_any_folder && crosses_slash_) {
        out_.insert(0, kAnyFolders);
        ++parts_;
        glob_.head_.clear();
      }
    }
    finish();
    return nullptr;
  }

 private:
  /// True if `**` that stands for folders begins here: it ends with a slash or the whole pattern.
  /// Several in a row are one.
  bool skip_folder_prefix() {
    bool found = false;
    while (rest_.starts_with("**/")) {
      rest_.remove_prefix(3);
      found = true;
    }
    if (rest_ == "**") {
      rest_ = {};
      found = true;
    }
    return found;
  }

  /// Up to the end of the pattern or, within braces, to the `,` or `}` that ends the branch.
  const char* parse_branch(int depth) {
    const std::size_t begin = out_.size();
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '}' || (c == ',' && depth > 0)) return nullptr;
      if (depth > 0 && out_.size() == begin && skip_folder_prefix()) {
        add(kAnyFolders);
        continue;
      }
      if (c == '/' && ends_double_star(3, depth) && rest_.substr(1, 2) == "**") {
        parse_inner_folders(depth);
        continue;
      }
      rest_.remove_prefix(1);
      const char* wrong = nullptr;
      if (c == '?')
        add(kNotSlash);
      else if (c == '*')
        parse_star();
      else if (c == '[')
        wrong = parse_class();
      else if (c == '{')
        wrong = parse_braces(depth + 1);
      else if (c == '\\')
        wrong = parse_escape();
      else
        add_byte(c);
      if (wrong) return wrong;
    }
    return nullptr;
  }

  /// True if a `**` that ended before `at` would stand alone between slashes.
  bool ends_double_star(std::size_t at, int depth) const {
    if (rest_.size() < at) return false;
    if (rest_.size() == at) return true;
    return rest_[at] == '/' || (depth > 0 && (rest_[at] == ',' || rest_[at] == '}'));
  }

  /// At the slash of `/**/` (any folders between) or of a last `/**` (everything below). Several in
  /// a row are one.
  void parse_inner_folders(int depth) {
    rest_.remove_prefix(1);
    bool below = true;
    while (rest_.starts_with("**") && ends_double_star(2, depth)) {
      rest_.remove_prefix(2);
      below = !rest_.starts_with('/');
      if (below) break;
      rest_.remove_prefix(1);
    }
    add_byte('/');
    add(below ? kAnything : kAnyFolders);
  }

  /// After a star. What was not taken as folders before is one star, however many stand there.
  void parse_star() {
    while (rest_.starts_with('*')) rest_.remove_prefix(1);
    add(kStar);
  }

  const char* parse_escape() {
    if (rest_.empty()) return "it ends in a '\\' that escapes nothing";
    add_byte(rest_.front());
    rest_.remove_prefix(1);
    return nullptr;
  }

  /// After `[`. A `]` that comes first, and a `-` that comes first or last, are themselves; so is
  /// `\`. A second `-` stretches the range before it: `[a-c-e]` is `[a-e]`, as in ripgrep.
  const char* parse_class() {
    const bool negated = rest_.starts_with('!') || rest_.starts_with('^');
    if (negated) rest_.remove_prefix(1);
    std::vector<std::pair<unsigned char, unsigned char>> ranges;
    bool in_range = false;
    while (true) {
      if (rest_.empty()) return "a '[' is not closed";
      const auto c = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      if (c == ']' && !ranges.empty()) break;
      if (in_range) {
        if (c < ranges.back().first) return "a range in '[' runs backwards";
        ranges.back().second = c;
        in_range = false;
      } else if (c == '-' && !ranges.empty()) {
        in_range = true;
      } else {
        ranges.emplace_back(c, c);
      }
    }
    if (in_range) ranges.emplace_back('-', '-');

    std::string set = negated ? "[^" : "[";
    bool has_slash = false;
    for (const auto& [low, high] : ranges) {
      append_byte(set, static_cast<char>(low));
      set += '-';
      append_byte(set, static_cast<char>(high));
      has_slash = has_slash || (low <= '/' && '/' <= high);
    }
    add(set + ']');
    if (has_slash != negated) crosses_slash_ = true;
    return nullptr;
  }

  /// After `{`. An empty branch counts for nothing, as in ripgrep: `{,a}` is `a`.
  const char* parse_braces(int depth) {
    if (depth > kMaxNesting) return "its braces are nested too deep";
    add("(?:");
    ++braces_;
    const std::size_t begin = out_.size();
    while (true) {
      const std::size_t branch = out_.size();
      if (const char* wrong = parse_branch(depth)) return wrong;
      if (rest_.empty()) return "a '{' is not closed";
      if (out_.size() > branch) out_ += '|';
      const bool closed = rest_.front() == '}';
      rest_.remove_prefix(1);
      if (closed) break;
    }
    if (out_.size() > begin) out_.pop_back();
    out_ += ')';
    run_.clear();
    --braces_;
    return nullptr;
  }

  void add_byte(char c) {
    append_byte(out_, c);
    run_ += c;
    if (c == '/') crosses_slash_ = true;
  }

  /// Adds what is no single byte.
  void add(std::string_view part) {
    out_ += part;
    if (parts_++ == 0)
      glob_.head_ = run_;
    else if (braces_ == 0 && run_.size() > glob_.inner_.size())
      glob_.inner_ = run_;
    run_.clear();
    is_star_ = part == kStar;
    if (part == kAnything || part == kAnyFolders) crosses_slash_ = true;
  }

  void finish() {
    if (parts_ == 0) {
      glob_.shape_ = Glob::Shape::Literal;
      glob_.head_ = std::move(run_);
      return;
    }
    glob_.shape_ = parts_ == 1 && is_star_ ? Glob::Shape::OneStar : Glob::Shape::Expression;
    glob_.tail_ = std::move(run_);
    if (glob_.shape_ == Glob::Shape::Expression) glob_.pattern_ = std::move(out_);
  }

  std::string_view rest_;
  Glob& glob_;
  std::string out_;
  std::string run_;  ///< the bytes since the last part
  int parts_ = 0;
  int braces_ = 0;              ///< that are open
  bool is_star_ = false;        ///< the last part is `*`
  bool crosses_slash_ = false;  ///< something may match a `/`
};

Result<Glob> Glob::parse(std::string_view pattern) {
  Glob glob;
  if (const char* wrong = GlobParser(pattern, glob).parse())
    return Error{ErrorCode::Usage, wrong, "put a '\\' before a character that is meant as itself"};
  return glob;
}

bool Glob::matches(std::string_view text) const {
  if (text.size() < head_.size() + tail_.size() || !text.starts_with(head_) ||
      !text.ends_with(tail_))
    return false;
  switch (shape_) {
    case Shape::Literal:
      return text.size() == head_.size();
    case Shape::OneStar:
      text.remove_prefix(head_.size());
      text.remove_suffix(tail_.size());
      return text.find('/') == std::string_view::npos;
    case Shape::Expression:
      break;
  }
  if (text.find(inner_) == std::string_view::npos) return false;
  if (!expression_) expression_ = std::make_shared<const RE2>(pattern_, expression_options());
  return expression_->Match({text.data(), text.size()}, 0, text.size(), RE2::ANCHOR_BOTH, nullptr,
                            0);
}

}  // namespace kw::indexer
