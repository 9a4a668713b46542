// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/site_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "exporter/model/folder_page.h"
#include "exporter/model/page_names.h"
#include "exporter/site/assets.h"
#include "schema/index/manifest.h"
#include "schema/index/record.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

constexpr std::size_t kMaxNameBytes = 255;
// Each page says it once a link, and a path has an end: source trees are some twenty deep.
constexpr std::size_t kMaxDepth = 64;
constexpr std::string_view kPageSuffix = ".html";
constexpr std::string_view kUnsafe = "\"*:<>?\\|";  // on Windows

constexpr std::string_view kTopNames[] = {
    kSiteStyleName, kSiteScriptName, kSitePageScriptName, kSiteThemeName,  kSiteIconName,
    kChunkFolder,   kSitemapName,    kRobotsName,         kSearchPageName, kMissingPageName};

/// Devices of Windows, whatever stands behind a dot.
bool is_device(std::string_view folded) {
  const std::string_view stem = folded.substr(0, folded.find('.'));
  if (stem == "con" || stem == "prn" || stem == "aux" || stem == "nul") return true;
  return stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) &&
         stem[3] >= '0' && stem[3] <= '9';
}

/// What kwexport keeps at the top for itself: its manifest, and a file on its way to its place.
bool is_manifest(std::string_view folded) { return folded.starts_with(kManifestName); }

/// Pages that each folder may have beside those of its files.
bool is_own_page(std::string_view folded) {
  return folded == kFolderPageName || folded == kListPageName ||
         (folded.starts_with("sub-") && folded.ends_with(kPageSuffix));
}

std::string safe_name(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    // A character at a time: what printable() would show otherwise is none for a file's name.
    std::size_t length = 1;
    while (length < name.size() && is_continuation(name[length])) ++length;
    const std::string_view c = name.substr(0, length);
    const bool safe = kUnsafe.find(c[0]) == std::string_view::npos && printable(c) == c;
    out += safe ? c : "_";
    name.remove_prefix(length);
  }
  return out;
}

/// The folder of the site that a folder below `site_folder` is placed in.
std::string folder_for_folders(const std::string& site_folder) {
  std::string above = site_folder;
  while (std::count(above.begin(), above.end(), '/') + 1 >= static_cast<std::ptrdiff_t>(kMaxDepth))
    above = folder_of(above);
  return above;
}

std::string short_hash(std::string_view path) { return to_hex(hash_content(path)).substr(0, 8); }

}  // namespace

SiteNames::SiteNames(const FileTable& files) {
  for (const std::string_view name : kTopNames) taken_.emplace(name);
  for (const std::string& folder : folders_of(files)) {  // those above come first
    if (folder.empty()) {
      folders_.emplace("", "");
      continue;
    }
    const auto above = folders_.find(folder_of(folder));
    if (!stays_inside(folder) || above == folders_.end()) continue;
    const std::string in = folder_for_folders(above->second);
    const Where where = in == above->second ? Where::InItsFolder : Where::Elsewhere;
    folders_.emplace(folder, place(in, where, folder, ""));
  }
  pages_.reserve(files.paths().size());
  for (const std::string& path : files.paths()) {
    const auto folder = folders_.find(folder_of(path));
    const bool inside = stays_inside(path) && folder != folders_.end();
    pages_.push_back(inside ? place(folder->second, Where::InItsFolder, path, kPageSuffix)
                            : std::string());
  }
  taken_.clear();
}

std::string SiteNames::list_page(std::string_view folder, std::string_view slug) const {
  return in_folder(folder, list_page_name(kListPageName, slug));
}

std::string SiteNames::in_folder(std::string_view folder, std::string_view name) const {
  const auto at = folders_.find(folder);
  return at == folders_.end() ? std::string() : path_in(at->second, name);
}

/// Takes a free name for `path` in a folder of the site. Elsewhere than in its own folder it always
/// has its hash: another folder of its name may come or go.
std::string SiteNames::place(const std::string& site_folder, Where where, std::string_view path,
                             std::string_view suffix) {
  const std::string_view name = file_name_of(path);
  const std::string above = site_folder.empty() ? "" : site_folder + "/";
  std::string head = safe_name(name);
  bool changed = head != name || where == Where::Elsewhere;
  if (head.ends_with('.') || head.ends_with(' ')) {  // Windows takes them off
    head.back() = '_';
    changed = true;
  }
  const std::string shown = fold(head + std::string(suffix));
  if (is_device(shown) || is_own_page(shown)) {
    head.insert(0, "_");
    changed = true;
  }
  const auto fits = [](const std::string& page) {
    // Some letters are longer in lower case, which is what some file systems keep.
    return page.size() <= kMaxNameBytes && fold(page).size() <= kMaxNameBytes;
  };
  if (!changed && fits(head + std::string(suffix))) {
    const std::string folded = fold(head + std::string(suffix));
    if (!(above.empty() && is_manifest(folded)) && taken_.insert(fold(above) + folded).second)
      return above + head + std::string(suffix);
  }
  // The hash is of the whole path; should it be taken, that of the hash is tried.
  for (std::string hash = short_hash(path);; hash = short_hash(hash)) {
    const std::string tail = fmt::format("-{}{}", hash, suffix);
    std::size_t length = std::min(head.size(), kMaxNameBytes - tail.size());
    const auto whole_characters = [&] {
      while (length > 0 && length < head.size() && is_continuation(head[length])) --length;
    };
    whole_characters();
    while (length > 0 && !fits(head.substr(0, length) + tail)) {
      --length;
      whole_characters();
    }
    std::string free_name = above + head.substr(0, length) + tail;
    if (taken_.insert(fold(free_name)).second) return free_name;
  }
}

}  // namespace kw::exporter::site
