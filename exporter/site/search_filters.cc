// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/search_filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "exporter/site/chunk_text.h"
#include "schema/index/guard.h"
#include "schema/index/terms.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// Smaller folders are found by all paths, which the script then loads.
constexpr std::size_t kMostFolders = 300;

/// Files in order as runs: those left out before each, and how many follow one another but one.
std::string runs_of(const std::vector<std::size_t>& numbers) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    put_number(out, numbers[i] - next);
    put_number(out, end - i - 1);
    next = numbers[end - 1] + 1;
    i = end;
  }
  return out;
}

std::string filter(Field field, std::string_view value, const std::vector<std::size_t>& numbers) {
  return fmt::format("[{},{},{}]", js_string(field_row(field).name), js_string(value),
                     js_string(runs_of(numbers)));
}

void add_terms(const Xapian::Database& database, const FileTable& files, Field field,
               std::vector<std::string>& filters) {
  const std::string prefix(prefix_of(field));
  for (auto term = database.allterms_begin(prefix); term != database.allterms_end(prefix); ++term) {
    std::vector<std::size_t> numbers;
    for (auto it = database.postlist_begin(*term); it != database.postlist_end(*term); ++it)
      if (const auto number = files.number_of(*it)) numbers.push_back(*number);
    std::sort(numbers.begin(), numbers.end());
    filters.push_back(filter(field, (*term).substr(prefix.size()), numbers));
  }
}

void add_folders(const FileTable& files, std::vector<std::string>& filters) {
  std::map<std::string_view, std::vector<std::size_t>> folders;
  for (std::size_t i = 0; i < files.paths().size(); ++i)
    for (std::string_view at = folder_of(files.paths()[i]); !at.empty(); at = folder_of(at))
      folders[at].push_back(i);
  std::vector<std::size_t> sizes;
  for (const auto& [folder, numbers] : folders) sizes.push_back(numbers.size());
  std::size_t least = 0;
  if (sizes.size() > kMostFolders) {
    std::nth_element(sizes.begin(), sizes.begin() + kMostFolders, sizes.end(), std::greater<>());
    least = sizes[kMostFolders] + 1;
  }
  for (const auto& [folder, numbers] : folders)
    if (numbers.size() >= least) filters.push_back(filter(Field::Folder, folder, numbers));
}

}  // namespace

Result<std::vector<std::string>> build_search_filters(IndexReader& reader, const FileTable& files) {
  const std::string about = fmt::format("cannot read index '{}'", printable(reader.path()));
  return guard(about, [&]() -> std::vector<std::string> {
    std::vector<std::string> filters;
    for (const Field field : {Field::Language, Field::Extension})
      add_terms(reader.database(), files, field, filters);
    add_folders(files, filters);
    return filters;
  });
}

}  // namespace kw::exporter::site
