// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/walk/glob.h"

#include <array>
#include <memory_resource>
#include <utility>

namespace kw::indexer {
namespace {

/// Braces in braces: deep enough for people, shallow enough for the stack.
constexpr int kMaxNesting = 16;

}  // namespace

/// Writes a glob's steps while it reads the pattern.
class GlobParser {
 public:
  GlobParser(std::string_view pattern, Glob& glob)
      : rest_(pattern), glob_(glob), steps_(glob.steps_) {}

  /// nullptr, or what is wrong with the pattern.
  const char* parse() {
    if (rest_.size() > kMaxGlobBytes) return "it is too long";
    std::size_t after_prefix = 0;
    if (skip_folder_prefix()) {
      if (rest_.empty()) {
        add_loop(Glob::Op::AnyByte);  // `**` alone is everything
      } else {
        add_any_folders();
        after_prefix = steps_.size();
      }
    }
    if (const char* wrong = parse_branch(0)) return wrong;
    if (!rest_.empty()) return "a '}' has no '{' before it";
    add(Glob::Op::Match);
    glob_.simplify(after_prefix);
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
    const std::size_t begin = steps_.size();
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '}' || (c == ',' && depth > 0)) return nullptr;
      if (depth > 0 && steps_.size() == begin && skip_folder_prefix()) {
        add_any_folders();
        continue;
      }
      if (c == '/' && ends_double_star(3, depth) && rest_.substr(1, 2) == "**") {
        parse_inner_folders(depth);
        continue;
      }
      rest_.remove_prefix(1);
      const char* wrong = nullptr;
      if (c == '?')
        add(Glob::Op::NotSlash);
      else if (c == '*')
        parse_star();
      else if (c == '[')
        wrong = parse_class();
      else if (c == '{')
        wrong = parse_braces(depth + 1);
      else if (c == '\\')
        wrong = parse_escape();
      else
        add(Glob::Op::Byte, c);
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
    add(Glob::Op::Byte, '/');
    if (below)
      add_loop(Glob::Op::AnyByte);
    else
      add_any_folders();
  }

  /// After a star. What was not taken as folders before is one star, however many stand there.
  void parse_star() {
    while (rest_.starts_with('*')) rest_.remove_prefix(1);
    add_loop(Glob::Op::NotSlash);
  }

  const char* parse_escape() {
    if (rest_.empty()) return "it ends in a '\\' that escapes nothing";
    add(Glob::Op::Byte, rest_.front());
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

    std::bitset<256> set;
    for (const auto& [low, high] : ranges)
      for (unsigned c = low; c <= high; ++c) set.set(c);
    add(Glob::Op::Class, 0, position(glob_.classes_.size()));
    glob_.classes_.push_back(negated ? ~set : set);
    return nullptr;
  }

  /// After `{`. Each branch is a Split into its own steps and the next branch. An empty one counts
  /// for nothing, as in ripgrep: `{,a}` is `a`.
  const char* parse_braces(int depth) {
    if (depth > kMaxNesting) return "its braces are nested too deep";
    std::vector<std::size_t> ends;
    std::size_t last_split = steps_.size();
    while (true) {
      const std::size_t split = steps_.size();
      add(Glob::Op::Split, 0, position(split + 1), position(split + 1));
      if (const char* wrong = parse_branch(depth)) return wrong;
      if (rest_.empty()) return "a '{' is not closed";
      if (steps_.size() == split + 1) {
        steps_.pop_back();
      } else {
        if (last_split != split) steps_[last_split].other = position(split);
        last_split = split;
        ends.push_back(steps_.size());
        add(Glob::Op::Jump);
      }
      const bool closed = rest_.front() == '}';
      rest_.remove_prefix(1);
      if (closed) break;
    }
    for (const std::size_t end : ends) steps_[end].to = position(steps_.size());
    return nullptr;
  }

  void add(Glob::Op op, char byte = 0, std::uint32_t to = 0, std::uint32_t other = 0) {
    steps_.push_back({op, static_cast<std::uint8_t>(byte), to, other});
  }

  /// `op` any number of times. Three steps: Glob::simplify knows them again.
  void add_loop(Glob::Op op) {
    const std::size_t at = steps_.size();
    add(Glob::Op::Split, 0, position(at + 1), position(at + 3));
    add(op);
    add(Glob::Op::Jump, 0, position(at));
  }

