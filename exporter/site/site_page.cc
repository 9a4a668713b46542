// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/site_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "exporter/site/assets.h"
#include "exporter/site/html.h"
#include "exporter/site/site_links.h"
#include "exporter/site/site_names.h"
#include "schema/index/manifest.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// Nothing but what lies beside the page; no style and no script in the page itself.
constexpr std::string_view kPolicy =
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;"
    "connect-src 'self';form-action 'self';base-uri 'none'";

// More of a path are no help: its first folder and the last ones are shown.
constexpr std::ptrdiff_t kPathFolders = 24;

std::string path_list(const SitePage& page, const SiteFrame& frame) {
  std::string out = "<nav class=path aria-label=Path><ol>\n";
  const auto add = [&](std::string_view folder, std::string_view shown) {
    const std::string to = frame.names.folder_page(folder);
    const std::string href = url_path(relative_path(folder_of(page.page), to));
    out += to == page.page || to.empty()
               ? fmt::format("<li>{}\n", html(shown))
               : fmt::format("<li><a href={}>{}</a>\n", href, html(shown));
  };
  add("", frame.project);
  std::ptrdiff_t below = std::count(page.folder.begin(), page.folder.end(), '/');
  const std::ptrdiff_t count = below + 1;
  const std::string_view folder = page.folder;
  for (std::size_t begin = 0; begin < folder.size(); --below) {
    const std::size_t end = std::min(folder.find('/', begin), folder.size());
    if (below + 1 == count || below < kPathFolders)
      add(folder.substr(0, end), folder.substr(begin, end - begin));
    else if (below == kPathFolders)
      out += "<li>…\n";
    begin = end + 1;
  }
  if (!page.name.empty()) out += fmt::format("<li>{}\n", html(page.name));
  return out + "</ol></nav>\n";
}

/// The way from a page up to the top of the site: "../../", or nothing.
std::string root_of(std::string_view page, const SiteFrame& frame) {
  if (page == kMissingPageName) return frame.base_url;  // it is shown in any folder
  std::string root;
  for (const char c : page)
    if (c == '/') root += "../";
  return root;
}

/// What programs read: search engines, and those that preview a link.
std::string head_of(const SitePage& page, const SiteFrame& frame) {
  const std::string title = page.title.empty() ? frame.project : page.title;
  std::string out = fmt::format("<meta property=og:title content={}>\n", attribute(title));
  if (!page.description.empty())
    out += fmt::format("<meta name=description content={}>\n", attribute(page.description));
  const bool has_place = page.page != kMissingPageName;
  if (!frame.base_url.empty() && has_place)
    out += fmt::format("<link rel=canonical href=\"{}{}\">\n", frame.base_url, url_path(page.page));
  if (frame.is_hidden || !has_place) out += "<meta name=robots content=noindex>\n";
  return out;
}

constexpr std::string_view kResults =
    "<div class=found>\n<div id=kw-filters role=region aria-label=Filters></div>\n<div>\n"
    "<p id=kw-status role=status aria-live=polite></p>\n<ol id=kw-results></ol>\n</div>\n</div>\n"
    "<noscript><p>The search needs JavaScript. All else works without it: the <a "
    "href=\"{0}{1}\">folders</a>, and the list of <a href=\"{0}{2}\">all names, A to Z</a>.</p>"
    "</noscript>\n";

}  // namespace

std::string open_page(const SitePage& page, const SiteFrame& frame) {
  const std::string root = root_of(page.page, frame);
  const std::string project = html(frame.project);
  std::string out = fmt::format(
      "{}made by kwexport -->\n<html lang=en>\n<meta charset=utf-8>\n"
      "<meta http-equiv=Content-Security-Policy content=\"{}\">\n"
      "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
      "<meta name=color-scheme content=\"light dark\">\n<title>{}{}{}</title>\n",
      kSitePageMark, kPolicy, html(page.title), page.title.empty() ? "" : " · ", project);
  out += head_of(page, frame);
  // The theme's script is no deferred one: the page must not flash in other colours.
  out += fmt::format(
      "<link rel=icon href={0}{1}>\n<link rel=stylesheet href={0}{2}>\n<script src={0}{3}>"
      "</script>\n<script src={0}{4}?{5} defer></script>\n",
      root, kSiteIconName, kSiteStyleName, kSiteThemeName, kSitePageScriptName, kSiteScriptVersion);
  if (page.page == kSearchPageName)
    // The script asks for the head when it runs: by then it is on its way.
    out += fmt::format(
        "<link rel=preload as=script href={0}{3}/{4}>\n<script src={0}{1}?{2} defer></script>\n",
        root, kSiteScriptName, kSiteScriptVersion, kChunkFolder, kHeadChunkName);
  out += fmt::format(
      "<body>\n<a class=skip href=#Main>Skip to the content</a>\n<header>\n"
      "<a class=home href={0}{1}>{2}</a>\n"
      "<form id=kw-search role=search action={0}{3}>\n"
      "<label for=kw-query>Search</label>\n"
      "<input id=kw-query name=q type=search autocomplete=off spellcheck=false "
      "placeholder=\"Search {4}\">\n</form>\n</header>\n",
      root, kFolderPageName, project, kSearchPageName, "names, words, files");
  if (page.has_path) out += path_list(page, frame);
  return out + "<main id=Main>\n";
}

std::string close_page(const SitePage& page, const SiteFrame& frame) {
  const std::string root = root_of(page.page, frame);
  std::string out = fmt::format("</main>\n<footer><a href={}{}>{}</a>", root, kFolderPageName,
                                html(frame.project));
  out += fmt::format(" · <a href={}{}>All names, A to Z</a>", root, kListPageName);
  return out + " · made by kwexport</footer>\n";
}

std::string build_search_html(const SiteFrame& frame) {
  SitePage page{std::string(kSearchPageName), "Search", {}, {}};
  page.has_path = false;
  page.description = fmt::format("Search names, words and files of {}.", frame.project);
  return open_page(page, frame) + "<h1>Search</h1>\n" +
         fmt::format(kResults, "", kFolderPageName, kListPageName) + close_page(page, frame);
}

std::string build_missing_html(const SiteFrame& frame) {
  SitePage page{std::string(kMissingPageName), "Page not found", {}, {}};
  page.has_path = false;
  return open_page(page, frame) +
         "<h1>Page not found</h1>\n<p>No page has this URL. Below are those that have its words."
         "</p>\n" +
         fmt::format(kResults, frame.base_url, kFolderPageName, kListPageName) +
         close_page(page, frame);
}

std::string html_link(const Link& link, std::string_view page, std::string_view shown) {
  const std::string href = href_of(link, page);
  return href.empty() ? std::string(shown) : fmt::format("<a href={}>{}</a>", href, shown);
}

}  // namespace kw::exporter::site
