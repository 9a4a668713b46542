// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/search_terms.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <optional>

#include "exporter/site/chunk_text.h"
#include "schema/index/guard.h"
#include "schema/index/terms.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

std::string about_search(IndexReader& reader) {
  return fmt::format("cannot read index '{}'", printable(reader.path()));
}

struct FilePosting {
  std::uint32_t file, wdf;
  std::uint16_t headings = 0;  ///< of a list of headings
};

/// The terms of one field, in order; `key` is what an entry is found by.
class FieldTerms {
 public:
  FieldTerms(const Xapian::Database& database, Field field)
      : field_(field),
        at_(database.allterms_begin(std::string(prefix_of(field)))),
        end_(database.allterms_end(std::string(prefix_of(field)))) {
    settle();
  }

  bool at_end() const { return term_.empty(); }
  const std::string& term() const { return term_; }
  const std::string& key() const { return key_; }
  void next() {
    ++at_;
    settle();
  }

 private:
  void settle() {
    term_.clear();
    for (; at_ != end_; ++at_) {
      std::string term = *at_;
      if (prefix_of(field_).empty()) {
        // Folded words begin with no capital of ASCII: there stand the prefixes of the others.
        if (term[0] >= 'A' && term[0] <= 'Z') {
          at_.skip_to("[");
          if (at_ == end_) return;
          term = *at_;
        }
        if (word_char_length(term) == 0) continue;  // an operator: the script asks for words
      }
      key_ = term.substr(prefix_of(field_).size());
      if (field_ == Field::Ident) key_.resize(std::min(key_.find(' '), key_.size()));
      term_ = std::move(term);
      return;
    }
  }

  Field field_;
  Xapian::TermIterator at_, end_;
  std::string term_, key_;
};

// The order is that of the bits in an entry's first number; the names have the first, mentions the
// last.
constexpr std::array kTextFields{Field::Part,       Field::DefinitionPart, Field::Section,
                                 Field::Word,       Field::PathWord,       Field::Title,
                                 Field::Description};

class EntryMaker {
 public:
  EntryMaker(IndexReader& reader, const FileTable& files, const FileNumbers& numbers,
             const TextFacts& facts, std::size_t long_list)
      : database_(reader.database()),
        files_(files),
        numbers_(numbers),
        facts_(facts),
        long_list_(long_list) {
    const std::string range(prefix_of(Field::Definition));
    for (auto it = database_.allterms_begin(range); it != database_.allterms_end(range); ++it) {
      const std::string term = *it;
      if (const auto definition = parse_definition_term(term))
        defined_.push_back(hash_of(definition->name));
    }
    std::sort(defined_.begin(), defined_.end());
  }

  Result<void> run(const std::function<Result<void>(SearchEntry)>& take) {
    FieldTerms names(database_, Field::Ident);
    std::vector<FieldTerms> texts;
    for (const Field field : kTextFields) texts.emplace_back(database_, field);
    auto mention = facts_.mentions.begin();
    while (true) {
      const std::string* least = names.at_end() ? nullptr : &names.key();
      for (const FieldTerms& text : texts)
        if (!text.at_end() && (!least || text.key() < *least)) least = &text.key();
      if (mention != facts_.mentions.end() && (!least || mention->first < *least))
        least = &mention->first;
      if (!least) return {};
      entry_ = {*least, {}, {}};
      std::uint64_t fields = !names.at_end() && names.key() == entry_.key ? 1 : 0;
      for (std::size_t i = 0; i < texts.size(); ++i)
        if (!texts[i].at_end() && texts[i].key() == entry_.key) fields |= 2u << i;
      const bool is_mentioned = mention != facts_.mentions.end() && mention->first == entry_.key;
      if (is_mentioned) fields |= 2u << texts.size();
      put_number(entry_.body, fields);
      if (fields & 1) add_names(names);
      for (std::size_t i = 0; i < texts.size(); ++i)
        if (fields & (2u << i)) {
          add_list(texts[i].term(), kTextFields[i] == Field::Section);
          texts[i].next();
        }
      if (is_mentioned) add_mention((mention++)->second);
      KW_TRY(take(std::move(entry_)));
    }
  }

 private:
  static std::uint64_t hash_of(std::string_view name) {
    return XXH3_64bits(name.data(), name.size());
  }

  void add_names(FieldTerms& names) {
    std::vector<std::string> terms;
    for (; !names.at_end() && names.key() == entry_.key; names.next())
      terms.push_back(names.term());
    put_number(entry_.body, terms.size());
    for (const std::string& term : terms) {
      const auto name = parse_ident_term(term);
      // A damaged or hostile index may have a term that ends where its spelling should begin.
      const std::size_t shape_at = prefix_of(Field::Ident).size() + entry_.key.size() + 1;
      const std::string_view shape = std::string_view(term).substr(std::min(shape_at, term.size()));
      put_number(entry_.body, utf16_length(shape));
      entry_.body += shape;
      std::array<std::string, std::size(kDefinitionRanks)> definitions;
      std::uint64_t ranks = 0;
      if (name && std::binary_search(defined_.begin(), defined_.end(), hash_of(name->spelling)))
        for (std::size_t i = 0; i < definitions.size(); ++i) {
          definitions[i] =
              definition_range(name->spelling) + static_cast<char>(kDefinitionRanks[i]);
          if (database_.term_exists(definitions[i])) ranks |= 1u << i;
        }
      put_number(entry_.body, ranks);
      add_list(term);
      for (std::size_t i = 0; i < definitions.size(); ++i)
        if (ranks & (1u << i)) add_list(definitions[i]);
    }
  }