  /// Nothing, or anything that ends in a slash.
  void add_any_folders() {
    const std::size_t at = steps_.size();
    add(Glob::Op::Split, 0, position(at + 1), position(at + 6));
    add_loop(Glob::Op::AnyByte);
    add(Glob::Op::Byte, '/');
    add(Glob::Op::Jump, 0, position(at + 6));
  }

  static std::uint32_t position(std::size_t step) { return static_cast<std::uint32_t>(step); }

  std::string_view rest_;
  Glob& glob_;
  std::vector<Glob::Step>& steps_;
};

Result<Glob> Glob::parse(std::string_view pattern) {
  Glob glob;
  if (const char* wrong = GlobParser(pattern, glob).parse())
    return Error{ErrorCode::Usage, wrong, "put a '\\' before a character that is meant as itself"};
  return glob;
}

/// Finds what all matches share at both ends, and whether the machine is needed at all.
/// `after_prefix` is the step after a leading `**/`, or 0.
void Glob::simplify(std::size_t after_prefix) {
  name_only_ = after_prefix > 0;
  for (std::size_t i = after_prefix; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    if (step.op == Op::AnyByte || (step.op == Op::Byte && step.byte == '/') ||
        (step.op == Op::Class && classes_[step.to].test('/')))
      name_only_ = false;
  }
  start_ = name_only_ ? after_prefix : 0;

  // A run of Byte steps at either end is passed by every match: what may be passed by begins with
  // Split and ends with Jump.
  const std::size_t last = steps_.size() - 1;
  std::size_t begin = start_;
  while (steps_[begin].op == Op::Byte) head_ += static_cast<char>(steps_[begin++].byte);
  std::size_t end = last;
  while (end > begin && steps_[end - 1].op == Op::Byte) --end;
  for (std::size_t i = end; i < last; ++i) tail_ += static_cast<char>(steps_[i].byte);

  if (begin == last)
    shape_ = Shape::Literal;
  else if (end - begin == 3 && steps_[begin].op == Op::Split &&
           steps_[begin + 1].op == Op::NotSlash && steps_[begin + 2].op == Op::Jump &&
           steps_[begin + 2].to == begin)
    shape_ = Shape::OneStar;
  if (shape_ != Shape::Machine) steps_ = {};
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
    case Shape::Machine:
      break;
  }
  return run(start_ + head_.size(), text.substr(head_.size()));
}

bool Glob::run(std::size_t start, std::string_view text) const {
  std::array<std::byte, 4096>
      space;  // enough for usual patterns, so that matching allocates nothing
  std::pmr::monotonic_buffer_resource memory(space.data(), space.size());
  std::pmr::vector<std::uint32_t> now(&memory), next(&memory), pending(&memory);
  std::pmr::vector<std::size_t> reached(steps_.size(), 0,
                                        &memory);  // at which byte, counted from 1

  // Adds a step and what it leads to without a byte.
  auto follow = [&](std::size_t step, std::size_t at, std::pmr::vector<std::uint32_t>& list) {
    pending.push_back(static_cast<std::uint32_t>(step));
    while (!pending.empty()) {
      const std::uint32_t i = pending.back();
      pending.pop_back();
      if (reached[i] == at) continue;
      reached[i] = at;
      const Step& s = steps_[i];
      if (s.op == Op::Split) pending.push_back(s.other);
      if (s.op == Op::Split || s.op == Op::Jump)
        pending.push_back(s.to);
      else
        list.push_back(i);
    }
  };
  auto takes = [&](const Step& step, unsigned char byte) {
    switch (step.op) {
      case Op::Byte:
        return byte == step.byte;
      case Op::NotSlash:
        return byte != '/';
      case Op::AnyByte:
        return true;
      case Op::Class:
        return classes_[step.to].test(byte);
      case Op::Split:
      case Op::Jump:
      case Op::Match:
        return false;
    }
    return false;
  };

  follow(start, 1, now);
  for (std::size_t i = 0; i < text.size() && !now.empty(); ++i) {
    next.clear();
    for (const std::uint32_t step : now)
      if (takes(steps_[step], static_cast<unsigned char>(text[i]))) follow(step + 1, i + 2, next);
    std::swap(now, next);
  }
  for (const std::uint32_t step : now)
    if (steps_[step].op == Op::Match) return true;
  return false;
}

}  // namespace kw::indexer
