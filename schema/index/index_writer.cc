// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/index_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <utility>

#include "schema/base/parallel.h"
#include "schema/index/fields.h"
#include "schema/index/guard.h"
#include "schema/index/metadata.h"
#include "schema/index/terms.h"
#include "schema/index/version.h"
#include "schema/index/vocabulary.h"
#include "schema/text/text.h"

namespace fs = std::filesystem;

namespace kw {
namespace {

std::string about(const char* attempt, const std::string& path) {
  return fmt::format("cannot {} index '{}'", attempt, printable(path));
}

Xapian::Document to_document(const IndexEntry& entry, const RecordCodec& codec) {
  Xapian::Document document;
  document.set_data(codec.encode(entry.record));
  document.add_boolean_term(make_term(Field::Path, entry.record.path));
  document.add_boolean_term(make_term(Field::Pair, entry.group_key));
  for (const Posting& p : entry.postings) document.add_term(p.term, p.wdf);
  document.add_value(slot_of(Field::Path), entry.record.path);
  document.add_value(slot_of(Field::Stamp), encode_stat(entry.stamp));
  return document;
}

void write_info(Xapian::WritableDatabase& database, const IndexInfo& info) {
  const auto set = [&](Meta meta, const std::string& value) {
    database.set_metadata(std::string(key_of(meta)), value);
  };
  set(Meta::Version, fmt::format("{}", kSchemaVersion));
  set(Meta::Fingerprint, fmt::format("{:016x}", schema_fingerprint()));
  set(Meta::Root, info.root);
  set(Meta::Partition, info.shard);
  set(Meta::Options, to_json(info.options, info.stored));
  set(Meta::Ctags, info.ctags_version);
  set(Meta::Id, info.id);
}

/// One database of several, without gaps. The sources stay.
Result<void> compact_into(const std::vector<std::string>& sources, const std::string& target) {
  return guard(about("write", target), [&] {
    Xapian::Database all;
    for (const std::string& path : sources)
      all.add_database(Xapian::Database(path, Xapian::DB_BACKEND_GLASS));
    all.compact(target, Xapian::Compactor::FULL);
  });
}

/// guard() for a batch. Its blocks are written in place, so that Xapian cannot take a failed write
/// back, and then says only that; the cause is still in errno.
template <class F>
Result<void> guard_batch(const std::string& path, F&& f) {
  return guard(about("write", path), [&] {
    errno = 0;
    try {
      f();
    } catch (const Xapian::InvalidOperationError&) {
      throw Xapian::DatabaseError("a write failed", errno ? errno : EIO);
    }
  });
}

// Each merged database takes about seven descriptors, and two merges run at once: that stays under
// the usual limit of 1,024.
constexpr std::size_t kMergeAtOnce = 48;
constexpr unsigned kMergers = 2;

}  // namespace

struct BatchWriter::Impl {
  std::string path;
  RecordCodec codec;
  Xapian::WritableDatabase database;
};

BatchWriter::BatchWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BatchWriter::BatchWriter(BatchWriter&&) noexcept = default;
BatchWriter& BatchWriter::operator=(BatchWriter&&) noexcept = default;
BatchWriter::~BatchWriter() = default;

Result<BatchWriter> BatchWriter::create(const std::string& path, RecordCodec codec) {
  return guard(about("create", path), [&] {
    auto impl = std::make_unique<Impl>();
    impl->path = path;
    impl->codec = std::move(codec);
    // Nobody reads a batch and a broken one is thrown away: no syncs, blocks written in place.
    impl->database = Xapian::WritableDatabase(path, Xapian::DB_CREATE | Xapian::DB_BACKEND_GLASS |
                                                        Xapian::DB_NO_SYNC | Xapian::DB_DANGEROUS);
    return BatchWriter(std::move(impl));
  });
}

Result<void> BatchWriter::add(const IndexEntry& entry) {
  return guard_batch(impl_->path,
                     [&] { impl_->database.add_document(to_document(entry, impl_->codec)); });
}

Result<void> BatchWriter::set_info(const IndexInfo& info) {
  return guard_batch(impl_->path, [&] {
    write_info(impl_->database, info);
    impl_->database.set_metadata(std::string(key_of(Meta::Dictionary)), impl_->codec.dictionary());
  });
}

Result<void> BatchWriter::finish() {
  return guard_batch(impl_->path, [&] {
    impl_->database.commit();
    impl_->database.close();
  });
}

Result<void> compact_database(const std::string& source, const std::string& target) {
  return compact_into({source}, target);
}

Result<void> merge_databases(const std::vector<std::string>& sources, const std::string& target,
                             unsigned jobs) {
  const auto merge = [](const std::vector<std::string>& some,
                        const std::string& into) -> Result<void> {
    KW_TRY(compact_into(some, into));
    std::error_code ignored;  // a batch left behind goes with the unfinished generation
    for (const std::string& path : some) fs::remove_all(path, ignored);
    return {};
  };
  std::vector<std::string> round = sources;
  for (int level = 0; round.size() > kMergeAtOnce; ++level) {
    std::vector<std::string> next;
    for (std::size_t i = 0; i < round.size(); i += kMergeAtOnce)
      next.push_back(fmt::format("{}.merge-{}-{}", target, level, next.size()));
    const auto merge_some = [&](unsigned, std::size_t i) {
      const auto begin = round.begin() + static_cast<std::ptrdiff_t>(i * kMergeAtOnce);
      const auto end = round.begin() +
                       static_cast<std::ptrdiff_t>(std::min((i + 1) * kMergeAtOnce, round.size()));
      return merge({begin, end}, next[i]);
    };
    KW_TRY(run_parallel(next.size(), std::min(jobs, kMergers), merge_some, [] {}));
    round = std::move(next);
  }
  KW_TRY(merge(round, target));
  return guard(about("write", target), [&] {
    Xapian::WritableDatabase database(target, Xapian::DB_OPEN | Xapian::DB_BACKEND_GLASS |
                                                  Xapian::DB_NO_SYNC | Xapian::DB_DANGEROUS);
    write_vocabulary(database);
    database.commit();
    database.close();
  });
}

struct IndexWriter::Impl {
  std::string path;
  RecordCodec codec;
  Xapian::WritableDatabase database;
  std::set<std::string> terms;  // of the documents put in
  bool changed = false;         // documents, not only their stat data
  bool open = true;

