// SPDX-License-Identifier: GPL-2.0-or-later
// How a KeywordIndex is made: definitions from the records, uses from the vocabulary, and then
// names and entries in their order.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "exporter/model/keyword_index.h"
#include "schema/index/group_key.h"
#include "schema/index/terms.h"
#include "schema/text/splitter.h"

namespace kw::exporter {

/// Reads an index: names are numbered as they come, and by their order once all are there.
class KeywordIndexReader {
 public:
  KeywordIndexReader(IndexReader& reader, const FileTable& files, KeywordIndex& index)
      : reader_(reader), files_(files), index_(index) {}

  Result<void> run() {
    came_ = KW_TRY(NameTexts::create());
    entries_.emplace(KW_TRY(EntrySorter::create(files_.paths().size())));
    KW_TRY(read_definitions());
    KW_TRY(read_uses());
    KW_TRY(read_unused());
    std::vector<Defined>().swap(defined_);
    KW_TRY(came_.end());
    index_.names_ = KW_TRY(NameTexts::create());
    KW_TRY(sort_names());
    KW_TRY(index_.names_.end());
    index_.entries_ = KW_TRY(entries_->finish(numbers_));
    return {};
  }

 private:
  /// A definition of a name that has no number yet.
  struct Defined {
    std::uint64_t name;  ///< its hash: of a million two collide once in 37 million trees
    std::uint32_t file;
    std::uint32_t what;

    bool operator<(const Defined& other) const {
      return std::tie(name, file) < std::tie(other.name, other.file);
    }
  };

  static std::uint64_t hash_of(std::string_view name) {
    return XXH3_64bits(name.data(), name.size());
  }

  /// As terms have it, so that definitions and uses of one name meet, however long it is.
  static std::uint64_t hash_of(const Definition& d) { return hash_of(term_spelling(d.name)); }

  Result<void> read_definitions() {
    const std::size_t count = files_.paths().size();
    index_.source_of_.assign(count, KeywordIndex::kNoFile);
    const IndexOptions& options = reader_.info().options;
    for (std::size_t i = 0; i < count; ++i) {
      add_definitions(i, KW_TRY(reader_.record(files_.docid_of(i), RecordParts::WithoutText)));
      const std::string key = group_key(files_.paths()[i], options.doc_suffixes, options.doc_root);
      if (key == files_.paths()[i]) continue;
      if (const auto source = files_.find(key))
        index_.source_of_[i] = static_cast<std::uint32_t>(*source);
    }
    std::sort(defined_.begin(), defined_.end());
    return {};
  }

  void add_definitions(std::size_t file, const FileRecord& record) {
    const std::size_t first = defined_.size();
    for (const Definition& d : record.definitions)
      if (!d.name.empty())
        defined_.push_back({hash_of(d), static_cast<std::uint32_t>(file),
                            kind_number(d.kind) << 1 | KeywordIndex::kDefined});
    // One entry a name: a class before its constructor, else the first in the file.
    const auto begin = defined_.begin() + static_cast<std::ptrdiff_t>(first);
    std::stable_sort(begin, defined_.end(), [&](const Defined& a, const Defined& b) {
      return std::pair(a.name, index_.group_of_entry(a.what)) <
             std::pair(b.name, index_.group_of_entry(b.what));
    });
    const auto same = [](const Defined& a, const Defined& b) { return a.name == b.name; };
    defined_.erase(std::unique(begin, defined_.end(), same), defined_.end());
  }

  std::uint32_t kind_number(std::string_view kind) {
    auto& kinds = index_.kinds_;
    const auto at = std::find(kinds.begin(), kinds.end(), kind);  // a few dozen at most
    const auto number = static_cast<std::uint32_t>(at - kinds.begin());
    if (at == kinds.end()) {
      kinds.emplace_back(kind);
      index_.groups_.push_back(group_of_kind(kind));
    }
    return number;
  }

  std::span<Defined> definitions_of(std::uint64_t name) {
    const auto before = [](const Defined& d, std::uint64_t wanted) { return d.name < wanted; };
    const auto begin = std::lower_bound(defined_.begin(), defined_.end(), name, before);
    auto end = begin;
    while (end != defined_.end() && end->name == name) ++end;
    return {begin, end};
  }

  /// The next number for a name whose definitions these are; they are done with.
  Result<std::uint32_t> add_name(std::string_view name, std::span<Defined> definitions) {
    const std::uint32_t number = came_.size();
    KW_TRY(came_.add(name));
    for (Defined& d : definitions) {
      KW_TRY(entries_->add(d.file, {number, d.what}));
      d.what = 0;
    }
    return number;
  }

  Result<void> read_uses() {
    return reader_.for_each_use(
        [&](const std::string& spelling, std::uint32_t in_files) {
          return !definitions_of(hash_of(spelling)).empty() ||
                 (in_files > 1 && is_code_like(spelling));
        },
        [&](const std::string& spelling, const std::vector<IndexReader::Use>& uses) {
          return add_used(spelling, uses);
        });
  }

