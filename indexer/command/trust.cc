// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/command/trust.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "schema/text/text.h"

namespace kw::indexer {
namespace {

// An index from elsewhere may store any number; a person reads some.
constexpr std::size_t kMaxWords = 20;

/// One word for a shell. Control characters become escapes, which then name something else, and
/// reach no terminal.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+-@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : printable(word)) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

/// The user whom root stands for under sudo(8), as git asks for it.
std::optional<std::uint32_t> sudo_user() {
  const char* const text = ::geteuid() == 0 ? std::getenv("SUDO_UID") : nullptr;
  if (!text) return std::nullopt;
  const std::string_view digits(text);
  std::uint32_t user = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), user);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return user;
}

std::string user_name(std::uint32_t user) {
  const passwd* const found = ::getpwuid(user);
  return found ? printable(found->pw_name) : fmt::format("with the id {}", user);
}

/// How the run is called that names root and index.
std::string call_of(const KwindexOptions& options, const DatabaseFolder& folder) {
  const std::string root = options.root.empty() ? "ROOT" : quoted(options.root);
  return options.database.empty() ? "kwindex " + root
                                  : fmt::format("kwindex {} --db {}", root, quoted(folder.path()));
}

Error refused_owner(const DatabaseFolder& folder, std::uint32_t owner) {
  return {ErrorCode::Refused,
          fmt::format("index '{}' belongs to another user, {}: kwindex writes only your own",
                      printable(folder.path()), user_name(owner)),
          "search it as it is, or make one of your own: kwindex ROOT --db FOLDER"};
}

Error refused_unknown(const KwindexOptions& options, const DatabaseFolder& folder) {
  return {ErrorCode::Refused,
          fmt::format("index '{}' has no record that you wrote it: it came with the tree, or was "
                      "copied or restored",
                      printable(folder.path())),
          options.database.empty() ? "kwindex ." : call_of(options, folder)};
}

/// Takes from the index nothing but how many files it holds.
Result<void> rebuild_unknown(const KwindexOptions& options, const DatabaseFolder& folder,
                             StoredIndex& stored) {
  IndexInfo& info = stored.frozen->info;
  std::string words = options.reset ? ""
                                    : words_of_options(info.stored.value_or(info.options),
                                                       options.index.applied_to({}));
  if (options.database.empty()) {  // its place says whose it is
    info.root = "..";
    info.shard = to_string(Partition{});
  } else if (!options.shard && info.shard != to_string(Partition{})) {
    return Error{ErrorCode::Refused,
                 fmt::format("index '{}' is of a part of the tree, and has no record that you "
                             "wrote it",
                             printable(folder.path())),
                 fmt::format("name the part: {} --shard I/N", call_of(options, folder))};
  }
  info.options = {};
  info.stored.reset();
  stored.reader.reset();
  stored.rebuild_reason =
      "there is no record that you wrote it (it came with the tree, or was copied or restored)";
  if (words.empty()) {
    stored.rebuild_hint =
        fmt::format("to update such an index in place: {} --trust", call_of(options, folder));
  } else {
    stored.rebuild_reason += "; not taken over: " + words;
    stored.rebuild_hint =
        fmt::format("if you want them: {} {}; --trust takes over what an index stores",
                    call_of(options, folder), words);
  }
  return {};
}

}  // namespace

std::string words_of_options(const IndexOptions& stored, const IndexOptions& used) {
  const IndexOptions usual;
  std::vector<std::string> words;
  const auto counts = [&](auto IndexOptions::*option) {
    return stored.*option != used.*option && stored.*option != usual.*option;
  };
  const auto add_list = [&](const char* name, std::vector<std::string> IndexOptions::*list) {
    if (!counts(list)) return;
    if ((stored.*list).empty()) words.push_back(fmt::format("{} ''", name));
    for (const std::string& one : stored.*list)
      words.push_back(fmt::format("{} {}", name, quoted(one)));
  };
  if (counts(&IndexOptions::use_ignore_files)) words.push_back("--no-ignore");
  if (counts(&IndexOptions::hidden)) words.push_back("--hidden");
  if (counts(&IndexOptions::follow)) words.push_back("--follow");
  if (counts(&IndexOptions::max_file_size))
    words.push_back(fmt::format("--max-file-size {}", stored.max_file_size));
  if (counts(&IndexOptions::symbols)) words.push_back("--symbols none");
  if (counts(&IndexOptions::doc_root)) words.push_back("--doc-root " + quoted(stored.doc_root));
  add_list("--doc-suffix", &IndexOptions::doc_suffixes);
  add_list("--include", &IndexOptions::include);
  add_list("--exclude", &IndexOptions::exclude);
  const std::size_t shown = std::min(words.size(), kMaxWords);
  std::string text = fmt::format(
      "{}", fmt::join(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(shown), " "));
  if (shown < words.size()) text += fmt::format(" # and {} more", words.size() - shown);
  return text;
}

Result<std::optional<IndexRecord>> recognize_index(const KwindexOptions& options,
                                                   const DatabaseFolder& folder, bool created,
                                                   const IndexRegistry& registry,
                                                   StoredIndex& stored) {
  const auto directory = directory_identity(folder.path());
  if (!directory) return std::optional<IndexRecord>();
  std::optional<IndexRecord> record;
  if (stored.frozen) record = registry.find(stored.frozen->info.id, folder.path(), *directory);
  // Of a damaged one nothing is left by which to know it but its place.
  if (!stored.frozen && options.rebuild) {
    record = registry.find_at(folder.path(), *directory);
    if (record) stored.frozen.emplace();
  }
  // Where a file system shows another owner than the user that created it, the record knows.
  const bool is_own = created || directory->owner == ::geteuid() ||
                      directory->owner == sudo_user() ||
                      (record && record->directory.owner == directory->owner);
  if (!is_own && !options.trust) return refused_owner(folder, directory->owner);
  if (!stored.frozen) return record;
  IndexInfo& info = stored.frozen->info;
  if (record) {
    info.id = record->id;
    info.root = record->root;
    info.shard = record->partition;
    info.stored = record->options;
    return record;
  }
  if (options.trust) {
    info.id.clear();  // it may be known to others, or of the index that this one is a copy of
    return std::optional<IndexRecord>();
  }
  if (options.root.empty()) return refused_unknown(options, folder);
  KW_TRY(rebuild_unknown(options, folder, stored));
  return record;
}

}  // namespace kw::indexer
