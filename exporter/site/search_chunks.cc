// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/search_chunks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exporter/site/assets.h"
#include "exporter/site/html.h"
#include "exporter/site/markdown_html.h"
#include "exporter/site/mentions.h"
#include "exporter/site/packed_text.h"
#include "exporter/site/search_filters.h"
#include "exporter/site/search_terms.h"
#include "exporter/site/site_names.h"
#include "schema/base/fault_guard.h"
#include "schema/index/group_key.h"
#include "schema/index/record.h"
#include "schema/index/terms.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// All sizes are characters as they stand in the file; gzip makes about half of them. Under a bound
// of 60,000 no shard can be over 64 kB when compressed, whatever is in it.
constexpr std::size_t kMostBytes = 60'000;
// A search reads one or two of these a word.
constexpr std::size_t kTermsLeast = 8'000, kTermsMost = 16'000;
// Lists from this length on lie apart; of those of one word, a search reads all.
constexpr std::size_t kLongList = 600;
constexpr std::size_t kListsMost = 16'000;
// A search reads one for each result that lies in another part of the tree.
constexpr std::size_t kDetailsLeast = 3'000, kDetailsMost = 8'000;
// The search for a file reads all of these.
constexpr std::size_t kPathsLeast = 16'000, kPathsMost = 48'000;
// Definitions and sections of one file that are kept, by characters; those behind have no line to
// show.
constexpr std::size_t kMostOfOneFile = 48'000;
// The texts of small files that lie beside one another are one chunk. A result that is shown needs
// one, as lines of it are.
constexpr std::size_t kTextsLeast = 4'000, kTextsMost = 16'000;
// A larger one is cut, and kept up to so many parts.
constexpr std::size_t kTextPart = 40'000, kMostTextParts = 32;
// Filters, which a page of results reads all.
constexpr std::size_t kFiltersMost = 30'000;
// Files whose lengths are in one shard.
constexpr std::size_t kNumbersFiles = 2'048;
// A chunk that is the only one of its kind is stored in the head up to this size: most searches
// read it, and on Lighthouse's slow phone network (150 ms, 1.6 Mbit/s) a request takes as long as
// 30 kB.
constexpr std::size_t kHeldMost = 3'000;

/// Bytes that both begin with, in whole characters.
std::size_t shared_bytes(std::string_view before, std::string_view key) {
  std::size_t shared = 0;
  while (shared < before.size() && shared < key.size() && before[shared] == key[shared]) ++shared;
  while (shared > 0 && shared < key.size() && is_continuation(key[shared])) --shared;
  return shared;
}

/// The length of a text as the script counts, in units of UTF-16.
std::size_t units_of(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text)
    units += is_continuation(c) ? 0 : static_cast<unsigned char>(c) >= 0xF0 ? 2 : 1;
  return units;
}

/// A length as its first digits and how many follow, as one number; and those that follow, if any.
void put_length(std::string& rounded, std::string& rests, std::uint64_t length) {
  const int more = std::max(0, static_cast<int>(std::bit_width(length)) - kRoundDigits);
  put_number(rounded, std::uint64_t{kRoundHalf} * static_cast<unsigned>(more) + (length >> more));
  if (more > 0) put_number(rests, length & ((std::uint64_t{1} << more) - 1));
}

/// The shortest beginning of `key` that stands behind `before`, the key in front of it.
std::string separator(std::string_view before, std::string_view key) {
  std::size_t end = shared_bytes(before, key) + 1;
  while (end < key.size() && is_continuation(key[end])) ++end;
  return std::string(key.substr(0, end));
}

std::string array_of(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ","));
}

/// Arrays of JavaScript of at most so many characters, if their items are not longer.
std::vector<std::string> arrays_of(const std::vector<std::string>& items, std::size_t most) {
  std::vector<std::string> arrays, some;
  std::size_t bytes = 0;
  for (const std::string& item : items) {
    if (!some.empty() && bytes + item.size() > most) {
      arrays.push_back(array_of(some));
      some.clear();
      bytes = 0;
    }
    some.push_back(item);
    bytes += item.size();
  }
  if (!some.empty()) arrays.push_back(array_of(some));
  return arrays;
}

