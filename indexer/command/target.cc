// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/command/target.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "schema/base/child_run.h"
#include "schema/base/fault_guard.h"
#include "schema/index/version.h"
#include "schema/text/text.h"

namespace fs = std::filesystem;

namespace kw::indexer {
namespace {

/// Absolute, links resolved as far as the path exists, without a slash at its end.
std::string canonical(const std::string& path, const std::string& current) {
  std::error_code error;
  const fs::path absolute = fs::path(current) / path;
  fs::path resolved = fs::weakly_canonical(absolute, error);
  if (error) resolved = absolute.lexically_normal();
  std::string text = resolved.string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

bool is_above(const fs::path& folder, const fs::path& path) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

/// The folder of an index that a root is, or lies in; empty: none.
std::string index_around(const fs::path& root) {
  for (fs::path at = root; at.has_relative_path(); at = at.parent_path())
    if (at.filename() == kDatabaseFolderName || DatabaseFolder(at.string()).live_generation())
      return at.string();
  return {};
}

Result<std::string> database_path(const KwindexOptions& options, const std::string& current) {
  if (!options.database.empty()) return resolve_database_path(canonical(options.database, current));
  if (!options.root.empty())
    return canonical(options.root, current) + "/" + std::string(kDatabaseFolderName);
  if (auto above = find_database_above(current)) return *std::move(above);
  return Error{
      ErrorCode::NotFound,
      fmt::format("no index here: there is no {} in this folder or above", kDatabaseFolderName),
      "kwindex ."};
}

}  // namespace

Result<DatabaseFolder> find_database(const KwindexOptions& options, const std::string& current) {
  if (!options.root.empty())
    if (const std::string index = index_around(canonical(options.root, current)); !index.empty())
      return Error{ErrorCode::Refused,
                   fmt::format("'{}' is no tree: it is the index '{}', or lies in it",
                               printable(options.root), printable(index)),
                   "name the tree: kwindex ROOT"};
  auto path = KW_TRY(database_path(options, current));
  const DatabaseFolder folder(path);
  if (const auto foreign = folder.foreign_name())
    return Error{ErrorCode::Refused,
                 fmt::format("'{}' is no folder of an index: it holds '{}'", printable(path),
                             printable(*foreign)),
                 "name an empty or a new folder with: --db FOLDER"};
  // Before anything is written there: a folder that came with a tree may be a trap. A rebuild takes
  // nothing from it, and what it writes is new.
  if (const auto live = folder.live_generation();
      !options.rebuild && !live && live.error().code == ErrorCode::Refused)
    return live.error();
  std::error_code error;
  if (options.root.empty() && !fs::is_directory(path, error))
    return Error{ErrorCode::NotFound, fmt::format("no index at '{}'", printable(path)),
                 fmt::format("kwindex ROOT --db '{}'", printable(path))};
  return folder;
}

namespace {

/// Reads, in a child, what a rebuild takes from the index before: whether it can be read.
bool can_be_read(const DatabaseFolder& folder) {
  constexpr std::string_view kRead = "read";
  const auto probe = run_in_child(
      [&]() -> std::string {
        auto reader = IndexReader::open(folder, Reading::Whole);
        const bool other = !reader && reader.error().code == ErrorCode::OtherVersion;
        return other || (reader && reader->stored_files()) ? std::string(kRead) : std::string();
      },
      seconds_to_read(folder.live_bytes()));
  return probe && *probe == kRead;
}

}  // namespace

Result<StoredIndex> open_stored(const DatabaseFolder& folder, bool rebuild) {
  StoredIndex stored;
  if (rebuild) stored.rebuild_reason = "--rebuild";
  auto live = folder.live_generation();
  if (!live && live.error().code == ErrorCode::NotFound) return stored;
  if (!live && !rebuild) return live.error();
  if (rebuild && !can_be_read(folder)) return stored;

  auto frozen = IndexReader::read_frozen(folder);
  if (!frozen) {
    if (rebuild) return stored;
    return frozen.error();
  }
  stored.frozen = *frozen;
  auto reader = IndexReader::open(folder);
  if (reader) {
    stored.reader = *std::move(reader);
    return stored;
  }
  const bool older =
      reader.error().code == ErrorCode::OtherVersion && frozen->version <= kSchemaVersion;
  if (!older && !rebuild) return reader.error();
  if (older)
    stored.rebuild_reason = frozen->version < kSchemaVersion
                                ? fmt::format("it has schema version {}, this program writes {}",
                                              frozen->version, kSchemaVersion)
                                : "it has another field table than this program";
  return stored;
}

std::string named_root(const KwindexOptions& options, const std::string& current) {
  if (options.root.empty()) return {};
  std::string named = (fs::path(current) / options.root).lexically_normal().string();
  while (named.size() > 1 && named.back() == '/') named.pop_back();
  return named == canonical(options.root, current) ? std::string() : named;
}

Result<std::string> find_root(const KwindexOptions& options, const DatabaseFolder& folder,
                              const StoredIndex& stored, const std::string& named_before,
                              const std::string& current) {
  if (!stored.frozen) {
    if (!options.root.empty()) return canonical(options.root, current);
    return Error{ErrorCode::NotFound,
                 fmt::format("'{}' holds no index yet, or none that says of which folder",
                             printable(folder.path())),
                 "name the folder: kwindex ROOT"};
  }
  const std::string root = canonical(absolute_root(folder, stored.frozen->info), current);
  if (options.root.empty()) return root;
  auto given = canonical(options.root, current);
  const std::string named = named_root(options, current);
  if (given == root || (!named.empty() && named == named_before)) return given;
  return Error{ErrorCode::Refused,
               fmt::format("index '{}' is of another folder: '{}'", printable(folder.path()),
                           printable(root)),
               "name another place with: --db FOLDER"};
}

std::string root_to_store(const std::string& root, const DatabaseFolder& folder) {
  if (!is_above(root, folder.path())) return root;
  return fs::path(root).lexically_relative(folder.path()).string();
}

Result<Partition> find_partition(const KwindexOptions& options, const DatabaseFolder& folder,
                                 const StoredIndex& stored) {
  if (!stored.frozen) return options.shard.value_or(Partition{});
  const std::string& text = stored.frozen->info.shard;
  const auto shard = parse_partition(text);
  if (shard && (!options.shard || *options.shard == *shard)) return *shard;
  return Error{shard ? ErrorCode::Refused : ErrorCode::Corrupt,
               fmt::format("index '{}' is of another part of the tree: {}",
                           printable(folder.path()), printable(text)),
               "name another place with: --db FOLDER"};
}

}  // namespace kw::indexer
