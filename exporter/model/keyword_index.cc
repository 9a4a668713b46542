// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/keyword_index.h"

#include <algorithm>
#include <iterator>
#include <numeric>
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

ListedName KeywordList::name(std::uint32_t place) const {
  ListedName listed;
  std::vector<Entry> definers, users;
  for (std::size_t i = starts_[place]; i < starts_[place + 1]; ++i)
    ((entries_[i].what & KeywordIndex::kDefined) != 0 ? definers : users).push_back(entries_[i]);
  listed.name = index_->names_[entries_[starts_[place]].name];
  std::stable_sort(definers.begin(), definers.end(), [&](const Entry& a, const Entry& b) {
    return index_->group_of_entry(a.what) < index_->group_of_entry(b.what);
  });
  std::stable_sort(users.begin(), users.end(),
                   [](const Entry& a, const Entry& b) { return a.what > b.what; });
  for (std::size_t i = 0; i < definers.size() && i < kMaxDefinersListed; ++i)
    listed.definers.push_back(
        {definers[i].file, index_->kinds_[definers[i].what & ~KeywordIndex::kDefined]});
  for (std::size_t i = 0; i < users.size() && i < kMaxUsersListed; ++i)
    listed.users.push_back(users[i].file);
  listed.more_definers = definers.size() - listed.definers.size();
  listed.more_users = users.size() - listed.users.size();
  return listed;
}

Result<KeywordIndex> KeywordIndex::read(IndexReader& reader, const FileTable& files) {
  KeywordIndex index;
  const std::size_t count = files.paths().size();
  index.of_file_.resize(count);
  index.source_of_.assign(count, kNoFile);
  const IndexOptions& options = reader.info().options;
  for (std::size_t i = 0; i < count; ++i) {
    auto record = KW_TRY(reader.record(files.docid_of(i), RecordParts::WithoutText));
    index.add_definitions(i, record);
    const std::string key = group_key(files.paths()[i], options.doc_suffixes, options.doc_root);
    if (key == files.paths()[i]) continue;
    if (const auto source = files.find(key))
      index.source_of_[i] = static_cast<std::uint32_t>(*source);
  }
  KW_TRY(index.add_uses(reader, files));
  index.sort_names();
  return index;
}

std::uint32_t KeywordIndex::intern(std::string_view name) {
  // As terms have it, so that definitions and uses of one name meet, however long it is.
  const auto [at, is_new] =
      numbers_.try_emplace(term_spelling(name), static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(at->first);
  return at->second;
}

std::uint32_t KeywordIndex::kind_number(std::string_view kind) {
  const auto at = std::find(kinds_.begin(), kinds_.end(), kind);  // a few dozen at most
  const auto number = static_cast<std::uint32_t>(at - kinds_.begin());
  if (at == kinds_.end()) {
    kinds_.emplace_back(kind);
    groups_.push_back(group_of_kind(kind));
  }
  return number;
}

void KeywordIndex::add_definitions(std::size_t file, const FileRecord& record) {
  std::vector<Entry>& entries = of_file_[file];
  for (const Definition& d : record.definitions) {
    if (d.name.empty()) continue;
    entries.push_back({intern(d.name), kDefined | kind_number(d.kind)});
  }
  // One entry a name: a class before its constructor, else the first in the file.
  std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    return std::pair(a.name, group_of_entry(a.what)) < std::pair(b.name, group_of_entry(b.what));
  });
  entries.erase(std::unique(entries.begin(), entries.end(),
                            [](const Entry& a, const Entry& b) { return a.name == b.name; }),
                entries.end());
}

Result<void> KeywordIndex::add_uses(IndexReader& reader, const FileTable& files) {
  std::vector<std::size_t> defined(of_file_.size());  // of a file: its first entries
  for (std::size_t i = 0; i < defined.size(); ++i) defined[i] = of_file_[i].size();
  return reader.for_each_use(
      [&](const std::string& spelling, std::uint32_t in_files) {
        return numbers_.contains(spelling) || (in_files > 1 && is_code_like(spelling));
      },
      [&](const std::string& spelling, const std::vector<IndexReader::Use>& uses) {
        const std::uint32_t name = intern(spelling);
        for (const IndexReader::Use& use : uses) {
          const auto file = files.number_of(use.docid);
          if (!file) continue;
          std::vector<Entry>& entries = of_file_[*file];
          const auto end = entries.begin() + static_cast<std::ptrdiff_t>(defined[*file]);
          const auto at = std::lower_bound(
              entries.begin(), end, name,
              [](const Entry& entry, std::uint32_t wanted) { return entry.name < wanted; });
          if (at == end || at->name != name)
            entries.push_back({name, std::min(use.count, kDefined - 1)});
        }
      });
}