  static std::size_t utf16_length(std::string_view utf8) {
    std::size_t units = 0;
    for (const char c : utf8) {
      if (!is_continuation(c)) ++units;
      if (static_cast<unsigned char>(c) >= 0xF0) ++units;  // a pair of surrogates
    }
    return units;
  }

  /// `is_of_headings`: each file with the headings that have the term.
  void add_list(const std::string& term, bool is_of_headings = false) {
    postings_.clear();
    for (auto it = database_.postlist_begin(term), end = database_.postlist_end(term); it != end;
         ++it)
      if (const auto number = files_.number_of(*it))
        postings_.push_back({static_cast<std::uint32_t>(*number), it.get_wdf()});
    if (is_of_headings)
      for (FilePosting& p : postings_) p.headings = facts_.headings.of(p.file, entry_.key);
    add_postings(is_of_headings);
  }

  void add_mention(const std::vector<std::uint32_t>& files) {
    postings_.clear();
    for (const std::uint32_t file : files) postings_.push_back({file, 1});
    add_postings(false);
  }

  void add_postings(bool with_headings) {
    const std::size_t all = postings_.size();
    if (all > kMaxChunkPostings) keep_best();
    const auto by_file = [](const FilePosting& a, const FilePosting& b) { return a.file < b.file; };
    if (!std::is_sorted(postings_.begin(), postings_.end(), by_file))
      std::sort(postings_.begin(), postings_.end(), by_file);
    std::string list;
    std::uint32_t next = 0;
    for (const FilePosting& p : postings_) {
      // Most words stand in a file once.
      put_number(list, (p.file - next) * 2 + (p.wdf == 1 ? 0 : 1));
      if (p.wdf != 1) put_number(list, p.wdf);
      if (with_headings) put_number(list, p.headings);
      next = p.file + 1;
    }
    const bool is_long = list.size() >= long_list_;
    put_number(entry_.body, all * 2 + (is_long ? 1 : 0));
    if (is_long)
      entry_.long_lists.push_back(std::move(list));
    else
      entry_.body += list;
  }

  /// Originals first, then by this term's part of BM25.
  void keep_best() {
    const double average =
        static_cast<double>(numbers_.total_length) / static_cast<double>(numbers_.lengths.size());
    const auto weight = [&](const FilePosting& p) {
      return p.wdf / (0.5 * (1 + numbers_.lengths[p.file] / average) + p.wdf);
    };
    const auto better = [&](const FilePosting& a, const FilePosting& b) {
      if (numbers_.origins[a.file] != numbers_.origins[b.file])
        return numbers_.origins[a.file] < numbers_.origins[b.file];
      const double wa = weight(a), wb = weight(b);
      return wa != wb ? wa > wb : a.file < b.file;
    };
    std::nth_element(postings_.begin(), postings_.begin() + kMaxChunkPostings, postings_.end(),
                     better);
    postings_.resize(kMaxChunkPostings);
  }

  Xapian::Database& database_;
  const FileTable& files_;
  const FileNumbers& numbers_;
  const TextFacts& facts_;
  const std::size_t long_list_;
  std::vector<std::uint64_t> defined_;  // hashes of defined names: most names are defined nowhere
  std::vector<FilePosting> postings_;
  SearchEntry entry_;
};

}  // namespace

Result<FileNumbers> read_file_numbers(IndexReader& reader, const FileTable& files) {
  return guard(about_search(reader), [&]() -> FileNumbers {
    Xapian::Database& database = reader.database();
    FileNumbers numbers;
    const std::size_t count = files.paths().size();
    numbers.total_length = database.get_total_length();
    numbers.lengths.resize(count);
    for (std::size_t i = 0; i < count; ++i)
      numbers.lengths[i] = database.get_doclength(files.docid_of(i));
    numbers.origins.assign(count, std::size(kOriginsBestFirst) - 1);
    for (std::size_t place = 0; place < std::size(kOriginsBestFirst); ++place) {
      const std::string term = make_term(Field::Origin, kOriginsBestFirst[place]);
      for (auto it = database.postlist_begin(term); it != database.postlist_end(term); ++it)
        if (const auto number = files.number_of(*it))
          numbers.origins[*number] = static_cast<std::uint8_t>(place);
    }
    return numbers;
  });
}

Result<void> for_each_search_entry(IndexReader& reader, const FileTable& files,
                                   const FileNumbers& numbers, const TextFacts& facts,
                                   std::size_t long_list,
                                   const std::function<Result<void>(SearchEntry)>& take) {
  return guard(about_search(reader), [&]() -> Result<void> {
    return EntryMaker(reader, files, numbers, facts, long_list).run(take);
  });
}

}  // namespace kw::exporter::site