  Result<void> add_used(const std::string& spelling, const std::vector<IndexReader::Use>& uses) {
    const std::span<Defined> definitions = definitions_of(hash_of(spelling));
    const std::uint32_t number = KW_TRY(add_name(spelling, definitions));
    for (const IndexReader::Use& use : uses) {
      const auto file = files_.number_of(use.docid);
      if (!file) continue;
      const auto before = [](const Defined& d, std::size_t wanted) { return d.file < wanted; };
      const auto at = std::lower_bound(definitions.begin(), definitions.end(), *file, before);
      if (at == definitions.end() || at->file != *file)
        KW_TRY(entries_->add(*file, {number, std::min(use.count, kMostUses) << 1}));
    }
    return {};
  }

  /// Names that are defined and no identifier of any text: operators, and what ctags calls the
  /// nameless.
  Result<void> read_unused() {
    std::erase_if(defined_, [](const Defined& d) { return d.what == 0; });
    unused_from_ = came_.size();
    std::vector<std::uint32_t> holders;
    for (const Defined& d : defined_) holders.push_back(d.file);
    std::sort(holders.begin(), holders.end());
    holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
    for (const std::uint32_t file : holders) {
      const auto record = KW_TRY(reader_.record(files_.docid_of(file), RecordParts::WithoutText));
      for (const Definition& d : record.definitions) {
        const std::span<Defined> definitions = definitions_of(hash_of(d));
        if (!definitions.empty() && definitions[0].what != 0)
          KW_TRY(add_name(term_spelling(d.name), definitions));
      }
    }
    return {};
  }

  /// A name by its key, which orders it, and where it came.
  struct Keyed {
    std::string key, text;
    std::uint32_t place;

    bool operator<(const Keyed& other) const {
      return std::tie(key, text) < std::tie(other.key, other.text);
    }
  };

  /// Numbers the names by key. They come in the order of the vocabulary, which is that of keys but
  /// for a few: these are held in memory, and the others written as they are read again.
  Result<void> sort_names() {
    numbers_.resize(came_.size());
    std::vector<Keyed> late = KW_TRY(names_out_of_order());
    auto next_late = late.begin();
    std::vector<Keyed> group;  // of one key
    const auto end_group = [&]() -> Result<void> {
      std::sort(group.begin(), group.end());
      for (const Keyed& name : group) {
        for (; next_late != late.end() && *next_late < name; ++next_late)
          KW_TRY(put_name(*next_late));
        KW_TRY(put_name(name));
      }
      group.clear();
      return {};
    };
    auto skipped = late_places_.begin();
    NameReader names(came_);
    for (std::uint32_t i = 0; i < came_.size(); ++i) {
      if (skipped != late_places_.end() && *skipped == i) {
        ++skipped;
        continue;
      }
      Keyed name = KW_TRY(keyed(names, i));
      if (!group.empty() && name.key != group[0].key) KW_TRY(end_group());
      group.push_back(std::move(name));
    }
    KW_TRY(end_group());
    for (; next_late != late.end(); ++next_late) KW_TRY(put_name(*next_late));
    return {};
  }

  /// In order; late_places_ are theirs as they came.
  Result<std::vector<Keyed>> names_out_of_order() {
    std::vector<Keyed> late;
    NameReader names(came_);
    std::string last;
    for (std::uint32_t i = 0; i < came_.size(); ++i) {
      Keyed name = KW_TRY(keyed(names, i));
      if (i >= unused_from_ || name.key < last) {
        late_places_.push_back(i);
        late.push_back(std::move(name));
      } else {
        last = std::move(name.key);
      }
    }
    std::sort(late.begin(), late.end());
    return late;
  }

  static Result<Keyed> keyed(NameReader& names, std::uint32_t place) {
    const std::string_view text = KW_TRY(names.at(place));
    return Keyed{name_key(text), std::string(text), place};
  }

  Result<void> put_name(const Keyed& name) {
    numbers_[name.place] = index_.names_.size();
    index_.is_code_like_.push_back(is_code_like(name.text));
    return index_.names_.add(name.text);
  }

  static constexpr std::uint32_t kMostUses = 0x7fffffff;

  IndexReader& reader_;
  const FileTable& files_;
  KeywordIndex& index_;
  NameTexts came_;                          ///< the names as they came
  std::optional<EntrySorter> entries_;      ///< by their places there
  std::uint32_t unused_from_ = 0;           ///< names from here on come in no order
  std::vector<std::uint32_t> late_places_;  ///< of names out of order, ascending
  std::vector<std::uint32_t> numbers_;      ///< of the names, by place
  std::vector<Defined>
      defined_;  ///< by name and file, once all are there; `what` 0: it has a number
};

Result<KeywordIndex> KeywordIndex::read(IndexReader& reader, const FileTable& files) {
  KeywordIndex index;
  KW_TRY(KeywordIndexReader(reader, files, index).run());
  return index;
}

}  // namespace kw::exporter
