// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/keyword_index.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

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
  const auto place = std::lower_bound(numbers_.begin(), numbers_.end(), number) - numbers_.begin();
  const std::size_t begin = place == 0 ? 0 : text_ends_[static_cast<std::size_t>(place) - 1];
  listed.name =
      std::string_view(texts_).substr(begin, text_ends_[static_cast<std::size_t>(place)] - begin);
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

/// Reads what files say of their names, without what the source says which one is about.
class KeywordIndex::OwnEntries {
 public:
  explicit OwnEntries(const KeywordIndex& index)
      : index_(index), files_(index.entries_), sources_(index.entries_) {}

  /// Calls `use` with the entries of a file that is one of those from `first` to before `end`,
  /// without the names that its source has, if that is one of them.
  template <class Use>
  Result<void> for_each(std::size_t file, std::size_t first, std::size_t end, const Use& use) {
    const std::vector<NameEntry>& entries = *KW_TRY(files_.of(file));
    const std::uint32_t source = index_.source_of_[file];
    if (source == kNoFile || source < first || source >= end) {
      for (const NameEntry entry : entries) use(entry);
      return {};
    }
    const std::vector<NameEntry>& said = *KW_TRY(sources_.of(source));
    const auto by_name = [](NameEntry a, NameEntry b) { return a.name < b.name; };
    for (const NameEntry entry : entries)
      if (!std::binary_search(said.begin(), said.end(), entry, by_name)) use(entry);
    return {};
  }

 private:
  const KeywordIndex& index_;
  EntryReader files_, sources_;
};

Result<KeywordList> KeywordIndex::list(std::string_view folder, const FileTable& files) const {
  enum : std::uint8_t { Unseen, Once, Listed };
  KeywordList list;
  std::tie(list.first_file_, list.end_file_) = files_below(folder, files);
  std::vector<std::uint8_t> seen(names_.size(), Unseen);
  ListPart all;
  OwnEntries entries(*this);
  for (std::size_t file = list.first_file_; file < list.end_file_; ++file)
    KW_TRY(entries.for_each(file, list.first_file_, list.end_file_, [&](NameEntry entry) {
      std::uint8_t& state = seen[entry.name];
      if (state == Listed) return;
      const bool is_defined = (entry.what & kDefined) != 0;
      const bool is_again = state == Once && is_code_like_[entry.name];
      state = is_defined || is_again ? Listed : Once;
      if (state == Listed) all.names.push_back(entry.name);
    }));
  std::sort(all.names.begin(), all.names.end());
  KW_TRY(cut(list, std::move(all)));
  return list;
}

Result<ListedNames> KeywordIndex::names_of(const KeywordList& list, std::size_t first,
                                           std::size_t end) const {
  ListedNames listed;
  listed.index_ = this;
  std::vector<bool> wanted(names_.size());
  for (std::size_t part = first; part < end; ++part)
    for (const std::uint32_t name : list.parts_[part].names) {
      wanted[name] = true;
      listed.numbers_.push_back(name);
    }
  std::sort(listed.numbers_.begin(), listed.numbers_.end());
  NameReader names(names_);
  for (const std::uint32_t name : listed.numbers_) {
    listed.texts_ += KW_TRY(names.at(name));
    listed.text_ends_.push_back(listed.texts_.size());
  }
  OwnEntries entries(*this);
  for (std::size_t file = list.first_file_; file < list.end_file_; ++file)
    KW_TRY(entries.for_each(file, list.first_file_, list.end_file_, [&](NameEntry entry) {
      if (wanted[entry.name])
        listed.entries_.push_back({entry.name, static_cast<std::uint32_t>(file), entry.what});
    }));
  using Listed = ListedNames::Entry;
  std::sort(listed.entries_.begin(), listed.entries_.end(), [](const Listed& a, const Listed& b) {
    return std::tie(a.name, a.file) < std::tie(b.name, b.file);
  });
  return listed;
}

