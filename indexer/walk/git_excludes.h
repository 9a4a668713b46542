// SPDX-License-Identifier: GPL-2.0-or-later
// The ignore file that git's user keeps for all work trees: `core.excludesFile` of the user's or
// the system's configuration, else `git/ignore` in the folder of configurations. What a tree's own
// `.git/config` says does not count: a tree that came from elsewhere names no files outside it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kw::indexer {

/// The last value of `core.excludesFile` in a configuration file of git; nothing if it has none.
/// `include` is not followed.
std::optional<std::string> excludes_file_in(std::string_view config);

/// Path of the user's ignore file, by HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL and
/// GIT_CONFIG_NOSYSTEM; empty if there can be none. The file may not exist.
std::string user_excludes_file();

}  // namespace kw::indexer
