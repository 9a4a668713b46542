// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/command/index_registry.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "schema/base/bounds.h"
#include "schema/index/database_dir.h"
#include "schema/text/text.h"

namespace fs = std::filesystem;

namespace kw::indexer {
namespace {

constexpr std::size_t kIdBytes = 16;

bool is_id(std::string_view text) {
  return text.size() == 2 * kIdBytes &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

constexpr std::string_view kPrefix = "index-", kSuffix = ".json";

std::string file_of(const std::string& folder, const std::string& id) {
  return fmt::format("{}/{}{}{}", folder, kPrefix, id, kSuffix);
}

/// Empty: the name is no record's.
std::string id_in(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return {};
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(std::min(name.size(), kSuffix.size()));
  return is_id(name) ? std::string(name) : std::string();
}

/// A folder that nobody else may change.
bool is_private(const std::string& folder) {
  struct stat st;
  return ::lstat(folder.c_str(), &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == ::geteuid() &&
         (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// True if what is created in `folder`, or in the nearest that exists above it, is in nobody else's
/// home: root with the environment of another user must leave nothing there that is root's.
bool is_ours_to_create(const fs::path& folder) {
  struct stat st;
  for (fs::path at = folder;; at = at.parent_path()) {
    if (::stat(at.c_str(), &st) == 0) return st.st_uid == ::geteuid() || st.st_uid == 0;
    if (at == at.parent_path()) return false;
  }
}

Result<void> create_private(const std::string& folder) {
  if (is_private(folder)) return {};
  const auto refuse = [&](const std::string& why) {
    return Error{
        ErrorCode::Failed, fmt::format("cannot write to '{}': {}", printable(folder), why), {}};
  };
  if (!is_ours_to_create(folder)) return refuse("it is another user's");
  std::string path;
  for (const fs::path& name : fs::path(folder).relative_path()) {
    path += "/" + name.string();
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return refuse(errno_text(errno));
  }
  return is_private(folder) ? Result<void>() : refuse("others may write to it");
}

// Names of files are bytes, and JSON is text.
nlohmann::json json_of(const std::string& path) {
  if (is_utf8(path)) return path;
  return nlohmann::json{{"base64", base64(path)}};
}

std::string path_of(const nlohmann::json& json) {
  return json.is_object() ? from_base64(json.at("base64").get<std::string>())
                          : json.get<std::string>();
}

std::string to_json(const IndexRecord& record) {
  nlohmann::ordered_json json{{"database", json_of(record.database)},
                              {"device", record.directory.device},
                              {"inode", record.directory.inode},
                              {"owner", record.directory.owner},
                              {"root", json_of(record.root)},
                              {"shard", record.partition},
                              {"options", nlohmann::json::parse(kw::to_json(record.options))}};
  if (!record.named_root.empty()) json["named_root"] = json_of(record.named_root);
  return json.dump(1) + "\n";
}

std::optional<IndexRecord> read_record(const std::string& folder, const std::string& id) {
  const auto text = read_file(file_of(folder, id), kMaxIndexRecordBytes);
  if (!text) return std::nullopt;
  const auto json = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  try {
    IndexRecord record;
    record.id = id;
    record.database = path_of(json.at("database"));
    record.directory = {json.at("device"), json.at("inode"), json.at("owner")};
    record.root = path_of(json.at("root"));
    record.partition = json.at("shard");
    if (json.contains("named_root")) record.named_root = path_of(json.at("named_root"));
    auto options = parse_index_options(json.at("options").dump());
    if (!options) return std::nullopt;
    record.options = *std::move(options);
    return record;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // damaged: as good as none
  }
}

bool is_of(const IndexRecord& record, const std::string& database,
           const DirectoryIdentity& directory) {
  return record.directory.inode == directory.inode &&
         (record.directory.device == directory.device || record.database == database);
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value && *value == '/' ? value : "";
}

/// Empty: this user has none.
std::string home_of_this_user() {
  std::string home = variable("HOME");
  struct stat st;
  if (!home.empty() && ::stat(home.c_str(), &st) == 0 && st.st_uid == ::geteuid()) return home;
  const passwd* const user = ::getpwuid(::geteuid());
  return user && *user->pw_dir == '/' ? user->pw_dir : home;
}

}  // namespace

std::optional<DirectoryIdentity> directory_identity(const std::string& path) {
  struct stat st;
  if (::lstat(path.c_str(), &st) != 0 || !S_ISDIR(st.st_mode)) return std::nullopt;
  return DirectoryIdentity{st.st_dev, st.st_ino, st.st_uid};
}

std::string make_index_id() {
  unsigned char bytes[kIdBytes];
  // So few bytes come whole; it waits only while a machine starts.
  while (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) {
  }
  std::string id;
  for (const unsigned char byte : bytes) id += fmt::format("{:02x}", byte);
  return id;
}

IndexRegistry IndexRegistry::of_this_user() {
  std::vector<std::string> folders;
  const auto add = [&](const std::string& base) {
    if (!base.empty()) folders.push_back((fs::path(base) / "kwsearch").lexically_normal());
  };
  const std::string service = variable("STATE_DIRECTORY");  // a list with colons
  add(service.substr(0, service.find(':')));
  const std::string state = variable("XDG_STATE_HOME"), home = home_of_this_user();
  add(!state.empty() ? state : home.empty() ? "" : home + "/.local/state");
  return IndexRegistry(std::move(folders));
}

std::optional<IndexRecord> IndexRegistry::find(const std::string& id, const std::string& database,
                                               const DirectoryIdentity& directory) const {
  if (!is_id(id)) return std::nullopt;
  if (const auto it = kept_.find(id); it != kept_.end() && is_of(it->second, database, directory))
    return it->second;
  std::optional<IndexRecord> latest;
  fs::file_time_type latest_time;
  for (const std::string& folder : folders_) {
    if (!is_private(folder)) continue;
    auto record = read_record(folder, id);
    if (!record || !is_of(*record, database, directory)) continue;
    std::error_code ignored;
    const auto time = fs::last_write_time(file_of(folder, id), ignored);
    if (latest && time <= latest_time) continue;
    latest = std::move(record);
    latest_time = time;
  }
  return latest;
}

std::optional<IndexRecord> IndexRegistry::find_at(const std::string& database,
                                                  const DirectoryIdentity& directory) const {
  std::optional<IndexRecord> latest;
  fs::file_time_type latest_time;
  for (const std::string& folder : folders_) {
    if (!is_private(folder)) continue;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      const std::string id = id_in(it->path().filename().string());
      auto record = read_record(folder, id);
      if (!record || record->database != database || !is_of(*record, database, directory)) continue;
      std::error_code ignored;
      const auto time = fs::last_write_time(it->path(), ignored);
      if (latest && time <= latest_time) continue;
      latest = std::move(record);
      latest_time = time;
    }
  }
  return latest;
}

Result<void> IndexRegistry::keep(const IndexRecord& record) {
  kept_[record.id] = record;
  if (folders_.empty())
    return Error{ErrorCode::Failed, "this user has no home and no XDG_STATE_HOME", {}};
  KW_TRY(create_private(folders_.front()));
  return write_file_atomically(file_of(folders_.front(), record.id), to_json(record));
}

}  // namespace kw::indexer
