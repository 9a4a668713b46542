// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "schema/base/parallel.h"
#include "schema/index/batch_files.h"
#include "schema/index/fields.h"
#include "schema/index/glass_packer.h"
#include "schema/index/glass_table_writer.h"
#include "schema/index/glass_unpacker.h"
#include "schema/index/guard.h"
#include "schema/index/index_facts.h"
#include "schema/index/index_writer.h"
#include "schema/index/posting_runs.h"
#include "schema/index/spool.h"
#include "schema/index/vocabulary.h"

namespace fs = std::filesystem;

namespace kw {
namespace {

using Batches = std::vector<std::string>;

// Keys of Xapian's table of postings that are none of a term, in this order.
constexpr std::string_view kMetadataKeys("\0\xc0", 2), kValueBounds("\0\xd0", 2),
    kValueChunks("\0\xd8", 2), kLengths("\0\xe0", 2);

// Xapian begins a new chunk of a list or of values behind as many bytes.
constexpr std::size_t kChunk = 2000;

struct ValueRow {
  std::uint32_t length = 0, most_occurrences = 0;
  std::string path, stamp;

  void read(SpoolReader& in) {
    length = static_cast<std::uint32_t>(in.number());
    most_occurrences = static_cast<std::uint32_t>(in.number());
    path = in.string();
    stamp = in.string();
  }
};

/// Calls `f` with each document of all batches: its number in the index, and its values.
template <class F>
void for_each_row(const Batches& batches, const F& f) {
  std::uint32_t document = 0;
  ValueRow row;
  for (const std::string& batch : batches) {
    SpoolReader in(batch + kBatchValues);
    while (!in.at_end()) {
      row.read(in);
      f(++document, row);
    }
  }
}

struct Bounds {
  std::string least, greatest;

  void take(const std::string& value) {
    if (least.empty() || value < least) least = value;
    if (value > greatest) greatest = value;
  }
};

/// What must be known of all documents before any is written.
struct Summary {
  std::vector<std::uint32_t> documents_before;  // by batch
  GlassStatistics statistics;
  Bounds paths, stamps;

  explicit Summary(const Batches& batches) {
    ValueRow row;
    for (const std::string& batch : batches) {
      documents_before.push_back(statistics.documents);
      SpoolReader in(batch + kBatchValues);
      while (!in.at_end()) {
        row.read(in);
        take(row);
      }
    }
  }

 private:
  void take(const ValueRow& row) {
    GlassStatistics& s = statistics;
    ++s.documents;
    s.total_length += row.length;
    if (row.length > 0 && (s.shortest == 0 || row.length < s.shortest)) s.shortest = row.length;
    s.longest = std::max(s.longest, row.length);
    s.most_occurrences = std::max(s.most_occurrences, row.most_occurrences);
    paths.take(row.path);
    stamps.take(row.stamp);
  }
};

/// Writes the documents and their lists of terms, batch by batch.
class DocumentTables {
 public:
  explicit DocumentTables(const std::string& target)
      : data_(target + "/docdata.glass"), lists_(target + "/termlist.glass") {}

  void add(const std::string& batch) {
    SpoolReader in(batch + kBatchDocuments);
    while (!in.at_end()) {
      std::string key;
      pack_sorted_number(key, ++document_);
      data_.add(key, in.string());
      const bool is_deflated = in.number() != 0;
      lists_.add(key, in.string(), is_deflated);
      // The slots that have a value: of each the gap from the one before.
      static_assert(slot_of(Field::Path) == 0 && slot_of(Field::Stamp) == 1);
      key.push_back('\0');
      lists_.add(key, std::string_view("\0\0", 2));
    }
  }

  std::pair<GlassRoot, GlassRoot> finish() {
    const GlassRoot data = data_.finish();
    return {data, lists_.finish()};
  }

 private:
  GlassTableWriter data_, lists_;
  std::uint32_t document_ = 0;
};

/// Writes the table of postings, which begins with all that is no posting.
class PostingTable {
 public:
  explicit PostingTable(const std::string& target) : table_(target + "/postlist.glass") {}

  void add_metadata(const Batches& batches) {
    std::map<std::string, std::string> facts;
    for (const std::string& batch : batches) {
      if (!fs::exists(batch + kBatchMetadata)) continue;
      SpoolReader in(batch + kBatchMetadata);
      while (!in.at_end()) {
        std::string key(in.string());
        facts[std::move(key)] = in.string();
      }
    }
    for (const auto& [key, value] : facts)
      if (!value.empty()) table_.add(std::string(kMetadataKeys) + key, value);
  }

  void add_values(const Batches& batches, const Summary& summary) {
    add_bounds(slot_of(Field::Path), summary.paths, summary.statistics.documents);
    add_bounds(slot_of(Field::Stamp), summary.stamps, summary.statistics.documents);
    add_slot(slot_of(Field::Path), batches, &ValueRow::path);
    add_slot(slot_of(Field::Stamp), batches, &ValueRow::stamp);
  }

  void add_lengths(const Batches& batches) {
    std::string list;
    for_each_row(batches, [&](std::uint32_t document, const ValueRow& row) {
      if (document > 1) pack_number(list, 0);
      pack_number(list, row.length);
    });
    // Its first chunk counts nothing.
    if (!list.empty()) add_list(std::string(kLengths), std::string(kLengths), 0, 0, 1, list);
  }