void KeywordIndex::sort_names() {
  numbers_ = {};
  std::vector<std::string> keys;
  keys.reserve(names_.size());
  for (const std::string& name : names_) keys.push_back(name_key(name));
  std::vector<std::uint32_t> order(names_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(keys[a], names_[a]) < std::tie(keys[b], names_[b]);
  });
  std::vector<std::uint32_t> places(order.size());
  std::vector<std::string> names;
  names.reserve(order.size());
  keys_.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    places[order[i]] = static_cast<std::uint32_t>(i);
    names.push_back(std::move(names_[order[i]]));
    keys_.push_back(std::move(keys[order[i]]));
    code_like_.push_back(is_code_like(names.back()));
  }
  names_ = std::move(names);
  for (std::vector<Entry>& entries : of_file_) {
    for (Entry& entry : entries) entry.name = places[entry.name];
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.name < b.name; });
    entries.shrink_to_fit();
  }
}

KeywordList KeywordIndex::list(std::string_view folder, const FileTable& files) const {
  KeywordList list;
  list.index_ = this;
  const auto [begin, end] = files_below(folder, files);
  std::size_t count = 0;
  for (std::size_t file = begin; file < end; ++file) count += of_file_[file].size();
  list.entries_.reserve(count);
  for (std::size_t file = begin; file < end; ++file)
    for (const Entry& entry : of_file_[file])
      list.entries_.push_back({entry.name, static_cast<std::uint32_t>(file), entry.what});
  std::sort(list.entries_.begin(), list.entries_.end(),
            [](const KeywordList::Entry& a, const KeywordList::Entry& b) {
              return std::tie(a.name, a.file) < std::tie(b.name, b.file);
            });
  keep_listed(list);
  ListPart all;
  all.names.resize(list.starts_.size() - 1);
  std::iota(all.names.begin(), all.names.end(), 0u);
  cut(list, std::move(all));
  return list;
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
    for (const Entry& entry : of_file_[file]) {
      Seen& name = seen[entry.name];
      if ((entry.what & kDefined) == 0) {
        ++name.users;
        continue;
      }
      ++name.definers;
      const DefinitionGroup group = group_of_entry(entry.what);
      name.type |= group == DefinitionGroup::Classes || group == DefinitionGroup::Types;
      name.function |= group == DefinitionGroup::Functions;
      name.has_file |= keys_[entry.name] == file_key;
    }
  }
  std::vector<std::uint32_t> names;
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    const bool is_defined = seen[i].type || seen[i].function;
    if (is_defined && (seen[i].has_file || seen[i].definers <= kMaxDefinersListed) &&
        seen[i].users > 1 && reads_as_name(names_[i]))
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
  for (auto at = names.begin(); at != end; ++at) out.push_back(names_[*at]);
  return out;
}

/// Drops what the rule leaves out, and finds where each name begins.
void KeywordIndex::keep_listed(KeywordList& list) const {
  using Listed = KeywordList::Entry;
  std::vector<Listed>& entries = list.entries_;
  std::vector<Listed> own;  // of one name
  std::size_t kept = 0;
  for (auto from = entries.begin(), to = from; from != entries.end(); from = to) {
    to = std::find_if(from, entries.end(), [&](const Listed& e) { return e.name != from->name; });
    const auto has_source = [&](const Listed& entry) {
      const std::uint32_t source = source_of_[entry.file];
      const auto at = std::lower_bound(
          from, to, source, [](const Listed& e, std::uint32_t wanted) { return e.file < wanted; });
      return at != to && at->file == source;
    };
    own.clear();
    std::remove_copy_if(from, to, std::back_inserter(own), has_source);
    const bool defined = std::any_of(own.begin(), own.end(),
                                     [](const Listed& e) { return (e.what & kDefined) != 0; });
    if (!defined && !(code_like_[from->name] && own.size() > 1)) continue;
    list.starts_.push_back(kept);
    for (const Listed& entry : own) entries[kept++] = entry;
  }
  entries.resize(kept);
  list.starts_.push_back(kept);
}

/// By the letter after the prefix that its names share, and those parts again, until none is long.
void KeywordIndex::cut(KeywordList& list, ListPart part) const {
  std::vector<ListPart> longer;  // prefixes
  if (part.names.size() > kMaxNamesOfPart && part.prefix.size() < kMaxPrefixBytes) {
    const auto next_letter = [&](std::uint32_t place) {
      const std::string_view key = keys_[list.entries_[list.starts_[place]].name];
      return first_char(key.substr(std::min(part.prefix.size(), key.size())));
    };
    std::vector<std::uint32_t> rest;
    for (auto from = part.names.begin(), to = from; from != part.names.end(); from = to) {
      const std::string_view letter = next_letter(*from);
      to = std::find_if(from, part.names.end(),
                        [&](std::uint32_t place) { return next_letter(place) != letter; });
      if (letter.empty() || to - from < static_cast<std::ptrdiff_t>(kMinNamesOfPart))
        rest.insert(rest.end(), from, to);
      else
        longer.push_back({part.prefix + std::string(letter), 1, {from, to}});
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
