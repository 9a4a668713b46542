// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/keyword_index.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "schema/index/group_key.h"
#include "schema/index/terms.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::exporter {
namespace {

// Longer prefixes tell a reader nothing, and names of files have an end.
constexpr std::size_t kMaxPrefixBytes = 24;

/// The numbers of the files below a folder: they stand together in the order of paths.
std::pair<std::size_t, std::size_t> files_below(std::string_view folder, const FileTable& files) {
  const std::vector<std::string>& paths = files.paths();
  if (folder.empty()) return {0, paths.size()};
  const std::string first = std::string(folder) + "/", after = std::string(folder) + "0";
  static_assert('/' + 1 == '0');
  const auto place = [&](const std::string& path) {
    return static_cast<std::size_t>(std::lower_bound(paths.begin(), paths.end(), path) -
                                    paths.begin());
  };
  return {place(first), place(after)};
}

/// The first character of `text`; empty if that is.
std::string_view first_char(std::string_view text) {
  std::size_t length = std::min<std::size_t>(text.size(), 1);
  while (length < text.size() && is_continuation(text[length])) ++length;
  return text.substr(0, length);
}

constexpr std::uint32_t kTypeWeight = 8, kFileWeight = 8;  // of most_used

/// Not a plain word, and not one of capitals alone.
bool reads_as_name(std::string_view name) {
  const bool has_small =
      std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  const bool is_capitalised = name[0] >= 'A' && name[0] <= 'Z';
  return name.size() > 3 && has_small && (is_capitalised || is_code_like(name));
}

}  // namespace

std::string ListPart::slug() const {
  std::string slug;
  for (const char c : prefix) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      slug += c;
    } else {
      slug += '_';
      slug += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
      slug += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
    }
  }
  if (number > 1) slug += "." + std::to_string(number);
  return slug;
}

std::size_t KeywordList::batch_end(std::size_t first) const {
  std::size_t names = 0, end = first;
  while (end < parts_.size() &&
         (end == first || names + parts_[end].names.size() <= KeywordIndex::kMaxNamesAtOnce))
    names += parts_[end++].names.size();
  return end;
}

ListedName ListedNames::name(std::uint32_t number) const {
  ListedName listed;
  std::vector<Entry> definers, users;
  const auto before = [](const Entry& e, std::uint32_t wanted) { return e.name < wanted; };
  auto at = std::lower_bound(entries_.begin(), entries_.end(), number, before);
  for (; at != entries_.end() && at->name == number; ++at)
    ((at->what & KeywordIndex::kDefined) != 0 ? definers : users).push_back(*at);
  listed.name = index_->text(number);
  std::stable_sort(definers.begin(), definers.end(), [&](const Entry& a, const Entry& b) {
    return index_->group_of_entry(a.what) < index_->group_of_entry(b.what);
  });
  std::stable_sort(users.begin(), users.end(),
                   [](const Entry& a, const Entry& b) { return a.what > b.what; });
  for (std::size_t i = 0; i < definers.size() && i < kMaxDefinersListed; ++i)
    listed.definers.push_back({definers[i].file, index_->kinds_[definers[i].what >> 1]});
  for (std::size_t i = 0; i < users.size() && i < kMaxUsersListed; ++i)
    listed.users.push_back(users[i].file);
  listed.more_definers = definers.size() - listed.definers.size();
  listed.more_users = users.size() - listed.users.size();
  return listed;
}

void KeywordIndex::Texts::add(std::string_view text) {
  all_ += text;
  ends_.push_back(all_.size());
}

std::string_view KeywordIndex::Texts::operator[](std::size_t number) const {
  const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
  return std::string_view(all_).substr(begin, ends_[number] - begin);
}

void KeywordIndex::PackedEntries::put(std::uint32_t number) {
  for (; number >= 0x80; number >>= 7) bytes_ += static_cast<char>(0x80 | (number & 0x7f));
  bytes_ += static_cast<char>(number);
}

void KeywordIndex::PackedEntries::add(Entry entry) {
  put(entry.name - last_);
  put(entry.what);
  last_ = entry.name;
}