/// A folder with its slash; empty stays so.
std::string folder_prefix(std::string folder) {
  if (!folder.empty() && !folder.ends_with('/')) folder += '/';
  return folder;
}

/// Rising numbers, each as what it is more than the one before.
std::string steps_between(const std::vector<std::size_t>& numbers) {
  std::string steps;
  std::size_t before = 0;
  for (const std::size_t number : numbers) {
    put_number(steps, number - before);
    before = number;
  }
  return steps;
}

/// How many files of each origin follow one another.
std::string runs_of_origins(const std::vector<std::uint8_t>& origins) {
  std::string runs;
  for (std::size_t i = 0; i < origins.size();) {
    const std::size_t from = i;
    while (i < origins.size() && origins[i] == origins[from]) ++i;
    put_number(runs, (i - from) * std::size(kOriginsBestFirst) + origins[from]);
  }
  return runs;
}

/// What is shown of a file; `texts`: where its text is.
std::string details_of(const FileRecord& record, const std::string& page,
                       const std::string& texts) {
  const bool is_usual = page == record.path + ".html" && is_utf8(record.path);
  std::string out =
      fmt::format("[{},{},{}", js_string(record.path), is_usual ? "0" : js_string(url_path(page)),
                  js_string(is_change_log(file_name_of(record.path)) ? "" : record.title));
  std::string definitions, sections;
  std::uint32_t line = 0;
  for (const Definition& d : record.definitions) {
    std::string one = fmt::format("{}{},{},{},{}", definitions.empty() ? "" : ",", d.line - line,
                                  js_string(d.name), js_string(d.kind), js_string(d.scope));
    if (definitions.size() + one.size() > kMostOfOneFile) break;
    definitions += one;
    line = d.line;
  }
  line = 0;
  for (const Section& s : record.sections) {
    std::string one = fmt::format("{}{},{}", sections.empty() ? "" : ",", s.first_line - line,
                                  js_string(s.title));
    if (definitions.size() + sections.size() + one.size() > kMostOfOneFile) break;
    sections += one;
    line = s.first_line;
  }
  return out + fmt::format(",[{}],[{}],[{}]]", definitions, sections, texts);
}

/// All paths, each as what it shares with the one before and the rest: for names of files. No path
/// holds two slashes in a row, which part them.
std::vector<std::string> path_chunks(const FileTable& files, const PageOf& page_of) {
  ChunkCutter cutter(kPathsLeast, kPathsMost);
  std::vector<std::string> chunks;
  std::string before;
  for (std::size_t i = 0; i < files.paths().size(); ++i) {
    const std::string& path = files.paths()[i];
    if (cutter.begins(path, path.size()) || chunks.empty()) {
      chunks.emplace_back();
      before.clear();
    }
    std::string& data = chunks.back();
    const std::size_t shared = is_utf8(path) && is_utf8(before) ? shared_bytes(before, path) : 0;
    const bool is_usual = page_of(i) == path + ".html" && is_utf8(path);
    if (!data.empty()) data += kPathEnd;
    put_number(data, units_of(std::string_view(path).substr(0, shared)) * 2 + (is_usual ? 0 : 1));
    data += std::string_view(path).substr(shared);
    before = path;
  }
  return chunks;
}

/// Keys in their order, each as what it shares with the one before and the rest.
std::string front_coded(const std::vector<std::string>& keys) {
  std::string out, before;
  for (const std::string& key : keys) {
    const std::size_t shared = shared_bytes(before, key);
    if (!out.empty()) out += '\n';
    put_number(out, units_of(std::string_view(key).substr(0, shared)));
    out += std::string_view(key).substr(shared);
    before = key;
  }
  return out;
}