  void add_term(const PostingList& postings) {
    key_.clear();
    pack_sorted_string(key_, postings.term, true);
    next_.clear();
    pack_sorted_string(next_, postings.term, false);
    add_list(key_, next_, postings.documents, postings.occurrences, postings.first, postings.list);
  }

  GlassRoot finish() { return table_.finish(); }

 private:
  void add_bounds(std::uint32_t slot, const Bounds& bounds, std::uint32_t documents) {
    if (documents == 0) return;
    std::string key(kValueBounds), tag;
    pack_last_number(key, slot);
    pack_number(tag, documents);
    pack_string(tag, bounds.least);
    if (bounds.least != bounds.greatest) tag += bounds.greatest;
    table_.add(key, tag);
  }

  void add_slot(std::uint32_t slot, const Batches& batches, std::string ValueRow::*value) {
    std::string key, tag;
    for_each_row(batches, [&](std::uint32_t document, const ValueRow& row) {
      if (tag.empty()) {
        key = kValueChunks;
        pack_number(key, slot);
        pack_sorted_number(key, document);
      } else {
        pack_number(tag, 0);  // no document between it and the one before
      }
      pack_string(tag, row.*value);
      if (tag.size() < kChunk) return;
      table_.add(key, tag);
      tag.clear();
    });
    if (!tag.empty()) table_.add(key, tag);
  }

  /// A list in chunks: the first has the key `first_key`, the others `next_key` and their first
  /// document. A chunk begins with a wdf, as the whole list does.
  void add_list(const std::string& first_key, const std::string& next_key, std::uint64_t documents,
                std::uint64_t occurrences, std::uint32_t first, std::string_view list) {
    tag_.clear();
    pack_number(tag_, documents);
    pack_number(tag_, occurrences);
    pack_number(tag_, first - 1);
    bool is_first = true;
    for (std::uint32_t document = first; !list.empty();) {
      const std::uint32_t begin = document;
      GlassUnpacker in(list);
      in.number(32);
      std::size_t size = list.size() - in.rest().size();
      while (size < kChunk && !in.at_end()) {
        document += static_cast<std::uint32_t>(in.number(32)) + 1;
        in.number(32);
        size = list.size() - in.rest().size();
      }
      const bool is_last = in.at_end();
      tag_.push_back(is_last ? '1' : '0');
      pack_number(tag_, document - begin);
      tag_ += list.substr(0, size);
      if (is_first) {
        table_.add(first_key, tag_);
      } else {
        chunk_key_ = next_key;
        pack_sorted_number(chunk_key_, begin);
        table_.add(chunk_key_, tag_);
      }
      if (!is_last) document += static_cast<std::uint32_t>(in.number(32)) + 1;
      list = in.rest();
      is_first = false;
      tag_.clear();
    }
  }

  GlassTableWriter table_;
  std::string key_, next_, chunk_key_, tag_;
};

}  // namespace

Result<void> merge_databases(const std::vector<std::string>& sources, const std::string& target,
                             unsigned jobs) {
  const std::string about = about_index("write", target);
  GlassRoot postings, documents, lists;
  std::optional<Summary> summary;
  KW_TRY(guard(about, [&] {
    if (::mkdir(target.c_str(), 0777) != 0)
      throw Xapian::DatabaseError("cannot create a directory", errno);
    summary.emplace(sources);
  }));
  const auto write_documents = [&] {
    DocumentTables tables(target);
    for (const std::string& batch : sources) {
      tables.add(batch);
      ::unlink((batch + kBatchDocuments).c_str());
    }
    std::tie(documents, lists) = tables.finish();
  };
  const auto write_postings = [&] {
    PostingTable table(target);
    table.add_metadata(sources);
    table.add_values(sources, *summary);
    table.add_lengths(sources);
    std::vector<PostingRun> runs;
    for (std::size_t i = 0; i < sources.size(); ++i)
      runs.push_back({sources[i] + kBatchPostings, summary->documents_before[i]});
    merge_runs(std::move(runs), target + ".runs", [&](const PostingList& l) { table.add_term(l); });
    postings = table.finish();
  };
  KW_TRY(run_parallel(
      2, jobs,
      [&](unsigned, std::size_t part) {
        return part == 0 ? guard(about, write_postings) : guard(about, write_documents);
      },
      [] {}));
  std::error_code ignored;  // a batch left behind goes with the unfinished generation
  for (const std::string& path : sources) fs::remove_all(path, ignored);
  const auto finish = [&] {
    write_glass_version(target, postings, documents, lists, summary->statistics);
    Xapian::WritableDatabase database(target, Xapian::DB_OPEN | Xapian::DB_BACKEND_GLASS |
                                                  Xapian::DB_NO_SYNC | Xapian::DB_DANGEROUS);
    write_vocabulary(database);
    database.commit();
    database.close();
  };
  // In a thread of its own, as the C library keeps for the next thread what the last ones freed.
  return run_parallel(
      1, jobs, [&](unsigned, std::size_t) { return guard(about, finish); }, [] {});
}

}  // namespace kw