template <class Use>
void KeywordIndex::PackedEntries::for_each(const Use& use) const {
  const char* at = bytes_.data();
  const auto next = [&at] {
    std::uint32_t number = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at++);
      number |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
  };
  Entry entry{0, 0};
  while (at != bytes_.data() + bytes_.size()) {
    entry.name += next();
    entry.what = next();
    use(entry);
  }
}

/// Reads an index: names are numbered as they come, and by their order once all are there.
class KeywordIndexReader {
 public:
  KeywordIndexReader(IndexReader& reader, const FileTable& files, KeywordIndex& index)
      : reader_(reader), files_(files), index_(index) {}

  Result<void> run() {
    KW_TRY(read_definitions());
    KW_TRY(read_uses());
    KW_TRY(read_unused());
    defined_ = {};
    sort_names();
    return {};
  }

 private:
  using Entry = KeywordIndex::Entry;
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
    index_.of_file_.resize(count);
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
  std::uint32_t add_name(std::string_view name, std::span<Defined> definitions) {
    const auto number = static_cast<std::uint32_t>(index_.names_.size());
    index_.names_.add(name);
    for (Defined& d : definitions) {
      index_.of_file_[d.file].add({number, d.what});
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
          const std::span<Defined> definitions = definitions_of(hash_of(spelling));
          const std::uint32_t number = add_name(spelling, definitions);
          for (const IndexReader::Use& use : uses) {
            const auto file = files_.number_of(use.docid);
            if (!file) continue;
            const auto before = [](const Defined& d, std::size_t wanted) {
              return d.file < wanted;
            };
            const auto at = std::lower_bound(definitions.begin(), definitions.end(), *file, before);
            if (at == definitions.end() || at->file != *file)
              index_.of_file_[*file].add({number, std::min(use.count, kMostUses) << 1});
          }
        });
  }

  /// Names that are defined and no identifier of any text: operators, and what ctags calls the
  /// nameless.
  Result<void> read_unused() {
    std::erase_if(defined_, [](const Defined& d) { return d.what == 0; });
    unused_from_ = static_cast<std::uint32_t>(index_.names_.size());
    std::vector<std::uint32_t> holders;
    for (const Defined& d : defined_) holders.push_back(d.file);
    std::sort(holders.begin(), holders.end());
    holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
    for (const std::uint32_t file : holders) {
      const auto record = KW_TRY(reader_.record(files_.docid_of(file), RecordParts::WithoutText));
      for (const Definition& d : record.definitions) {
        const std::span<Defined> definitions = definitions_of(hash_of(d));
        if (!definitions.empty() && definitions[0].what != 0)
          add_name(term_spelling(d.name), definitions);
      }
    }
    return {};
  }

  /// Names come in the order of the vocabulary, by key: all but a few need no key in memory.
  void sort_names() {
    const auto count = static_cast<std::uint32_t>(index_.names_.size());
    using Keyed = std::pair<std::string, std::uint32_t>;
    const auto is_before = [this](const Keyed& a, const Keyed& b) {
      return std::pair(std::string_view(a.first), text_of(a.second)) <
             std::pair(std::string_view(b.first), text_of(b.second));
    };
    std::vector<std::uint32_t>& order = index_.order_;
    std::vector<Keyed> group, others;  // of one key; out of order
    const auto end_group = [&] {
      std::sort(group.begin(), group.end(), is_before);
      for (const Keyed& name : group) order.push_back(name.second);
      group.clear();
    };
    order.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      Keyed name(name_key(text_of(i)), i);
      if (i >= unused_from_ || (!group.empty() && name.first < group[0].first)) {
        others.push_back(std::move(name));
        continue;
      }
      if (!group.empty() && name.first != group[0].first) end_group();
      group.push_back(std::move(name));
    }
    end_group();
    std::sort(others.begin(), others.end(), is_before);
    std::vector<std::uint32_t> moved;
    for (const Keyed& name : others) moved.push_back(name.second);
    const auto middle = static_cast<std::ptrdiff_t>(order.size());
    order.insert(order.end(), moved.begin(), moved.end());
    std::inplace_merge(order.begin(), order.begin() + middle, order.end(),
                       [&](std::uint32_t a, std::uint32_t b) {
                         return is_before({name_key(text_of(a)), a}, {name_key(text_of(b)), b});
                       });
    number_by_order();
  }

  std::string_view text_of(std::uint32_t name) const { return index_.names_[name]; }

  void number_by_order() {
    index_.numbers_.resize(index_.order_.size());
    for (std::size_t i = 0; i < index_.order_.size(); ++i)
      index_.numbers_[index_.order_[i]] = static_cast<std::uint32_t>(i);
  }

  static constexpr std::uint32_t kMostUses = 0x7fffffff;

  IndexReader& reader_;
  const FileTable& files_;
  KeywordIndex& index_;
  std::uint32_t unused_from_ = 0;  ///< names from here on come in no order
  std::vector<Defined>
      defined_;  ///< by name and file, once all are there; `what` 0: it has a number
};