/// The names of chunks, each that of its own bytes.
class ChunkNames {
 public:
  /// Appends the name of a chunk to `names`. Returns it if the caller must write the chunk; nothing
  /// if one of the same bytes has been added.
  std::optional<std::string> add(std::string& names, std::string& data) {
    std::string name = chunk_name(data);
    // Two that differ have one name once in a million sites: a blank makes another of the second.
    for (auto known = known_.find(name); known != known_.end(); known = known_.find(name)) {
      if (known->second == hash_content(data)) {
        names += name;
        return {};
      }
      data += ' ';
      name = chunk_name(data);
    }
    known_.emplace(name, hash_content(data));
    names += name;
    return name;
  }

 private:
  std::map<std::string, ContentHash> known_;
};

/// Everything of one export: stages in order, each adding its shards.
class Shards {
 public:
  Shards(IndexReader& reader, const FileTable& files, const PageOf& page_of, ChunkSpool& spool)
      : reader_(reader), files_(files), page_of_(page_of), spool_(spool) {}

  Result<void> run() {
    numbers_ = KW_TRY(read_file_numbers(reader_, files_));
    for (const auto stage :
         {&Shards::add_numbers, &Shards::read_records, &Shards::add_texts, &Shards::add_terms,
          &Shards::add_details, &Shards::add_paths, &Shards::add_filters})
      KW_TRY((this->*stage)());
    return add_head();
  }

 private:
  /// Adds a chunk, and its name to `names`. `is_only`: it is the only one of its kind.
  Result<void> add(std::string& names, std::string data, bool is_only = false) {
    const std::optional<std::string> name = chunk_names_.add(names, data);
    if (!name) return {};
    if (!is_only || data.size() > kHeldMost)
      return spool_.add(*name + ".js", chunk_script(*name, data));
    held_.push_back(fmt::format("\"{}\":{}", *name, data));
    return {};
  }

