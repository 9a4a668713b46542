// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/vocabulary.h"

#include <gmock/gmock.h>
#include <zstd.h>

#include <filesystem>
#include <random>

#include "schema/base/bounds.h"
#include "schema/base/xapian_api.h"
#include "schema/index/index_reader.h"
#include "schema/index/metadata.h"
#include "schema/index/terms.h"
#include "tests/support/temp_dir.h"

namespace kw {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class VocabularyTest : public testing::Test {
 protected:
  /// A whole index, as a build makes it: one document a list of terms.
  void build(const std::vector<std::vector<std::string>>& documents) {
    auto batch = BatchWriter::create(path("batch"));
    ASSERT_TRUE(batch);
    for (std::size_t i = 0; i < documents.size(); ++i)
      ASSERT_TRUE(batch->add(entry("f" + std::to_string(i), documents[i])));
    ASSERT_TRUE(batch->finish());
    std::filesystem::remove_all(path("index"));
    ASSERT_TRUE(merge_databases({path("batch")}, path("index"), 1));
  }

  static IndexEntry entry(const std::string& name, const std::vector<std::string>& terms) {
    IndexEntry e;
    e.record.path = name;
    e.group_key = name;
    for (const std::string& term : terms) e.postings.push_back({term, 1});
    return e;
  }

  std::string path(const std::string& name) const { return (dir_ / name).string(); }
  Xapian::Database database() const { return Xapian::Database(path("index")); }

  /// As write_vocabulary() stores it.
  void set_metadata(Meta meta, const std::string& text) const {
    std::string frame(ZSTD_compressBound(text.size()), '\0');
    frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), 1));
    Xapian::WritableDatabase(path("index"), Xapian::DB_OPEN)
        .set_metadata(std::string(key_of(meta)), frame);
  }

  std::vector<std::string> listed(Field field, std::string_view piece) const {
    Vocabulary vocabulary;
    vocabulary.load(database());
    std::vector<std::string> terms;
    vocabulary.for_each(field, piece,
                        [&](const std::string& t) { return terms.push_back(t), true; });
    return terms;
  }

  test::TempDir dir_;
};

TEST_F(VocabularyTest, ListsTheTermsOfAFieldThatHoldAPiece) {
  build({{make_ident_term("meta"), make_ident_term("ViewMeta"), "metal", "Smeta", "Fpath"},
         {make_ident_term("view"), "1", "\xc3\xa4", "XP:meta", "XD:meta 1", "XL:metal"}});
  EXPECT_THAT(listed(Field::Ident, "meta"),
              ElementsAre(make_ident_term("meta"), make_ident_term("ViewMeta")));
  EXPECT_THAT(listed(Field::Word, ""), ElementsAre("1", "metal", "\xc3\xa4"));
  EXPECT_THAT(listed(Field::Word, "tal"), ElementsAre("metal"));
  EXPECT_THAT(listed(Field::Section, ""), ElementsAre("Smeta"));
  EXPECT_THAT(listed(Field::PathWord, "h"), ElementsAre("Fpath"));
  EXPECT_THAT(listed(Field::Part, ""), ElementsAre("XP:meta"));
  EXPECT_THAT(listed(Field::PathWord, "nothing"), IsEmpty());
}

// Bound: kw.vocabulary
// Bound: kw.vocabulary.added
TEST_F(VocabularyTest, IsNotUnfoldedWithoutEnd) {
  for (const auto& [key, most] : {std::pair{Meta::Vocabulary, kMaxVocabularyBytes},
                                  {Meta::AddedVocabulary, kMaxAddedBytes}}) {
    SCOPED_TRACE(key_of(key));
    build({{"word"}});
    // One name of that size, and no line of the other fields.
    const std::string text = std::string(most - 1 - kVocabularyFields.size(), 'a') + "\n" +
                             std::string(kVocabularyFields.size(), '\n');
    ASSERT_EQ(text.size(), most);
    set_metadata(key, text);
    EXPECT_THAT(listed(Field::Ident, "aaaa"), testing::SizeIs(1));
    set_metadata(key, "a" + text);
    EXPECT_THROW(listed(Field::Ident, "aaaa"), Xapian::DatabaseCorruptError);
  }
}