/// For each file the numbers of the names that it is called by: from, and behind the last.
Result<std::vector<KeywordIndex::NameRange>> KeywordIndex::names_of_files(
    const FileTable& files) const {
  const auto key_of = [](const std::string& path) {
    const std::string_view called = file_name_of(path);
    return name_key(called.substr(0, called.find('.')));
  };
  std::unordered_map<std::string, NameRange> ranges;
  for (const std::string& path : files.paths()) ranges.try_emplace(key_of(path), 0, 0);
  NameReader names(names_);
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    const auto at = ranges.find(name_key(KW_TRY(names.at(i))));
    if (at == ranges.end()) continue;
    if (at->second.second == 0) at->second.first = i;
    at->second.second = i + 1;
  }
  std::vector<NameRange> of_file;
  for (const std::string& path : files.paths()) of_file.push_back(ranges.at(key_of(path)));
  return of_file;
}

/// The names of types and functions of the tree's own, in order, each with its weight.
Result<std::vector<KeywordIndex::Used>> KeywordIndex::names_used(const FileTable& files) const {
  struct Seen {
    std::uint32_t users = 0;
    std::uint32_t definers : 29 = 0;
    bool type : 1 = false, function : 1 = false, has_file : 1 = false;
  };
  std::vector<Seen> seen(names_.size());
  const std::vector<NameRange> called = KW_TRY(names_of_files(files));
  EntryReader entries(entries_);
  for (std::size_t file = 0; file < source_of_.size(); ++file) {
    if (source_of_[file] != kNoFile) continue;
    for (const NameEntry entry : *KW_TRY(entries.of(file))) {
      Seen& name = seen[entry.name];
      if ((entry.what & kDefined) == 0) {
        ++name.users;
        continue;
      }
      ++name.definers;
      const DefinitionGroup group = group_of_entry(entry.what);
      name.type |= group == DefinitionGroup::Classes || group == DefinitionGroup::Types;
      name.function |= group == DefinitionGroup::Functions;
      name.has_file |= entry.name >= called[file].first && entry.name < called[file].second;
    }
  }
  std::vector<Used> used;
  NameReader names(names_);
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    const Seen& name = seen[i];
    const bool is_own = name.has_file || name.definers <= kMaxDefinersListed;
    if (!(name.type || name.function) || !is_own || name.users < 2) continue;
    if (!reads_as_name(KW_TRY(names.at(i)))) continue;
    // A name that several files define is as many things, and types tell more than functions.
    const std::uint32_t of_kind = name.type ? kTypeWeight : 1;
    used.push_back({i, name.users * of_kind * (name.has_file ? kFileWeight : 1) /
                           (name.has_file ? 1 : name.definers)});
  }
  return used;
}

Result<std::vector<std::string>> KeywordIndex::most_used(std::size_t count,
                                                         const FileTable& files) const {
  std::vector<Used> used = KW_TRY(names_used(files));
  const auto end = used.begin() + static_cast<std::ptrdiff_t>(std::min(count, used.size()));
  std::partial_sort(used.begin(), end, used.end(), [](const Used& a, const Used& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.name < b.name;
  });
  std::vector<std::string> out;
  NameReader names(names_);
  for (auto at = used.begin(); at != end; ++at) out.emplace_back(KW_TRY(names.at(at->name)));
  return out;
}

/// By the letter after the prefix that its names share, and those parts again, until none is long.
Result<void> KeywordIndex::cut(KeywordList& list, ListPart part) const {
  std::vector<ListPart> longer;  // prefixes
  if (part.names.size() > kMaxNamesOfPart && part.prefix.size() < kMaxPrefixBytes) {
    NameReader names(names_);
    std::vector<std::uint32_t> rest;
    std::string letter;  // of the names from `from` on
    auto from = part.names.begin();
    const auto end_letter = [&](std::vector<std::uint32_t>::iterator to) {
      if (letter.empty() || to - from < static_cast<std::ptrdiff_t>(kMinNamesOfPart))
        rest.insert(rest.end(), from, to);
      else
        longer.push_back({part.prefix + letter, 1, {from, to}});
      from = to;
    };
    for (auto at = part.names.begin(); at != part.names.end(); ++at) {
      const std::string key = name_key(KW_TRY(names.at(*at)));
      const std::string_view behind =
          std::string_view(key).substr(std::min(part.prefix.size(), key.size()));
      const std::string_view next = first_char(behind);
      if (next == letter) continue;
      end_letter(at);
      letter = next;
    }
    end_letter(part.names.end());
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
  for (ListPart& next : longer) KW_TRY(cut(list, std::move(next)));
  return {};
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
