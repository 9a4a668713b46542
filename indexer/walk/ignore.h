// SPDX-License-Identifier: GPL-2.0-or-later
// Which paths the ignore files of a tree leave out, as ripgrep counts them, and the same rules
// given on the command line. Knows nothing of options or of what is in a file; who asks is
// walker.cc.
//
// In each folder `.kwignore`, `.ignore`, `.gitignore` and, beside `.git`, `.git/info/exclude` hold
// rules, one a line. All `.kwignore` files win over all `.ignore` files, these over `.gitignore`,
// that over `exclude`; within a kind the deeper file wins over the shallower one, and the later
// line over the earlier. Files of folders above the root count too. Last comes the file that git's
// user keeps for all work trees (git_excludes.h). The three kinds of git's count only in a work
// tree, and end at the nearest folder with `.git`.
//
// A line: `#` begins a comment; `!` takes files in again; a `/` at its start or in it binds the
// pattern to the folder of the file, else it matches a name at any depth below; a `/` at its end
// means folders only; blanks at its end do not count unless the last one is escaped; the rest is a
// glob (glob.h). A line that is no glob is passed over. On purpose otherwise than in ripgrep 13:
// the files are bytes, so that a line that is not UTF-8 does not end them, a byte-order mark is
// passed over, braces may be nested, a lone `}` makes no glob, and a pattern that ends in a dot
// matches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "indexer/walk/glob.h"
#include "schema/base/result.h"

namespace kw::indexer {

enum class Verdict {
  Unmatched,
  LeftOut,
  Kept  ///< by a `!` rule: also if its name begins with a dot
};

/// So many rules of ignore files at one place of a tree may be more than a literal name or path:
/// 3,000 paths take some seconds at worst, and the expressions 30 MB.
inline constexpr std::size_t kMaxIgnoreGlobs = 10'000;

/// The rules of one file, or of one option.
class RuleList {
 public:
  /// Adds a line, without its end. False if it is blank or a comment. Usage: it is no glob.
  Result<bool> add(std::string_view line);
  /// Adds all lines of an ignore file; those that are no globs are passed over, and all that need
  /// more than a look-up once there are `most` of these. False if there were such.
  bool add_file(std::string_view bytes, std::size_t most = kMaxIgnoreGlobs);

  /// By the last rule that matches. `path` is relative to the folder that the rules belong to,
  /// `name` its last name.
  Verdict verdict(std::string_view path, std::string_view name, bool is_folder) const;

  bool empty() const { return count_ == 0; }
  /// How many rules are no literals: each may be compared with each path.
  std::size_t globs() const { return globs_.size(); }

 private:
  struct Effect {
    std::uint32_t number = 0;  ///< lines are counted from 1; 0 is none
    bool keeps = false;
  };
  struct LiteralRule {
    Effect on_files, on_folders;
  };
  struct GlobRule {
    Glob glob;
    Effect effect;
    bool folders_only = false;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using LiteralMap = std::unordered_map<std::string, LiteralRule, Hash, std::equal_to<>>;

  enum class Added { Rule, Nothing, TooMany };
  /// add(), but passes over what would be more than `most` globs.
  Result<Added> add(std::string_view line, std::size_t most);
  static void add_literal(LiteralMap& map, const std::string& literal, Effect effect,
                          bool folders_only);

  // Most rules of real files are literal: looked up, not tried one by one.
  LiteralMap names_;
  LiteralMap paths_;
  std::vector<GlobRule> globs_;  ///< the others, in order
  std::uint32_t count_ = 0;
};

/// Ignore files that count at one place of a tree: this much of them, deepest last, is read (4
/// MiB). Real ones take kilobytes; parsed, a hostile one takes thirty times its size.
inline constexpr std::size_t kMaxIgnoreBytes = 4u << 20;

/// Which ignore files a folder holds, as bits.
using IgnoreFiles = std::uint8_t;
inline constexpr IgnoreFiles kNoIgnoreFiles = 0;
inline constexpr IgnoreFiles kAllIgnoreFiles = 0xf;
/// The bit of an ignore file, or of `.git`; kNoIgnoreFiles for every other name.
IgnoreFiles ignore_file(std::string_view name);

/// The ignore files of a folder and of those above it, as long as a walk is in it.
class IgnoreStack {
 public:
  /// Those of the folders above `root`: an absolute path without links, with a `/` at its end. What
  /// cannot be read there counts as absent.
  void enter_above(const std::string& root);

  /// Reads those of an open folder. `present` says which to look for; `path` is the folder's,
  /// absolute, with the `/` at its end. Returns the names of those that exist and cannot be read.
  /// Enter only where `present` is not kNoIgnoreFiles, and leave() for each.
  std::vector<std::string_view> enter(int folder, IgnoreFiles present, std::string_view path);
  void leave();

  /// The files entered so far of which rules were passed over: kMaxIgnoreGlobs, kMaxIgnoreBytes.
  const std::vector<std::string>& cut_files() const { return cut_files_; }

  /// `path` begins with the paths of all folders entered; `name` is its last name.
  Verdict verdict(std::string_view path, std::string_view name, bool is_folder) const;

 private:
  /// Kinds of files, the strongest first.
  enum Kind : std::size_t { KwIgnore, Ignore, GitIgnore, GitExclude, GitUser, kKinds };

  struct Level {
    std::size_t path_length = 0;
    std::array<RuleList, kKinds> rules;
    /// Where git's kinds end: the nearest level at or above with `.git`. No level: they do not
    /// count.
    std::size_t git_level = kNoLevel;
    std::size_t bytes = 0;  ///< of the files read
    std::size_t globs = 0;  ///< in the rules
  };
  static constexpr std::size_t kNoLevel = SIZE_MAX;

  std::vector<Level> levels_;
  std::size_t bytes_ = 0;  ///< of all levels
  std::size_t globs_ = 0;
  std::vector<std::string> cut_files_;
};

}  // namespace kw::indexer