  /// Of each file its length, and the files that are one result with it.
  Result<void> add_numbers() {
    const IndexOptions& made = reader_.info().options;
    const auto key_of = [&](std::size_t file) {
      return group_key(files_.paths()[file], made.doc_suffixes, made.doc_root);
    };
    std::unordered_map<std::string, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < files_.paths().size(); ++i) groups[key_of(i)].push_back(i);
    std::string data, rests, others;
    for (std::size_t i = 0; i < files_.paths().size(); ++i) {
      put_length(data, rests, numbers_.lengths[i]);
      const std::string key = key_of(i);
      if (const std::vector<std::size_t>& group = groups[key]; group.size() > 1) {
        put_number(others, i % kNumbersFiles);
        put_number(others, 2 * (group.size() - 1) + (files_.paths()[i] == key ? 1 : 0));
        for (const std::size_t other : group)
          if (other != i)
            put_signed(others, static_cast<std::int64_t>(other) - static_cast<std::int64_t>(i));
      }
      if ((i + 1) % kNumbersFiles == 0 || i + 1 == files_.paths().size()) {
        const bool is_only = files_.paths().size() <= kNumbersFiles;
        KW_TRY(add(number_names_, js_string(data + ' ' + others), is_only));
        KW_TRY(add(rest_names_, js_string(rests), is_only));
        for (std::string* const text : {&data, &rests, &others}) text->clear();
      }
    }
    return {};
  }

  Result<void> read_records() {
    for (std::size_t i = 0; i < files_.paths().size(); ++i) {
      auto record = KW_TRY(reader_.record(files_.docid_of(i), RecordParts::WithoutText));
      mentions_.add_definitions(record);
      facts_.headings.add(record);
    }
    return {};
  }

  /// Entries by key, each chunk with the names of those that hold its long lists.
  Result<void> add_terms() {
    ChunkCutter cutter(kTermsLeast, kTermsMost);
    facts_.mentions = mentions_.take();
    Result<void> end = for_each_search_entry(
        reader_, files_, numbers_, facts_, kLongList, [&](SearchEntry entry) -> Result<void> {
          if (cutter.begins(entry.key, entry.key.size() + entry.body.size())) KW_TRY(end_terms());
          if (terms_.empty()) first_keys_.push_back(separator(last_key_, entry.key));
          add_entry(entry);
          return add_long_lists(entry.long_lists);
        });
    if (!end || terms_.empty()) return end;
    return end_terms();
  }

  void add_entry(const SearchEntry& entry) {
    const std::size_t shared = terms_.empty() ? 0 : shared_bytes(last_key_, entry.key);
    if (!terms_.empty()) terms_ += '\n';
    put_number(terms_, units_of(std::string_view(entry.key).substr(0, shared)));
    terms_ += std::string_view(entry.key).substr(shared);
    terms_ += ' ';
    terms_ += entry.body;
    last_key_ = entry.key;
    // Where its long lists begin: which shard of them, and which place in it.
    if (entry.long_lists.empty()) return;
    terms_ += ' ';
    std::size_t bytes = 0;
    for (const std::string& list : entry.long_lists) bytes += list.size();
    lists_begin_anew_ = !lists_.empty() && lists_bytes_ + bytes > kListsMost;
    put_number(terms_, lists_shard_ + (lists_begin_anew_ ? 1 : 0));
    put_number(terms_, lists_begin_anew_ ? 0 : lists_.size());
  }

  /// A word's lists go on into the next shard where they do not fit.
  Result<void> add_long_lists(std::vector<std::string>& lists) {
    if (lists.empty()) return {};
    if (lists_begin_anew_) KW_TRY(end_lists());
    for (std::string& list : lists) {
      if (!lists_.empty() && lists_bytes_ + list.size() > kMostBytes) KW_TRY(end_lists());
      lists_bytes_ += list.size();
      lists_.push_back(std::move(list));
    }
    return {};
  }

  Result<void> end_lists() {
    std::vector<std::string> strings;
    for (const std::string& list : lists_) strings.push_back(js_string(list));
    lists_.clear();
    lists_bytes_ = 0;
    ++lists_shard_;
    return add(list_names_, array_of(strings));
  }

  Result<void> end_terms() {
    if (!lists_.empty()) KW_TRY(end_lists());
    lists_shard_ = 0;
    auto added = add(term_names_, js_string(list_names_ + '\n' + terms_));
    list_names_.clear();
    terms_.clear();
    return added;
  }

  /// The texts of files, each chunk an array of them, packed.
  Result<void> add_texts() {
    ChunkCutter cutter(kTextsLeast, kTextsMost);
    texts_.resize(files_.paths().size());
    std::string data;
    std::size_t first = 0, held = 0;  // those of the chunk under way
    const auto end = [&]() -> Result<void> {
      if (held == 0) return {};
      std::string name;
      KW_TRY(add(name, js_string(KW_TRY(pack_text('[' + data + ']')))));
      for (std::size_t k = 0; k < held; ++k) texts_[first + k] = fmt::format("{},\"{}\"", k, name);
      data.clear();
      held = 0;
      return {};
    };
    for (std::size_t i = 0; i < files_.paths().size(); ++i) {
      auto record = KW_TRY(reader_.record(files_.docid_of(i), RecordParts::All));
      allow_time_for(record.text.size());
      mentions_.add_text(static_cast<std::uint32_t>(i), record);
      if (cutter.begins(record.path, record.text.size())) KW_TRY(end());
      if (record.text.size() > kTextsMost) {
        KW_TRY(add_long_text(i, record.text));
        continue;
      }
      if (held == 0) first = i;
      data += (held++ ? "," : "") + js_string(record.text);
    }
    return end();
  }

  /// A text that is no chunk with others: its parts, each but the first with its first line.
  Result<void> add_long_text(std::size_t file, std::string_view text) {
    texts_[file] = "0";
    for (const TextPart& part : text_parts(text, kTextPart, kMostTextParts)) {
      std::string name;
      KW_TRY(add(name, js_string(KW_TRY(pack_text('[' + js_string(part.text) + ']')))));
      if (part.first_line > 1) texts_[file] += fmt::format(",{}", part.first_line);
      texts_[file] += fmt::format(",\"{}\"", name);
    }
    return {};
  }

  /// What is shown of files: path, page, title, definitions, sections, where its text is.
  Result<void> add_details() {
    ChunkCutter cutter(kDetailsLeast, kDetailsMost);
    std::string data;
    const auto end = [&] {
      auto added = add(detail_names_, '[' + data + ']');
      data.clear();
      return added;
    };
    for (std::size_t i = 0; i < files_.paths().size(); ++i) {
      auto record = KW_TRY(reader_.record(files_.docid_of(i), RecordParts::WithoutText));
      const std::string details = details_of(record, page_of_(i), texts_[i]);
      if (cutter.begins(record.path, details.size())) KW_TRY(end());
      if (data.empty())
        first_files_.push_back(i);
      else
        data += ',';
      data += details;
    }
    if (data.empty()) return {};
    return end();
  }

  Result<void> add_paths() {
    for (const std::string& data : path_chunks(files_, page_of_))
      KW_TRY(add(path_names_, js_string(data)));
    return {};
  }

  Result<void> add_filters() {
    const std::vector<std::string> all =
        arrays_of(KW_TRY(build_search_filters(reader_, files_)), kFiltersMost);
    for (const std::string& data : all) KW_TRY(add(filter_names_, data, all.size() == 1));
    return {};
  }

  /// Sizes, where the others begin and what they are called. Read by every search, first; the only
  /// file of the search that keeps its name when its bytes change.
  Result<void> add_head() {
    const IndexOptions& made = reader_.info().options;
    std::vector<std::string> suffixes;
    for (const std::string& suffix : made.doc_suffixes) suffixes.push_back(js_string(suffix));
    const std::string head = fmt::format(
        "{{script:\"{}\",files:{},length:{},numbers:{},postings:{},docRoot:{},docSuffixes:{},"
        "origins:{},"
        "details:{},terms:{},"
        "chunks:{{n:\"{}\",r:\"{}\",t:\"{}\",d:\"{}\",f:\"{}\",l:\"{}\"}},held:{{{}}}}}",
        kSiteScriptVersion, files_.paths().size(), numbers_.total_length, kNumbersFiles,
        kMaxChunkPostings, js_string(folder_prefix(made.doc_root)), array_of(suffixes),
        js_string(runs_of_origins(numbers_.origins)), js_string(steps_between(first_files_)),
        js_string(front_coded(first_keys_)), number_names_, rest_names_, term_names_, detail_names_,
        path_names_, filter_names_, fmt::join(held_, ","));
    return spool_.add(std::string(kHeadChunkName), chunk_script("head", head));
  }

  IndexReader& reader_;
  const FileTable& files_;
  const PageOf& page_of_;
  ChunkSpool& spool_;
  FileNumbers numbers_;
  Mentions mentions_;
  TextFacts facts_;
  std::vector<std::string> first_keys_;   // of the term shards: as much as tells them
  std::vector<std::size_t> first_files_;  // of the detail shards
  std::string terms_, last_key_;          // the term shard under way
  std::vector<std::string> lists_;        // the shard of long lists under way
  std::size_t lists_bytes_ = 0, lists_shard_ = 0;
  bool lists_begin_anew_ = false;
  ChunkNames chunk_names_;
  std::vector<std::string> held_;  // chunks that the head holds: "name:data"
  // Of the chunks of a kind, in order.
  std::string number_names_, rest_names_, term_names_, detail_names_, path_names_, filter_names_;
  std::string list_names_;          // of the term shard under way
  std::vector<std::string> texts_;  // of each file: its place in a chunk, and the chunk's name
};

}  // namespace

Result<ChunkSpool> build_search_chunks(IndexReader& reader, const FileTable& files,
                                       const PageOf& page_of) {
  auto spool = KW_TRY(ChunkSpool::create());
  KW_TRY(Shards(reader, files, page_of, spool).run());
  KW_TRY(spool.end());
  return spool;
}

}  // namespace kw::exporter::site