  ~Impl() {
    if (!open) return;
    try {
      database.cancel_transaction();  // or the destructor of the database would commit
    } catch (const Xapian::Error&) {
      // Nothing was committed, which is all that is promised here.
    }
  }
};

IndexWriter::IndexWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
IndexWriter::IndexWriter(IndexWriter&&) noexcept = default;
IndexWriter& IndexWriter::operator=(IndexWriter&&) noexcept = default;
IndexWriter::~IndexWriter() = default;

Result<IndexWriter> IndexWriter::open(const std::string& path) {
  return guard(about("open", path), [&] {
    auto impl = std::make_unique<Impl>();
    impl->open = false;
    impl->path = path;
    impl->database = Xapian::WritableDatabase(path, Xapian::DB_OPEN | Xapian::DB_BACKEND_GLASS);
    impl->codec = RecordCodec(impl->database.get_metadata(std::string(key_of(Meta::Dictionary))));
    impl->database.begin_transaction(/*flushed=*/true);
    impl->open = true;
    return IndexWriter(std::move(impl));
  });
}

Result<void> IndexWriter::put(const IndexEntry& entry) {
  return guard(about("write", impl_->path), [&] {
    impl_->database.replace_document(make_term(Field::Path, entry.record.path),
                                     to_document(entry, impl_->codec));
    for (const Posting& p : entry.postings) impl_->terms.insert(p.term);
    impl_->changed = true;
  });
}

Result<void> IndexWriter::set_stat(std::uint32_t docid, const FileStat& stamp) {
  return guard(about("write", impl_->path), [&] {
    Xapian::Document document = impl_->database.get_document(docid);
    document.add_value(slot_of(Field::Stamp), encode_stat(stamp));
    impl_->database.replace_document(docid, document);
  });
}

Result<void> IndexWriter::remove(std::uint32_t docid) {
  return guard(about("write", impl_->path), [&] {
    impl_->database.delete_document(docid);
    impl_->changed = true;
  });
}

Result<void> IndexWriter::set_info(const IndexInfo& info) {
  return guard(about("write", impl_->path), [&] { write_info(impl_->database, info); });
}

Result<void> IndexWriter::commit() {
  return guard(about("write", impl_->path), [&] {
    if (impl_->changed) add_to_vocabulary(impl_->database, impl_->terms);
    impl_->database.commit_transaction();
    impl_->open = false;
    impl_->database.close();
  });
}

}  // namespace kw
