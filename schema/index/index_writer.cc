// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/index_writer.h"

#include <set>
#include <utility>

#include "schema/index/fields.h"
#include "schema/index/guard.h"
#include "schema/index/index_facts.h"
#include "schema/index/metadata.h"
#include "schema/index/terms.h"
#include "schema/index/vocabulary.h"

namespace kw {
namespace {

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
  for_each_fact(info, [&](Meta meta, const std::string& value) {
    database.set_metadata(std::string(key_of(meta)), value);
  });
}

}  // namespace

Result<void> compact_database(const std::string& source, const std::string& target) {
  return guard(about_index("write", target), [&] {
    Xapian::Database(source, Xapian::DB_BACKEND_GLASS).compact(target, Xapian::Compactor::FULL);
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
  return guard(about_index("open", path), [&] {
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
  return guard(about_index("write", impl_->path), [&] {
    impl_->database.replace_document(make_term(Field::Path, entry.record.path),
                                     to_document(entry, impl_->codec));
    for (const Posting& p : entry.postings) impl_->terms.insert(p.term);
    impl_->changed = true;
  });
}

Result<void> IndexWriter::set_stat(std::uint32_t docid, const FileStat& stamp) {
  return guard(about_index("write", impl_->path), [&] {
    Xapian::Document document = impl_->database.get_document(docid);
    document.add_value(slot_of(Field::Stamp), encode_stat(stamp));
    impl_->database.replace_document(docid, document);
  });
}

Result<void> IndexWriter::remove(std::uint32_t docid) {
  return guard(about_index("write", impl_->path), [&] {
    impl_->database.delete_document(docid);
    impl_->changed = true;
  });
}

Result<void> IndexWriter::set_info(const IndexInfo& info) {
  return guard(about_index("write", impl_->path), [&] { write_info(impl_->database, info); });
}

Result<void> IndexWriter::commit() {
  return guard(about_index("write", impl_->path), [&] {
    if (impl_->changed) add_to_vocabulary(impl_->database, impl_->terms);
    impl_->database.commit_transaction();
    impl_->open = false;
    impl_->database.close();
  });
}

}  // namespace kw
