// SPDX-License-Identifier: GPL-2.0-or-later
// A database made of batches is what Xapian makes of the same documents, entry by entry.
#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <random>
#include <string>

#include "schema/base/xapian_api.h"
#include "schema/index/fields.h"
#include "schema/index/glass_check.h"
#include "schema/index/index_reader.h"
#include "schema/index/index_writer.h"
#include "schema/index/metadata.h"
#include "schema/index/terms.h"
#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw {
namespace {

using Entries = std::vector<IndexEntry>;

IndexEntry entry_of(std::size_t number) {
  IndexEntry entry;
  entry.record.path = "file" + std::to_string(number);
  entry.group_key = entry.record.path;
  entry.stamp.size = number + 1;
  return entry;
}

/// What a reader can ask of a database, as text: statistics, values, data and terms of each
/// document, the list of each term.
std::string everything_in(const std::string& path) {
  const Xapian::Database database(path);
  std::string text;
  const auto line = [&](auto&&... parts) {
    ((text += parts, text += ' '), ...);
    text += '\n';
  };
  const auto digits = [](auto number) { return std::to_string(number); };
  line(digits(database.get_doccount()), digits(database.get_lastdocid()),
       digits(database.get_total_length()), digits(database.get_doclength_lower_bound()),
       digits(database.get_doclength_upper_bound()));
  for (const Xapian::valueno slot : {0u, 1u}) {
    line(digits(database.get_value_freq(slot)), database.get_value_lower_bound(slot),
         database.get_value_upper_bound(slot));
    for (auto it = database.valuestream_begin(slot); it != database.valuestream_end(slot); ++it)
      line(digits(it.get_docid()), *it);
  }
  for (auto it = database.postlist_begin(""); it != database.postlist_end(""); ++it) {
    const Xapian::Document document = database.get_document(*it);
    line(digits(*it), digits(it.get_doclength()), document.get_data());
    for (auto t = document.termlist_begin(); t != document.termlist_end(); ++t)
      line(*t, digits(t.get_wdf()));
    for (auto v = document.values_begin(); v != document.values_end(); ++v)
      line(digits(v.get_valueno()), *v);
  }
  for (auto t = database.allterms_begin(); t != database.allterms_end(); ++t) {
    line(*t, digits(t.get_termfreq()), digits(database.get_collection_freq(*t)));
    for (auto p = database.postlist_begin(*t); p != database.postlist_end(*t); ++p)
      line(digits(*p), digits(p.get_wdf()));
  }
  for (auto key = database.metadata_keys_begin(); key != database.metadata_keys_end(); ++key)
    if (!(*key).starts_with("kw.vocabulary")) line(*key, database.get_metadata(*key));
  return text;
}

class BatchMerge : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (dir_ / name).string(); }

  void merge(const Entries& entries, std::size_t batch_size) const {
    std::vector<std::string> batches;
    for (std::size_t i = 0; i < entries.size() || batches.empty(); i += batch_size) {
      batches.push_back(path("batch-" + std::to_string(i)));
      auto batch = BatchWriter::create(batches.back(), codec_);
      ASSERT_TRUE(batch);
      for (std::size_t k = i; k < std::min(i + batch_size, entries.size()); ++k)
        ASSERT_TRUE(batch->add(entries[k]));
      if (i + batch_size >= entries.size()) {
        ASSERT_TRUE(batch->set_info(info_));
      }
      ASSERT_TRUE(batch->finish());
    }
    const auto merged = merge_databases(batches, path("index"), 2);
    ASSERT_TRUE(merged) << merged.error().message;
  }

  void let_xapian_write(const Entries& entries) const {
    Xapian::WritableDatabase database(path("xapian"), Xapian::DB_CREATE);
    for (const IndexEntry& entry : entries) {
      Xapian::Document document;
      document.set_data(codec_.encode(entry.record));
      document.add_boolean_term(make_term(Field::Path, entry.record.path));
      document.add_boolean_term(make_term(Field::Pair, entry.group_key));
      for (const Posting& p : entry.postings) document.add_term(p.term, p.wdf);
      document.add_value(slot_of(Field::Path), entry.record.path);
      document.add_value(slot_of(Field::Stamp), encode_stat(entry.stamp));
      database.add_document(document);
    }
    database.commit();
  }

  /// By its own program, if it is there: in this process, its check is nothing for a sanitizer.
  void expect_xapian_finds_nothing() const {
    const test::CommandResult check = test::run_command({"xapian-check", path("index")});
    constexpr int kNotFound = 127;
    if (check.exit_code != kNotFound) {
      EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
    }
  }

  /// Of what both made, but for the metadata, which Xapian's has not.
  void expect_equal() const {
    ASSERT_TRUE(check_tables(path("index"), TableScope::TermLists));
    expect_xapian_finds_nothing();
    Xapian::WritableDatabase database(path("xapian"));
    const Xapian::Database made(path("index"));
    for (auto key = made.metadata_keys_begin(); key != made.metadata_keys_end(); ++key)
      database.set_metadata(*key, made.get_metadata(*key));
    database.commit();
    const std::string ours = everything_in(path("index")), theirs = everything_in(path("xapian"));
    EXPECT_EQ(ours.size(), theirs.size());
    EXPECT_TRUE(ours == theirs);
  }

  const test::TempDir dir_;
  RecordCodec codec_;
  IndexInfo info_;
};

