// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/walk/ignore.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <limits.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>

#include "indexer/walk/directory.h"
#include "indexer/walk/git_excludes.h"
#include "schema/text/text.h"

namespace kw::indexer {
namespace {

constexpr IgnoreFiles kGitBit = 8;

struct IgnoreFileName {
  std::string_view name;
  IgnoreFiles bit;
};
constexpr IgnoreFileName kIgnoreFileNames[] = {
    {".kwignore", 1}, {".ignore", 2}, {".gitignore", 4}, {".git", kGitBit}};

/// The first line of a small file, or nothing.
std::optional<std::string> read_line(int folder, const std::string& path) {
  std::optional<std::string> text = read_file_at(folder, path, PATH_MAX);
  if (text) text->resize(std::min(text->find_first_of("\r\n"), text->size()));
  return text;
}

/// Where `info/exclude` lies: in `.git`, but in a linked work tree `.git` is a file that names the
/// work tree's own folder, and that has a file `commondir`. Empty if it cannot be told.
std::string git_common_folder(int folder, const struct stat& git) {
  if (!S_ISREG(git.st_mode)) return ".git";
  constexpr std::string_view kMark = "gitdir: ";
  const std::optional<std::string> line = read_line(folder, ".git");
  if (!line || !line->starts_with(kMark)) return {};
  const std::string own = line->substr(kMark.size());
  const std::optional<std::string> common = read_line(folder, own + "/commondir");
  if (!common || common->empty()) return {};
  return common->front() == '/' ? *common : own + "/" + *common;
}

}  // namespace

IgnoreFiles ignore_file(std::string_view name) {
  for (const IgnoreFileName& file : kIgnoreFileNames)
    if (file.name == name) return file.bit;
  return kNoIgnoreFiles;
}

void RuleList::add_literal(LiteralMap& map, const std::string& literal, Effect effect,
                           bool folders_only) {
  LiteralRule& rule = map[literal];
  rule.on_folders = effect;
  if (!folders_only) rule.on_files = effect;
}

Result<bool> RuleList::add(std::string_view line) {
  return KW_TRY(add(line, SIZE_MAX)) == Added::Rule;
}

Result<RuleList::Added> RuleList::add(std::string_view line, std::size_t most) {
  if (line.starts_with('#')) return Added::Nothing;
  if (!line.ends_with("\\ "))
    line = line.substr(0, line.find_last_not_of(" \t\v\f\r") + 1);  // npos + 1 is 0
  if (line.empty()) return Added::Nothing;

  const std::string_view written = line;
  Effect effect;
  bool anchored = false;
  if (line.starts_with("\\!") || line.starts_with("\\#")) {
    line.remove_prefix(1);
  } else {
    effect.keeps = line.starts_with('!');
    if (effect.keeps) line.remove_prefix(1);
    anchored = line.starts_with('/');
    if (anchored) line.remove_prefix(1);
  }
  const bool folders_only = line.ends_with('/');
  if (folders_only) line.remove_suffix(1);

  std::string pattern(line);
  if (!anchored && line.find('/') == std::string_view::npos && line != "**")
    pattern.insert(0, "**/");
  // What is in the folder, not the folder itself.
  if (pattern.ends_with("/**")) pattern += "/*";
  Result<Glob> glob = Glob::parse(pattern);
  if (!glob) {
    Error error = glob.error();
    error.message = fmt::format("bad glob '{}': {}", printable(written), error.message);
    return error;
  }

  if (!glob->is_literal() && globs_.size() >= most) return Added::TooMany;
  effect.number = ++count_;
  if (glob->is_literal())
    add_literal(glob->name_only() ? names_ : paths_, glob->literal(), effect, folders_only);
  else
    globs_.push_back({*std::move(glob), effect, folders_only});
  return Added::Rule;
}

bool RuleList::add_file(std::string_view bytes, std::size_t most) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  bool complete = true;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    // People see a bad line where they work: git and ripgrep name it. Here it must not end the run.
    const auto added = add(line, most);
    if (added && *added == Added::TooMany) complete = false;
  }
  return complete;
}