TEST_F(VocabularyTest, ALongListIsWrittenInPieces) {
  std::mt19937 random(3);
  std::vector<std::string> terms;
  for (int i = 0; i < 40'000; ++i)
    terms.push_back(make_ident_term("name" + std::to_string(random())));
  build({terms, {"word", "XP:meta"}});
  const auto written = [&](std::size_t held_bytes) {
    Xapian::WritableDatabase database(path("index"), Xapian::DB_OPEN);
    write_vocabulary(database, held_bytes);
    database.commit();
    return std::pair(listed(Field::Ident, ""), listed(Field::Word, ""));
  };
  const auto held = written(std::size_t{1} << 30), in_pieces = written(1000);
  EXPECT_GT(held.first.size(), 30'000u);
  EXPECT_EQ(in_pieces, held);
}

TEST_F(VocabularyTest, StopsWhereItIsTold) {
  build({{"a", "b", "c"}});
  Vocabulary vocabulary;
  vocabulary.load(database());
  int seen = 0;
  vocabulary.for_each(Field::Word, "", [&](const std::string&) { return ++seen < 2; });
  EXPECT_EQ(seen, 2);
}

TEST_F(VocabularyTest, AnIndexOfNothingListsNothing) {
  build({});
  EXPECT_THAT(listed(Field::Word, ""), IsEmpty());
}

TEST_F(VocabularyTest, SeveralIndexesAreOneList) {
  build({{"b", "d"}});
  Vocabulary vocabulary;
  vocabulary.load(database());
  vocabulary.load(database());
  std::vector<std::string> terms;
  vocabulary.for_each(Field::Word, "",
                      [&](const std::string& t) { return terms.push_back(t), true; });
  EXPECT_THAT(terms, ElementsAre("b", "d"));
}

// Whatever updates did, each term that a document has is listed, and what is listed for none is
// known to be so.
TEST_F(VocabularyTest, FollowsUpdates) {
  std::mt19937 random(7);
  const auto some_terms = [&] {
    std::vector<std::string> terms;
    for (int i = 0; i < 6; ++i) {
      const std::string name = "n" + std::to_string(random() % 50);
      terms.push_back(random() % 2 ? make_ident_term(name) : name);
    }
    return terms;
  };
  build({some_terms(), some_terms(), some_terms()});
  for (int step = 0; step < 20; ++step) {
    auto writer = IndexWriter::open(path("index"));
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->put(entry("f" + std::to_string(random() % 5), some_terms())));
    if (step % 5 == 4) {
      auto reader = IndexReader::open_generation(path("index"));
      const Xapian::Database d = database();
      ASSERT_TRUE(writer->remove(*d.postlist_begin("")));
    }
    ASSERT_TRUE(writer->commit());
    Vocabulary vocabulary;
    vocabulary.load(database());
    EXPECT_FALSE(vocabulary.is_exact());
    for (const Field field : {Field::Ident, Field::Word}) {
      std::set<std::string> held, terms;
      const Xapian::Database d = database();
      for (auto it = d.allterms_begin(); it != d.allterms_end(); ++it)
        if ((*it).starts_with(field == Field::Ident ? "XI:" : "n")) held.insert(*it);
      std::string before;
      vocabulary.for_each(field, "", [&](const std::string& t) {
        EXPECT_LT(before, t) << "in order, once";
        before = t;
        return terms.insert(t), true;
      });
      EXPECT_TRUE(std::includes(terms.begin(), terms.end(), held.begin(), held.end())) << step;
    }
  }
}

TEST_F(VocabularyTest, ADamagedListIsAnError) {
  for (const std::string& bytes : {std::string("\x28\xb5\x2f\xfd"), std::string("no zstd"),
                                   std::string("\x28\xb5\x2f\xfd\x20\x01\x09\x00\x00x", 10)}) {
    build({{"a"}});
    {
      Xapian::WritableDatabase d(path("index"));
      d.set_metadata("kw.vocabulary", bytes);
      d.commit();
    }
    Vocabulary vocabulary;
    EXPECT_THROW(vocabulary.load(database()), Xapian::DatabaseCorruptError);
    std::filesystem::remove_all(path("index"));
  }
}

}  // namespace
}  // namespace kw
