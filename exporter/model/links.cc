// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/links.h"

#include <utf8proc.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::exporter {
namespace {

// What GitHub's markup renders, and GitLab's; a file more or less costs one needless `?plain=1`.
constexpr std::string_view kRendered[] = {
    "adoc", "asc",  "asciidoc", "creole", "markdown", "md",  "mdown",   "mdwn", "mediawiki",
    "mkd",  "mkdn", "org",      "pod",    "rdoc",     "rst", "textile", "wiki"};
static_assert(std::is_sorted(std::begin(kRendered), std::end(kRendered)));

std::string lower(std::string_view text) {
  std::string out;
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (std::size_t i = 0; i < text.size();) {
    utf8proc_int32_t c = 0;
    const auto n = utf8proc_iterate(bytes + i, static_cast<utf8proc_ssize_t>(text.size() - i), &c);
    if (n <= 0) {
      ++i;
      continue;
    }
    utf8proc_uint8_t small[4];
    out.append(reinterpret_cast<const char*>(small),
               static_cast<std::size_t>(utf8proc_encode_char(utf8proc_tolower(c), small)));
    i += static_cast<std::size_t>(n);
  }
  return out;
}

std::string gitlab_anchor(std::string_view title) {
  const std::string text = lower(title);
  std::string anchor;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = word_char_length(std::string_view(text).substr(i));
    const bool hyphen = text[i] == ' ' || text[i] == '-';
    if (length > 0)
      anchor.append(text, i, length);
    else if (hyphen && !anchor.ends_with('-'))
      anchor += '-';
    i += std::max<std::size_t>(length, 1);
  }
  const bool number =
      !anchor.empty() && anchor.find_first_not_of("0123456789") == std::string::npos;
  return number ? "anchor-" + anchor : anchor;
}

}  // namespace

std::size_t count_folders(std::string_view folder) {
  if (folder.empty()) return 0;
  return static_cast<std::size_t>(std::count(folder.begin(), folder.end(), '/')) + 1;
}

std::string relative_path(std::string_view from_folder, std::string_view to) {
  // Up to the last folder that both have, then down.
  std::size_t shared = 0;
  for (std::size_t i = 0; i <= from_folder.size() && i < to.size(); ++i) {
    const bool folder_ends = i == from_folder.size() || from_folder[i] == '/';
    if (folder_ends && to[i] == '/' && i > 0) shared = i + 1;
    if (i == from_folder.size() || from_folder[i] != to[i]) break;
  }
  std::string path;
  const std::string_view up =
      shared > from_folder.size() ? std::string_view() : from_folder.substr(shared);
  for (std::size_t i = count_folders(up); i > 0; --i) path += "../";
  path += to.substr(shared);
  return path.empty() ? "./" : path;
}

bool is_rendered(std::string_view path) {
  return std::binary_search(std::begin(kRendered), std::end(kRendered), extension_of(path));
}

std::vector<std::string> section_anchors(const std::vector<Section>& sections, Forge forge) {
  std::vector<std::string> anchors;
  anchors.reserve(sections.size());
  std::unordered_map<std::string, std::uint32_t> seen;
  for (const Section& section : sections) {
    switch (forge) {
      case Forge::GitHub:
        anchors.push_back(section.anchor);
        break;
      case Forge::GitLab: {
        const std::string anchor = gitlab_anchor(section.title);
        const std::uint32_t before = seen[anchor]++;
        anchors.push_back(before == 0 ? anchor : anchor + "-" + std::to_string(before));
        break;
      }
    }
  }
  return anchors;
}

std::string source_url_fault(const std::string& url) {
  if (!url.starts_with("https://") && !url.starts_with("http://"))
    return "'" + url + "' is no URL of http or https";
  for (const char c : url)
    if (c <= ' ' || c == 127 || std::string_view("\"'()<>\\`?#").find(c) != std::string_view::npos)
      return "a URL in front of paths holds no blanks, quotes, brackets, '?' or '#'";
  return {};
}

}  // namespace kw::exporter
