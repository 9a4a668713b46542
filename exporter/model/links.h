// SPDX-License-Identifier: GPL-2.0-or-later
// Where links of a page lead: to files of the tree and their lines and sections, as the forge that
// shows them wants it, and to other pages. Nothing is escaped here: the writers do that.
//
// Sources of the rules: docs.github.com, "Getting permanent links to files" and "Section links";
// docs.gitlab.com, "GitLab Flavored Markdown: heading IDs and links". Both show a line of a file by
// `#L12`, and of a Markdown file, which they render, by `?plain=1#L12`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/index/record.h"

namespace kw::exporter {

enum class Forge { GitHub, GitLab };

struct Link {
  std::string text;
  std::string target;         ///< a path, raw bytes; empty: the text alone
  std::string site = {};      ///< a URL in front of the path, as it was given; empty: relative
  std::string query = {};     ///< behind the path, with its `?`
  std::string fragment = {};  ///< behind the `#`, raw bytes; empty for none

  bool operator==(const Link&) const = default;
};

/// How many folders lie on the way to a path's folder: "a/b" is 2, "" is 0.
std::size_t count_folders(std::string_view folder);

/// The way from a folder to a file or folder, both below one root: "a/b" to "a/c/x" is "../c/x".
std::string relative_path(std::string_view from_folder, std::string_view to);

/// True for a file that forges show rendered, so that it has no lines unless asked for.
bool is_rendered(std::string_view path);

/// The anchors of a page's headings, in their order. GitHub's are those of the record. GitLab's are
/// made from the titles: small letters, digits, `_` and `-` stay, blanks become hyphens, runs of
/// hyphens one; a number alone gets "anchor-" in front, and the second of the same name "-1"
/// behind.
std::vector<std::string> section_anchors(const std::vector<Section>& sections, Forge forge);

/// "" if `url` may stand in front of paths, else what is wrong: it must be of http or https, and
/// hold no byte that would end it in Markdown or HTML.
std::string source_url_fault(const std::string& url);

/// Where the links of a page lead: what a format implements, and the page models ask. `folder`: of
/// the tree, in whose place of the output folder the page lies that has the link. A link without a
/// target where there is no way, or the format has no such page.
class PageLinks {
 public:
  virtual ~PageLinks() = default;

  /// To a file of the tree itself, to a line of it, and to a heading by its anchor.
  virtual Link to_file(std::string text, std::string_view folder,
                       const std::string& path) const = 0;
  virtual Link to_line(std::string text, std::string_view folder, const std::string& path,
                       std::uint32_t line) const = 0;
  virtual Link to_section(std::string text, std::string_view folder, const std::string& path,
                          const std::string& anchor) const = 0;
  /// To the pages that this export makes: about a file, of the folder `to`, and of one page of that
  /// folder's list of keywords (ListPart::slug; "" for the first).
  virtual Link to_page(std::string text, std::string_view folder,
                       const std::string& path) const = 0;
  virtual Link to_folder(std::string text, std::string_view folder, std::string_view to) const = 0;
  virtual Link to_list(std::string text, std::string_view folder, std::string_view to,
                       std::string_view slug) const = 0;

 protected:
  PageLinks() = default;
  PageLinks(const PageLinks&) = default;
  PageLinks& operator=(const PageLinks&) = default;
};

}  // namespace kw::exporter