Result<KeywordIndex> KeywordIndex::read(IndexReader& reader, const FileTable& files) {
  KeywordIndex index;
  KW_TRY(KeywordIndexReader(reader, files, index).run());
  return index;
}

/// The entries of a file that is one of those from `first` to before `end`, without the names that
/// the source which it is about has, if that is one of them.
template <class Use>
void KeywordIndex::for_each_own(std::size_t file, std::size_t first, std::size_t end,
                                const Use& use) const {
  const std::uint32_t source = source_of_[file];
  std::vector<std::uint32_t> said;  // as they came, and so ascending
  if (source != kNoFile && source >= first && source < end)
    of_file_[source].for_each([&said](Entry entry) { said.push_back(entry.name); });
  of_file_[file].for_each([&](Entry entry) {
    if (!std::binary_search(said.begin(), said.end(), entry.name))
      use(Entry{numbers_[entry.name], entry.what});
  });
}

KeywordList KeywordIndex::list(std::string_view folder, const FileTable& files) const {
  enum : std::uint8_t { Unseen, Once, Listed };
  KeywordList list;
  std::tie(list.first_file_, list.end_file_) = files_below(folder, files);
  std::vector<std::uint8_t> seen(names_.size(), Unseen);
  ListPart all;
  for (std::size_t file = list.first_file_; file < list.end_file_; ++file)
    for_each_own(file, list.first_file_, list.end_file_, [&](Entry entry) {
      std::uint8_t& state = seen[entry.name];
      if (state == Listed) return;
      const bool is_defined = (entry.what & kDefined) != 0;
      const bool is_again = state == Once && is_code_like(text(entry.name));
      state = is_defined || is_again ? Listed : Once;
      if (state == Listed) all.names.push_back(entry.name);
    });
  std::sort(all.names.begin(), all.names.end());
  cut(list, std::move(all));
  return list;
}

ListedNames KeywordIndex::names_of(const KeywordList& list, std::size_t first,
                                   std::size_t end) const {
  ListedNames listed;
  listed.index_ = this;
  std::vector<bool> wanted(names_.size());
  for (std::size_t part = first; part < end; ++part)
    for (const std::uint32_t name : list.parts_[part].names) wanted[name] = true;
  for (std::size_t file = list.first_file_; file < list.end_file_; ++file)
    for_each_own(file, list.first_file_, list.end_file_, [&](Entry entry) {
      if (wanted[entry.name])
        listed.entries_.push_back({entry.name, static_cast<std::uint32_t>(file), entry.what});
    });
  using Listed = ListedNames::Entry;
  std::sort(listed.entries_.begin(), listed.entries_.end(), [](const Listed& a, const Listed& b) {
    return std::tie(a.name, a.file) < std::tie(b.name, b.file);
  });
  return listed;
}

