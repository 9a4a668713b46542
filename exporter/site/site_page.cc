// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/site_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "exporter/site/assets.h"
#include "exporter/site/html.h"
#include "exporter/site/site_links.h"
#include "schema/index/manifest.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// Nothing but what lies beside the page; no style and no script in the page itself.
constexpr std::string_view kPolicy =
    "default-src 'none';script-src 'self';style-src 'self';img-src data:;"
    "form-action 'self';base-uri 'none'";

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
  std::string_view rest = page.folder;
  for (std::size_t end = 0; !rest.empty() && end != std::string_view::npos;) {
    end = page.folder.find('/', page.folder.size() - rest.size());
    add(std::string_view(page.folder).substr(0, end), rest.substr(0, rest.find('/')));
    if (end != std::string_view::npos) rest.remove_prefix(rest.find('/') + 1);
  }
  if (!page.name.empty()) out += fmt::format("<li>{}\n", html(page.name));
  return out + "</ol></nav>\n";
}

/// The way from a page up to the top of the site: "../../", or nothing.
std::string root_of(std::string_view page) {
  std::string root;
  for (const char c : page)
    if (c == '/') root += "../";
  return root;
}

}  // namespace

std::string open_page(const SitePage& page, const SiteFrame& frame) {
  const std::string root = root_of(page.page);
  const std::string project = html(frame.project);
  // The icon is none: without it, browsers ask the server for /favicon.ico and complain.
  std::string out = fmt::format(
      "{}made by kwexport -->\n<html lang=en>\n<meta charset=utf-8>\n"
      "<meta http-equiv=Content-Security-Policy content=\"{}\">\n"
      "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
      "<meta name=color-scheme content=\"light dark\">\n"
      "<link rel=icon href=data:,>\n<title>{}{}{}</title>\n"
      "<link rel=stylesheet href={}{}>\n<script src={}{} defer></script>\n",
      kSitePageMark, kPolicy, html(page.title), page.title.empty() ? "" : " · ", project, root,
      kSiteStyleName, root, kSiteScriptName);
  out += fmt::format(
      "<body>\n<a class=skip href=#Main>Skip to the content</a>\n<header>\n"
      "<a class=home href={}{}>{}</a>\n"
      "<form id=kw-search role=search action={}{}>\n"
      "<label for=kw-query>Search</label>\n"
      "<input id=kw-query name=q type=search autocomplete=off spellcheck=false "
      "placeholder=\"Search names\">\n</form>\n</header>\n",
      root, kFolderPageName, project, root, kFolderPageName);
  if (page.has_path) out += path_list(page, frame);
  return out + "<main id=Main>\n";
}

std::string close_page(const SitePage& page, const SiteFrame& frame) {
  const std::string root = root_of(page.page);
  std::string out = fmt::format("</main>\n<footer><a href={}{}>{}</a>", root, kFolderPageName,
                                html(frame.project));
  out += fmt::format(" · <a href={}{}>All names, A to Z</a>", root, kListPageName);
  return out + " · made by kwexport</footer>\n";
}

std::string html_link(const Link& link, std::string_view page, std::string_view shown) {
  const std::string href = href_of(link, page);
  return href.empty() ? std::string(shown) : fmt::format("<a href={}>{}</a>", href, shown);
}

}  // namespace kw::exporter::site
