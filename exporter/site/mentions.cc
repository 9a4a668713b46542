// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/mentions.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// Pairs of a scope and a name that are known, at most: 64 MiB. Linux has half as many.
constexpr std::size_t kMostDefined = std::size_t{8} << 20;
// Longer names are no query.
constexpr std::size_t kLongestName = 100;

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<signed char>(c) < 0;
}

/// The key of a name, made in place of the last one's.
void assign_key(std::string& key, std::string_view name) {
  key.clear();
  for (const char c : name) {
    if (static_cast<signed char>(c) < 0) break;
    if (c != '_') key += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  if (key.empty() || !is_ascii(name)) key = name_key(name);
}

std::uint64_t hash_of(std::string_view name_key, std::string_view scope_key) {
  return XXH3_64bits_withSeed(name_key.data(), name_key.size(),
                              XXH3_64bits(scope_key.data(), scope_key.size()));
}

/// The last part of a scope as ctags writes it, without template arguments.
std::string_view last_part(std::string_view scope) {
  scope = scope.substr(0, scope.find('<'));
  while (!scope.empty() && !is_name_byte(scope.back())) scope.remove_suffix(1);
  return scope.substr(scope.find_last_of(":.#/\\") + 1);
}

/// The length of what may stand between a scope and a name at the start of `text`; 0: none does.
std::size_t sign_length(std::string_view text) {
  if (text[0] == '.' || text[0] == '#' || text[0] == '\\') return 1;
  return text.starts_with("::") || text.starts_with("->") ? 2 : 0;
}

/// Hashes of the names that a file defines, each with its scope or a part of its module.
std::vector<std::uint64_t> pairs_of(const FileRecord& record) {
  std::vector<std::uint64_t> pairs;
  std::string name, part;
  const auto add = [&](std::string_view scope) {
    if (scope.empty() || scope.starts_with("__anon")) return;
    assign_key(part, scope);
    pairs.push_back(hash_of(name, part));
  };
  for (const Definition& d : record.definitions) {
    if (d.name.empty() || d.name.size() > kLongestName) continue;
    assign_key(name, d.name);
    if (!d.scope.empty()) {
      add(last_part(d.scope));
      continue;
    }
    // What stands in no scope is called by its module: a folder's name or the file's own.
    for (std::string_view path = record.path; !path.empty(); path = folder_of(path)) {
      const std::string_view last = file_name_of(path);
      add(last.substr(0, last.find('.', 1)));
    }
  }
  return pairs;
}

void sort_unique(std::vector<std::uint64_t>& hashes) {
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

}  // namespace

void Mentions::add_definitions(const FileRecord& record) {
  if (defined_.size() >= kMostDefined) return;
  const std::vector<std::uint64_t> own = pairs_of(record);
  defined_.insert(defined_.end(), own.begin(), own.end());
}

void Mentions::add_text(std::uint32_t file, const FileRecord& record) {
  if (!std::exchange(is_sorted_, true)) {
    sort_unique(defined_);
    defined_.shrink_to_fit();
  }
  if (defined_.empty()) return;
  own_ = pairs_of(record);
  sort_unique(own_);
  const std::string_view text = record.text;
  for (std::size_t at = 1; at < text.size(); ++at) {
    at = std::min(text.find_first_of(".:-#\\", at), text.size());
    if (at == text.size() || !is_name_byte(text[at - 1])) continue;
    const std::size_t length = sign_length(text.substr(at));
    std::size_t begin = at, end = at + length;
    if (length == 0) continue;
    while (begin > 0 && at - begin <= kLongestName && is_name_byte(text[begin - 1])) --begin;
    while (end < text.size() && end - at <= kLongestName && is_name_byte(text[end])) ++end;
    if (end > at + length)
      add(file, text.substr(begin, at - begin), text[at + length - 1],
          text.substr(at + length, end - at - length));
  }
}

void Mentions::add(std::uint32_t file, std::string_view scope, char sign, std::string_view name) {
  assign_key(key_, name);
  assign_key(scope_key_, scope);
  const std::uint64_t pair = hash_of(key_, scope_key_);
  if (!std::binary_search(defined_.begin(), defined_.end(), pair) ||
      std::binary_search(own_.begin(), own_.end(), pair))
    return;
  key_ += '.';
  if (sign != '.') key_ += sign;
  key_ += scope_key_;
  std::vector<std::uint32_t>& files = files_[key_];
  if (files.empty() || files.back() != file) files.push_back(file);
}

Mentions::Files Mentions::take() {
  Files files;
  for (auto& [key, of_key] : files_) files.emplace(key, std::move(of_key));
  files_.clear();
  defined_ = own_ = {};
  return files;
}

}  // namespace kw::exporter::site