std::vector<std::string> KeywordIndex::most_used(std::size_t count, const FileTable& files) const {
  struct Seen {
    std::uint32_t users = 0, definers = 0;
    bool type = false, function = false, has_file = false;
  };
  std::vector<Seen> seen(names_.size());
  for (std::size_t file = 0; file < of_file_.size(); ++file) {
    if (source_of_[file] != kNoFile) continue;
    const std::string_view called = file_name_of(files.paths()[file]);
    const std::string file_key = name_key(called.substr(0, called.find('.')));
    of_file_[file].for_each([&](Entry packed) {
      const Entry entry{numbers_[packed.name], packed.what};
      Seen& name = seen[entry.name];
      if ((entry.what & kDefined) == 0) {
        ++name.users;
        return;
      }
      ++name.definers;
      const DefinitionGroup group = group_of_entry(entry.what);
      name.type |= group == DefinitionGroup::Classes || group == DefinitionGroup::Types;
      name.function |= group == DefinitionGroup::Functions;
      name.has_file |= has_name_key(text(entry.name), file_key);
    });
  }
  std::vector<std::uint32_t> names;
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    const bool is_defined = seen[i].type || seen[i].function;
    if (is_defined && (seen[i].has_file || seen[i].definers <= kMaxDefinersListed) &&
        seen[i].users > 1 && reads_as_name(text(i)))
      names.push_back(i);
  }
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(count, names.size()));
  // A name that several files define is as many things, and types tell more than functions.
  const auto weight = [&](std::uint32_t i) {
    const std::uint32_t of_kind = seen[i].type ? kTypeWeight : 1;
    return seen[i].users * of_kind * (seen[i].has_file ? kFileWeight : 1) /
           (seen[i].has_file ? 1 : seen[i].definers);
  };
  std::partial_sort(names.begin(), end, names.end(), [&](std::uint32_t a, std::uint32_t b) {
    return weight(a) != weight(b) ? weight(a) > weight(b) : a < b;
  });
  std::vector<std::string> out;
  for (auto at = names.begin(); at != end; ++at) out.emplace_back(text(*at));
  return out;
}

/// By the letter after the prefix that its names share, and those parts again, until none is long.
void KeywordIndex::cut(KeywordList& list, ListPart part) const {
  std::vector<ListPart> longer;  // prefixes
  if (part.names.size() > kMaxNamesOfPart && part.prefix.size() < kMaxPrefixBytes) {
    const auto next_letter = [&](std::uint32_t name) {
      const std::string key = name_key(text(name));
      return std::string(
          first_char(std::string_view(key).substr(std::min(part.prefix.size(), key.size()))));
    };
    std::vector<std::uint32_t> rest;
    for (auto from = part.names.begin(), to = from; from != part.names.end(); from = to) {
      const std::string letter = next_letter(*from);
      to = std::find_if(from, part.names.end(),
                        [&](std::uint32_t name) { return next_letter(name) != letter; });
      if (letter.empty() || to - from < static_cast<std::ptrdiff_t>(kMinNamesOfPart))
        rest.insert(rest.end(), from, to);
      else
        longer.push_back({part.prefix + letter, 1, {from, to}});
    }
    part.names = std::move(rest);
  }
  // What has no letters to be cut by is cut by number. The first part of a list is always there.
  const std::vector<std::uint32_t> names = std::move(part.names);
  auto from = names.begin();
  do {
    const auto left = static_cast<std::size_t>(names.end() - from);
    const auto to = from + static_cast<std::ptrdiff_t>(std::min(left, kMaxNamesOfPart));
    part.names.assign(from, to);
    from = to;
    if (!part.names.empty() || list.parts_.empty()) list.parts_.push_back(part);
    ++part.number;
  } while (from != names.end());
  for (ListPart& next : longer) cut(list, std::move(next));
}

std::string folder_of_list(const std::string& folder, const FileTable& files) {
  const auto [begin, end] = files_below(folder, files);
  if (folder.empty() || begin == end) return folder;
  // What the first and the last path share, all between them share.
  const std::string_view first = folder_of(files.paths()[begin]),
                         last = folder_of(files.paths()[end - 1]);
  std::size_t shared = folder.size();
  for (std::size_t i = 0; i <= first.size() && i <= last.size(); ++i) {
    const bool ends =
        (i == first.size() || first[i] == '/') && (i == last.size() || last[i] == '/');
    if (ends) shared = std::max(shared, i);
    if (i == first.size() || i == last.size() || first[i] != last[i]) break;
  }
  return std::string(first.substr(0, shared));
}

}  // namespace kw::exporter
