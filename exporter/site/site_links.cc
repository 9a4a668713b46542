// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/site_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "exporter/site/code_html.h"
#include "exporter/site/code_look.h"
#include "exporter/site/destination.h"
#include "exporter/site/html.h"
#include "exporter/site/markdown_html.h"
#include "exporter/site/raw_html.h"
#include "schema/index/group_key.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

/// The line that `L12` names; 0 for none.
std::uint32_t line_of(std::string_view fragment) {
  std::uint32_t line = 0;
  if (!fragment.starts_with('L')) return 0;
  const auto [end, error] =
      std::from_chars(fragment.data() + 1, fragment.data() + fragment.size(), line);
  return error == std::errc() && end == fragment.data() + fragment.size() ? line : 0;
}

bool has_section(const FileRecord& record, std::string_view anchor) {
  return std::any_of(record.sections.begin(), record.sections.end(),
                     [&](const Section& section) { return section.anchor == anchor; });
}

/// For each line of a text: has it more than blanks?
std::vector<bool> written_lines(std::string_view text) {
  std::vector<bool> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end).find_first_not_of(" \t\r\f\v") != std::string_view::npos);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

Link SiteLinks::to_file(std::string text, std::string_view folder, const std::string& path) const {
  const auto number = files_.find(path);
  return to_site_page(std::move(text), folder, number ? names_.page(*number) : std::string());
}

Link SiteLinks::to_line(std::string text, std::string_view folder, const std::string& path,
                        std::uint32_t line) const {
  Link link = to_file(std::move(text), folder, path);
  link.fragment = "L" + std::to_string(line);
  return link;
}

Link SiteLinks::to_section(std::string text, std::string_view folder, const std::string& path,
                           const std::string& anchor) const {
  Link link = to_file(std::move(text), folder, path);
  link.fragment = heading_id(anchor);
  return link;
}

Link SiteLinks::to_page(std::string text, std::string_view folder, const std::string& path) const {
  return to_file(std::move(text), folder, path);
}

Link SiteLinks::to_folder(std::string text, std::string_view folder, std::string_view to) const {
  return to_site_page(std::move(text), folder, names_.folder_page(to));
}

Link SiteLinks::to_list(std::string text, std::string_view folder, std::string_view to,
                        std::string_view slug) const {
  return to_site_page(std::move(text), folder, names_.list_page(to, slug));
}

Link SiteLinks::to_site_page(std::string text, std::string_view folder,
                             const std::string& page) const {
  if (page.empty()) return {std::move(text), {}};
  return {std::move(text), relative_path(folder_of(names_.folder_page(folder)), page)};
}

std::string href_of(const Link& link, std::string_view page) {
  if (link.target.empty()) return {};
  std::string out = link.target == file_name_of(page) ? std::string() : url_path(link.target);
  if (!link.fragment.empty()) out += "#" + url_path(link.fragment);
  return out;
}

TextLinks::TextLinks(const Tree& tree, std::size_t number, const FileRecord& record,
                     const std::string& page)
    : tree_(tree),
      number_(number),
      record_(record),
      page_(page.empty() ? tree.names.page(number) : page) {
  const IndexOptions& options = tree.records.options();
  pair_ = group_key(record.path, options.doc_suffixes, options.doc_root);
}

std::string TextLinks::relative(const std::string& page) const {
  return page.empty() || page == page_ ? std::string()
                                       : url_path(relative_path(folder_of(page_), page));
}

std::string TextLinks::to_definition(std::string_view name, std::string_view family) const {
  const IndexOptions& options = tree_.records.options();
  std::optional<std::size_t> found;
  std::string found_pair;
  for (const std::uint32_t number : tree_.statistics.definers(name)) {
    const std::string& path = tree_.files.paths()[number];
    std::string pair = group_key(path, options.doc_suffixes, options.doc_root);
    if (found && pair != found_pair) return {};  // two that differ
    // Of a source and its pages: this page itself, else the source.
    if (!found || number == number_ || (path == pair && *found != number_)) found = number;
    found_pair = std::move(pair);
  }
  if (!found || tree_.names.page(*found).empty()) return {};
  const std::string_view other = code_look(extension_of(found_pair)).family;
  if (!family.empty() && !other.empty() && family != other) return {};
  return relative(tree_.names.page(*found)) + "#" + definition_anchor(name);
}

std::string TextLinks::to_target(std::string_view url) const {
  if (url.starts_with("//") || url.starts_with('\\')) return {};
  if (has_scheme(url)) return html_link_url(url);
  const std::size_t hash = url.find('#');
  const std::string fragment =
      hash == std::string_view::npos ? "" : percent_decoded(url.substr(hash + 1));
  url = url.substr(0, hash);
  const std::string path = percent_decoded(url.substr(0, url.find('?')));
  if (path.empty()) {
    const std::string anchor = fragment_of(number_, fragment);
    return anchor.empty() ? std::string() : "#" + anchor;
  }
  const auto to = resolve_path(folder_of(record_.path), path);
  if (!to) return {};
  const auto number = tree_.files.find(*to);
  if (!number) return relative(tree_.names.folder_page(*to));
  const std::string anchor = fragment_of(*number, fragment);
  const std::string page = relative(tree_.names.page(*number));
  if (page.empty() && anchor.empty()) return "#Main";
  return anchor.empty() ? page : page + "#" + anchor;
}

std::string TextLinks::to_image(std::string_view url) const {
  const auto path = tree_path_of(folder_of(record_.path), url);
  const std::string_view name = path ? tree_.images.name_of(*path) : std::string_view();
  return name.empty() ? std::string() : relative(std::string(name));
}

/// The anchor of a file's page that a fragment means, ready for a URL; empty if there is none.
std::string TextLinks::fragment_of(std::size_t number, std::string_view fragment) const {
  if (fragment.empty()) return {};
  if (const std::uint32_t line = line_of(fragment); line > 0) {
    const std::vector<bool>& written = written_lines_of(number);
    if (line <= written.size() && written[line - 1]) return url_path(std::string(fragment));
  } else if (number == number_) {
    if (has_section(record_, fragment)) return url_path(heading_id(fragment));
  } else {
    const auto other = tree_.records.read(tree_.files.docid_of(number), RecordParts::WithoutText);
    if (other && has_section(*other, fragment)) return url_path(heading_id(fragment));
  }
  const std::vector<std::string>& anchors = anchors_of(number);
  const bool has_one = std::find(anchors.begin(), anchors.end(), fragment) != anchors.end();
  return has_one ? url_path(std::string(kAuthorAnchor).append(fragment)) : std::string();
}

/// The anchors that raw HTML of a document has.
const std::vector<std::string>& TextLinks::anchors_of(std::size_t number) const {
  const auto [at, is_new] = anchors_.try_emplace(number);
  std::vector<std::string>& anchors = at->second;
  if (is_new) look_at(number, [&](const FileRecord& file) { anchors = author_anchors(file); });
  return anchors;
}

/// Whether each line of a file has more than blanks: only those have an anchor.
const std::vector<bool>& TextLinks::written_lines_of(std::size_t number) const {
  const auto [at, is_new] = written_lines_.try_emplace(number);
  std::vector<bool>& lines = at->second;
  if (is_new) look_at(number, [&](const FileRecord& file) { lines = written_lines(file.text); });
  return lines;
}

/// What cannot be read has no anchors; its own page tells of it.
void TextLinks::look_at(std::size_t number,
                        const std::function<void(const FileRecord&)>& use) const {
  if (number == number_)
    use(record_);
  else
    static_cast<void>(tree_.records.look_at(tree_.files.docid_of(number), use));
}

}  // namespace kw::exporter::site
