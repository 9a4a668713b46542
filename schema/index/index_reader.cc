// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/index_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "schema/index/fields.h"
#include "schema/index/glass_check.h"
#include "schema/index/group_key.h"
#include "schema/index/guard.h"
#include "schema/index/metadata.h"
#include "schema/index/version.h"
#include "schema/text/text.h"

namespace kw {
namespace {

std::string about_open(const std::string& path) {
  return fmt::format("cannot open index '{}'", printable(path));
}

std::string metadata(const Xapian::Database& database, Meta meta) {
  return database.get_metadata(std::string(key_of(meta)));
}

/// From a server each fact takes a round trip: what only kwindex needs stays there.
enum class Source { Folder, Server };

Result<FrozenInfo> frozen_of(const Xapian::Database& database, const std::string& path,
                             Source source = Source::Folder) {
  return guard(about_open(path), [&]() -> Result<FrozenInfo> {
    FrozenInfo frozen;
    const std::string version = metadata(database, Meta::Version);
    const auto [end, error] =
        std::from_chars(version.data(), version.data() + version.size(), frozen.version);
    if (version.empty())
      return Error{ErrorCode::Corrupt,
                   about_open(path) + ": it is a Xapian database, but none of kwindex",
                   "replace it with: kwindex --rebuild, or create another with: kwindex FOLDER"};
    if (error != std::errc() || end != version.data() + version.size())
      return Error{ErrorCode::Corrupt, about_open(path) + ": its version is damaged",
                   "rebuild it with: kwindex --rebuild"};
    frozen.info.root = metadata(database, Meta::Root);
    frozen.info.shard = metadata(database, Meta::Partition);
    if (source == Source::Folder) {
      frozen.info.id = metadata(database, Meta::Id);
      frozen.info.ctags_version = metadata(database, Meta::Ctags);
    }
    const std::string stored = metadata(database, Meta::Options);
    frozen.info.options = KW_TRY(parse_index_options(stored));
    frozen.info.stored = parse_stored_options(stored);
    frozen.files = database.get_doccount();
    return frozen;
  });
}

}  // namespace

/// Version and field table are looked at before anything else. Throws Xapian::Error.
Result<IndexReader> IndexReader::checked(const std::string& name, Xapian::Database database,
                                         bool is_remote) {
  IndexReader reader;
  reader.path_ = name;
  reader.database_ = std::move(database);
  auto frozen =
      KW_TRY(frozen_of(reader.database_, name, is_remote ? Source::Server : Source::Folder));
  const bool same_table =
      metadata(reader.database_, Meta::Fingerprint) == fmt::format("{:016x}", schema_fingerprint());
  if (frozen.version > kSchemaVersion)
    return Error{ErrorCode::OtherVersion,
                 fmt::format("{}: it has schema version {}, this program knows {}",
                             about_open(name), frozen.version, kSchemaVersion),
                 "use the newer kwsearch that made it, or rebuild it with: kwindex --rebuild"};
  if (frozen.version < kSchemaVersion || !same_table)
    return Error{
        ErrorCode::OtherVersion,
        fmt::format("{}: it has schema version {}{}, this program wants {}", about_open(name),
                    frozen.version, same_table ? "" : " with another field table", kSchemaVersion),
        "rebuild it with: kwindex --rebuild"};
  reader.info_ = std::move(frozen.info);
  return reader;
}

Result<IndexReader> IndexReader::open_generation(const std::string& path) {
  KW_TRY(check_roots(path));
  return guard(about_open(path), [&] {
    // Glass and nothing else: left to itself, Xapian would follow a stub file inside.
    return checked(path, Xapian::Database(path, Xapian::DB_BACKEND_GLASS), false);
  });
}

Error of_server(Error error) {
  if (error.code != ErrorCode::Corrupt) return error;
  return Error{ErrorCode::Unreachable, std::move(error.message),
               "see that xapian-tcpsrv answers there, for a folder of kwindex"};
}

Result<IndexReader> IndexReader::open_remote(const DatabaseLocation& place,
                                             const std::string& address, double timeout_seconds) {
  const std::string name = place.name();
  const auto milliseconds = static_cast<useconds_t>(std::max(1.0, timeout_seconds * 1000));
  auto reader = guard(about_open(name), [&] {
    return checked(name, Xapian::Remote::open(address, place.port, milliseconds, milliseconds),
                   true);
  });
  if (!reader) return of_server(reader.error());
  return reader;
}

Result<IndexReader> IndexReader::open(const DatabaseFolder& folder, Reading reading) {
  // The generation before the live one is kept until the next run, so one retry would do; a slow
  // start under several quick rebuilds may need more.
  constexpr int kTries = 5;
  for (int i = 1;; ++i) {
    auto live = KW_TRY(folder.live_generation());
    const std::string path = folder.generation(live);
    ReaderLock lock = reading == Reading::Whole ? ReaderLock::share(path) : ReaderLock();
    const auto now = folder.live_generation();  // locked too late, it is removed under the reader
    if (i < kTries && now && *now != live) continue;
    const auto sound = reading == Reading::Whole ? check_tables(path) : Result<void>();
    auto reader = sound ? open_generation(path) : Result<IndexReader>(sound.error());
    if (reader) reader->lock_ = std::move(lock);
    if (reader || i == kTries) return reader;
    const auto then = folder.live_generation();
    if (!then || *then == live) return reader;
  }
}

Result<FrozenInfo> IndexReader::read_frozen(const DatabaseFolder& folder) {
  auto live = KW_TRY(folder.live_generation());
  const std::string path = folder.generation(live);
  KW_TRY(check_roots(path));
  return guard(about_open(path),
               [&] { return frozen_of(Xapian::Database(path, Xapian::DB_BACKEND_GLASS), path); });
}

const RecordCodec& IndexReader::codec() {
  if (!codec_) codec_.emplace(metadata(database_, Meta::Dictionary));
  return *codec_;
}

Result<std::vector<StoredFile>> IndexReader::stored_files() {
  return guard(fmt::format("cannot read index '{}'", printable(path_)),
               [&]() -> Result<std::vector<StoredFile>> {
                 std::vector<StoredFile> files;
                 files.reserve(database_.get_doccount());
                 for (auto it = database_.valuestream_begin(slot_of(Field::Path)),
                           end = database_.valuestream_end(slot_of(Field::Path));
                      it != end; ++it)
                   files.push_back({it.get_docid(), *it, {}});
                 std::size_t i = 0;  // both streams go by document id
                 for (auto it = database_.valuestream_begin(slot_of(Field::Stamp)),
                           end = database_.valuestream_end(slot_of(Field::Stamp));
                      it != end; ++it) {
                   while (i < files.size() && files[i].docid < it.get_docid()) ++i;
                   if (i == files.size()) break;
                   files[i].stamp = KW_TRY(decode_stat(*it));
                 }
                 const auto by_path = [](const StoredFile& a, const StoredFile& b) {
                   return a.path < b.path;
                 };
                 if (!std::is_sorted(files.begin(), files.end(), by_path))
                   std::sort(files.begin(), files.end(), by_path);
                 return files;
               });
}

Result<std::string> IndexReader::record_data(std::uint32_t docid) {
  return guard(fmt::format("cannot read index '{}'", printable(path_)),
               [&]() -> Result<std::string> {
                 codec();  // whoever has the data can decode it without the database
                 return database_.get_document(docid).get_data();
               });
}

Result<FileRecord> IndexReader::record(std::uint32_t docid, RecordParts parts) {
  const auto data = KW_TRY(record_data(docid));
  return guard(fmt::format("cannot read index '{}'", printable(path_)),
               [&] { return codec().decode(data, parts); });
}

Result<IndexEntry> IndexReader::entry(std::uint32_t docid) {
  return guard(
      fmt::format("cannot read index '{}'", printable(path_)), [&]() -> Result<IndexEntry> {
        const Xapian::Document document = database_.get_document(docid);
        auto record = KW_TRY(codec().decode(document.get_data()));
        auto stamp = KW_TRY(decode_stat(document.get_value(slot_of(Field::Stamp))));
        IndexEntry entry{std::move(record), stamp, {}, {}};
        entry.group_key =
            group_key(entry.record.path, info_.options.doc_suffixes, info_.options.doc_root);
        for (auto it = document.termlist_begin(); it != document.termlist_end(); ++it)
          entry.postings.push_back({*it, it.get_wdf()});
        return entry;
      });
}

Result<std::vector<std::uint32_t>> IndexReader::docids_by_path() {
  auto files = KW_TRY(stored_files());
  std::vector<std::uint32_t> docids;
  docids.reserve(files.size());
  for (const StoredFile& f : files) docids.push_back(f.docid);
  return docids;
}

Result<void> IndexReader::for_each_identifier(
    const std::function<void(const std::string& spelling, std::uint32_t files)>& use) {
  return guard(fmt::format("cannot read index '{}'", printable(path_)), [&]() -> Result<void> {
    const std::string range(prefix_of(Field::Ident));
    for (auto it = database_.allterms_begin(range); it != database_.allterms_end(range); ++it)
      if (const auto ident = parse_ident_term(*it)) use(ident->spelling, it.get_termfreq());
    return {};
  });
}

Result<void> IndexReader::for_each_use(
    const std::function<bool(const std::string& spelling, std::uint32_t files)>& wanted,
    const std::function<Result<void>(const std::string& spelling, const std::vector<Use>& uses)>&
        use) {
  return guard(fmt::format("cannot read index '{}'", printable(path_)), [&]() -> Result<void> {
    const std::string range(prefix_of(Field::Ident));
    std::vector<Use> uses;
    for (auto it = database_.allterms_begin(range); it != database_.allterms_end(range); ++it) {
      const std::string term = *it;
      const auto ident = parse_ident_term(term);
      if (!ident || !wanted(ident->spelling, it.get_termfreq())) continue;
      uses.clear();
      for (auto at = database_.postlist_begin(term); at != database_.postlist_end(term); ++at)
        uses.push_back({*at, at.get_wdf()});
      KW_TRY(use(ident->spelling, uses));
    }
    return {};
  });
}

Result<void> IndexReader::for_each_definition(
    std::uint32_t max_files,
    const std::function<void(std::string_view name, DefinitionClass rank,
                             const std::vector<std::uint32_t>& docids)>& use) {
  return guard(fmt::format("cannot read index '{}'", printable(path_)), [&]() -> Result<void> {
    const std::string range(prefix_of(Field::Definition));
    std::vector<std::uint32_t> docids;
    for (auto it = database_.allterms_begin(range); it != database_.allterms_end(range); ++it) {
      const std::string term = *it;
      const auto definition = parse_definition_term(term);
      if (!definition) continue;
      docids.clear();
      if (it.get_termfreq() <= max_files)
        docids.assign(database_.postlist_begin(term), database_.postlist_end(term));
      use(definition->name, definition->rank, docids);
    }
    return {};
  });
}

std::string absolute_root(const DatabaseFolder& folder, const IndexInfo& info) {
  std::error_code error;
  const std::filesystem::path at = std::filesystem::absolute(folder.path(), error);
  std::string root = (at / info.root).lexically_normal().string();
  if (root.size() > 1 && root.ends_with('/')) root.pop_back();  // "a/.kwsearch/.." becomes "a/"
  return root;
}

std::string configured_folder(const std::string& database) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path path = fs::absolute(database, error).lexically_normal();
  if (error) return {};
  const fs::path name = path.filename().empty() ? path.parent_path() : path;
  if (name.filename() == kDatabaseFolderName) return name.parent_path().string();
  const DatabaseFolder folder(name.string());
  const auto frozen = IndexReader::read_frozen(folder);
  return frozen ? absolute_root(folder, frozen->info) : "";
}

}  // namespace kw
