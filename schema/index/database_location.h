// SPDX-License-Identifier: GPL-2.0-or-later
// Where indexes lie: in a folder of this machine, or behind a server (xapian-tcpsrv). And stub
// files, which list such places, a line each, as Xapian's own stub files do:
//
//   # the four parts of a tree
//   auto parts/1                  a database folder, or a tree that holds one; seen from the file
//   remote search-2:7700          what xapian-tcpsrv serves there
//
// Nothing else is taken, for Xapian would run a program that such a file names: the programs read
// the file themselves. Nothing is opened here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"

namespace kw {

struct DatabaseLocation {
  /// A database folder. Implicit, since most places are one.
  DatabaseLocation(std::string path) : folder(std::move(path)) {}
  DatabaseLocation(std::string server, std::uint16_t at) : host(std::move(server)), port(at) {}

  std::string folder;  ///< empty where a server has it
  std::string host;
  std::uint16_t port = 0;

  bool is_remote() const { return folder.empty(); }
  /// The folder, or HOST:PORT as a stub file has it.
  std::string name() const;

  bool operator==(const DatabaseLocation&) const = default;
};

/// Databases of one search, at most: each takes some open files and memory.
inline constexpr std::size_t kMaxPlaces = 1000;

/// What a stub file lists, in its order; at least one place. `file` is its name, from which folders
/// are seen, and which the message has with the number of the line: Refused for a line that is no
/// folder and no server.
Result<std::vector<DatabaseLocation>> parse_stub(std::string_view text, const std::string& file);

/// The places that a person names: a stub file's, or a database folder, or the one in a tree that
/// holds `.kwsearch`. What is not there is a folder, and opening it fails.
Result<std::vector<DatabaseLocation>> places_of(const std::string& given);

}  // namespace kw