TEST_F(BatchMerge, WritesWhatXapianWrites) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return random() % n; };
  Entries entries;
  for (std::size_t i = 0; i < 300; ++i) {
    IndexEntry entry = entry_of(i);
    std::map<std::string, std::uint32_t> postings;
    // Some terms in each, many in few; long ones, counts beyond a byte, none.
    for (std::size_t n = below(400); n > 0; --n) {
      const std::size_t word = below(4) == 0 ? below(20'000) : below(300);
      std::string term = "t" + std::to_string(word);
      if (word % 50 == 0) term += std::string(below(2) == 0 ? 244 - term.size() : 100, 'x');
      postings[term] =
          static_cast<std::uint32_t>(word % 7 == 0 ? 0 : below(word % 30 == 1 ? 500 : 5));
    }
    for (auto& [term, wdf] : postings) entry.postings.push_back({term, wdf});
    std::shuffle(entry.postings.begin(), entry.postings.end(), random);
    // Data of no bytes but the head's to some blocks of a table, that does not compress.
    for (std::size_t n = below(5) == 0 ? below(50'000) : below(2000); n > 0; --n)
      entry.record.text.push_back(static_cast<char>('!' + below(90)));
    entries.push_back(std::move(entry));
  }
  merge(entries, 37);
  let_xapian_write(entries);
  expect_equal();
}

// Numbers of documents from 32,768 on have three bytes in keys; lists and values have many chunks.
TEST_F(BatchMerge, ManyDocuments) {
  Entries entries;
  for (std::size_t i = 0; i < 33'500; ++i) {
    entries.push_back(entry_of(i));
    entries.back().postings.push_back({"everywhere", static_cast<std::uint32_t>(1 + i % 200)});
    if (i % 1000 == 999) entries.back().postings.push_back({"seldom", 1});
  }
  merge(entries, 5000);
  let_xapian_write(entries);
  expect_equal();
}

TEST_F(BatchMerge, ManyBatchesInRounds) {
  Entries entries;
  for (std::size_t i = 0; i < 600; ++i) {
    entries.push_back(entry_of(i));
    entries.back().postings.push_back({"t" + std::to_string(i % 10), 2});
  }
  merge(entries, 2);
  let_xapian_write(entries);
  expect_equal();
}

TEST_F(BatchMerge, NoDocument) {
  merge({}, 1);
  auto reader = IndexReader::open_generation(path("index"));
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->stored_files()->empty());
  ASSERT_TRUE(check_tables(path("index"), TableScope::TermLists));
  let_xapian_write({});
  expect_equal();
}

// An update changes what was merged as it changes what Xapian wrote.
TEST_F(BatchMerge, IsUpdated) {
  Entries entries;
  for (std::size_t i = 0; i < 500; ++i) {
    entries.push_back(entry_of(i));
    for (std::size_t k = 0; k < 50; ++k)
      entries.back().postings.push_back({"t" + std::to_string((i * 31 + k * 7) % 900), 1});
    entries.back().record.text = std::string(i * 10, 'a');
  }
  for (const bool is_filled : {true, false}) {
    merge(is_filled ? entries : Entries(), 100);
    auto writer = IndexWriter::open(path("index"));
    ASSERT_TRUE(writer);
    for (std::size_t i = 0; i < 500; i += 3) {
      if (i % 2 == 0) {
        if (!is_filled) continue;
        ASSERT_TRUE(writer->remove(static_cast<std::uint32_t>(i + 1)));
        continue;
      }
      IndexEntry entry = entries[i];
      entry.postings.resize(20);
      entry.postings.push_back({"added", 3});
      ASSERT_TRUE(writer->put(entry));
    }
    ASSERT_TRUE(writer->commit());
    EXPECT_TRUE(check_tables(path("index"), TableScope::TermLists));
    expect_xapian_finds_nothing();
    const Xapian::Database database(path("index"));
    EXPECT_EQ(database.get_termfreq("added"), 83u);
    EXPECT_EQ(database.get_doccount(), is_filled ? 416u : 83u);
    std::filesystem::remove_all(path("index"));
  }
}

}  // namespace
}  // namespace kw