Verdict RuleList::verdict(std::string_view path, std::string_view name, bool is_folder) const {
  if (empty()) return Verdict::Unmatched;
  Effect last;
  auto look_up = [&](const LiteralMap& map, std::string_view text) {
    if (map.empty()) return;
    const auto found = map.find(text);
    if (found == map.end()) return;
    const Effect& effect = is_folder ? found->second.on_folders : found->second.on_files;
    if (effect.number > last.number) last = effect;
  };
  look_up(names_, name);
  look_up(paths_, path);
  for (auto rule = globs_.rbegin(); rule != globs_.rend(); ++rule) {
    if (rule->effect.number < last.number) break;
    if (rule->folders_only && !is_folder) continue;
    if (!rule->glob.matches(rule->glob.name_only() ? name : path)) continue;
    last = rule->effect;
    break;
  }
  if (last.number == 0) return Verdict::Unmatched;
  return last.keeps ? Verdict::Kept : Verdict::LeftOut;
}

void IgnoreStack::enter_above(const std::string& root) {
  for (std::size_t length = root.find('/') + 1; length < root.size();
       length = root.find('/', length) + 1) {
    const Descriptor folder = open_at(AT_FDCWD, root.substr(0, length), O_PATH | O_DIRECTORY);
    if (!folder) continue;
    enter(folder.get(), kAllIgnoreFiles, std::string_view(root).substr(0, length));
    // Most of them say nothing, and each verdict would ask them.
    if (levels_.back().bytes == 0 && levels_.back().git_level != levels_.size() - 1) leave();
  }
}

std::vector<std::string_view> IgnoreStack::enter(int folder, IgnoreFiles present,
                                                 std::string_view path) {
  Level level;
  level.path_length = path.size();
  if (!levels_.empty()) level.git_level = levels_.back().git_level;

  std::vector<std::string_view> unreadable;
  // False if the file cannot be read; errno says why. `file` is seen from the folder.
  auto add = [&](Kind kind, const std::string& file) {
    const std::size_t limit = kMaxIgnoreBytes - bytes_ - level.bytes;
    std::optional<std::string> bytes = read_file_at(folder, file, limit + 1);
    if (!bytes) return false;
    bool complete = bytes->size() <= limit;
    if (!complete) {
      bytes->resize(limit);
      bytes->resize(bytes->rfind('\n') + 1);  // half a line could leave out anything
    }
    level.bytes += bytes->size();
    complete &= level.rules[kind].add_file(*bytes, kMaxIgnoreGlobs - globs_ - level.globs);
    level.globs += level.rules[kind].globs();
    if (!complete) cut_files_.push_back(file.front() == '/' ? file : std::string(path) + file);
    return true;
  };
  for (std::size_t kind = KwIgnore; kind <= GitIgnore; ++kind) {
    const IgnoreFileName& file = kIgnoreFileNames[kind];
    if (!(present & file.bit)) continue;
    if (!add(static_cast<Kind>(kind), std::string(file.name)) && errno != 0 && errno != ENOENT)
      unreadable.push_back(file.name);
  }
  struct stat git;
  if ((present & kGitBit) && ::fstatat(folder, ".git", &git, 0) == 0) {
    level.git_level = levels_.size();
    const std::string common = git_common_folder(folder, git);
    if (!common.empty()) add(GitExclude, common + "/info/exclude");
    if (const std::string user = user_excludes_file(); !user.empty()) add(GitUser, user);
  }
  bytes_ += level.bytes;
  globs_ += level.globs;
  levels_.push_back(std::move(level));
  return unreadable;
}

void IgnoreStack::leave() {
  bytes_ -= levels_.back().bytes;
  globs_ -= levels_.back().globs;
  levels_.pop_back();
}

Verdict IgnoreStack::verdict(std::string_view path, std::string_view name, bool is_folder) const {
  if (levels_.empty()) return Verdict::Unmatched;
  for (std::size_t kind = KwIgnore; kind < kKinds; ++kind) {
    const std::size_t end = kind < GitIgnore ? 0 : levels_.back().git_level;
    if (end == kNoLevel) break;
    for (std::size_t i = levels_.size(); i-- > end;) {
      const Level& level = levels_[i];
      const Verdict verdict =
          level.rules[kind].verdict(path.substr(level.path_length), name, is_folder);
      if (verdict != Verdict::Unmatched) return verdict;
    }
  }
  return Verdict::Unmatched;
}

}  // namespace kw::indexer
