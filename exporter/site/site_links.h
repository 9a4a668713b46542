// SPDX-License-Identifier: GPL-2.0-or-later
// Where links of the site lead: from page to page inside it. What the index lacks has no link, and
// no link leads to an anchor that is not there.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exporter/model/file_table.h"
#include "exporter/model/links.h"
#include "exporter/model/records.h"
#include "exporter/model/term_weights.h"
#include "exporter/site/site_names.h"
#include "exporter/site/tree_images.h"

namespace kw::exporter::site {

/// Links of the page models, to the pages of the site.
class SiteLinks : public PageLinks {
 public:
  /// Both must outlive it.
  SiteLinks(const SiteNames& names, const FileTable& files) : names_(names), files_(files) {}

  Link to_file(std::string text, std::string_view folder, const std::string& path) const override;
  Link to_line(std::string text, std::string_view folder, const std::string& path,
               std::uint32_t line) const override;
  Link to_section(std::string text, std::string_view folder, const std::string& path,
                  const std::string& anchor) const override;
  Link to_page(std::string text, std::string_view folder, const std::string& path) const override;
  Link to_folder(std::string text, std::string_view folder, std::string_view to) const override;
  Link to_list(std::string text, std::string_view folder, std::string_view to,
               std::string_view slug) const override;

 private:
  Link to_site_page(std::string text, std::string_view folder, const std::string& page) const;

  const SiteNames& names_;
  const FileTable& files_;
};

/// A link as a URL that needs no quotes on the site's page `page`; one to that page itself is
/// its anchor alone. Empty for a link that leads nowhere.
std::string href_of(const Link& link, std::string_view page);

/// The links of one file's text: uses of names, and what its Markdown links to.
class TextLinks {
 public:
  struct Tree {
    Records& records;
    const FileTable& files;
    const SiteNames& names;
    const TreeStatistics& statistics;
    const TreeImages& images;
  };

  /// `record` must outlive it; it is file `number` of the catalogue. `page`: on which its text
  /// stands; empty for its own.
  TextLinks(const Tree& tree, std::size_t number, const FileRecord& record,
            const std::string& page = {});

  /// Where the use of a name leads: to the file that alone defines it in the tree, a source and the
  /// pages about it counting as one. Not from code to a file of another family of languages, which
  /// means another thing by the name. A URL that needs no quotes, or empty.
  std::string to_definition(std::string_view name, std::string_view family) const;

  /// Where a destination in the page's Markdown leads, for a quoted attribute: to a page of the
  /// site, or as it is where it is of http or https; else empty.
  std::string to_target(std::string_view url) const;

  /// The URL of an image of the tree that the site shows, for a quoted attribute; empty for any
  /// other destination.
  std::string to_image(std::string_view url) const;

 private:
  std::string fragment_of(std::size_t number, std::string_view fragment) const;
  const std::vector<std::string>& anchors_of(std::size_t number) const;
  const std::vector<bool>& written_lines_of(std::size_t number) const;
  void look_at(std::size_t number, const std::function<void(const FileRecord&)>& use) const;
  std::string relative(const std::string& page) const;

  const Tree tree_;
  std::size_t number_;
  const FileRecord& record_;
  std::string pair_;
  std::string page_;
  // By the numbers of files: found once, for a page may have many links to one of them.
  mutable std::unordered_map<std::size_t, std::vector<std::string>> anchors_;
  mutable std::unordered_map<std::size_t, std::vector<bool>> written_lines_;
};

}  // namespace kw::exporter::site
