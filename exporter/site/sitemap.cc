// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/sitemap.h"

#include <fmt/format.h>

#include <algorithm>

#include "exporter/site/html.h"
#include "exporter/site/site_names.h"
#include "schema/index/manifest.h"

namespace kw::exporter::site {
namespace {

constexpr const char* kNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9";

std::string list(std::string_view root, std::string_view item,
                 const std::vector<std::string>& pages, std::size_t begin, std::size_t end,
                 const std::string& base, const std::string& date) {
  std::string out =
      fmt::format("{}made by kwexport -->\n<{} xmlns=\"{}\">\n", kSiteMapMark, root, kNamespace);
  for (std::size_t i = begin; i < end; ++i)
    out += fmt::format("<{0}><loc>{1}{2}</loc>{3}</{0}>\n", item, base, url_path(pages[i]),
                       date.empty() ? "" : fmt::format("<lastmod>{}</lastmod>", html(date)));
  return out + fmt::format("</{}>\n", root);
}

}  // namespace

std::vector<std::string> sitemap_names(std::size_t pages) {
  std::vector<std::string> names{std::string(kSitemapName)};
  if (pages <= kMaxSitemapPages) return names;
  for (std::size_t i = 0; i * kMaxSitemapPages < pages; ++i)
    names.push_back(fmt::format("sitemap-{}.xml", i + 1));
  return names;
}

std::string build_sitemap(const std::vector<std::string>& pages, std::size_t number,
                          const std::string& base_url, const std::string& date) {
  const std::vector<std::string> names = sitemap_names(pages.size());
  if (names.size() == 1) return list("urlset", "url", pages, 0, pages.size(), base_url, date);
  if (number == 0) return list("sitemapindex", "sitemap", names, 1, names.size(), base_url, date);
  const std::size_t begin = (number - 1) * kMaxSitemapPages;
  return list("urlset", "url", pages, begin, std::min(begin + kMaxSitemapPages, pages.size()),
              base_url, date);
}

std::string build_robots(Robots robots, const std::string& base_url) {
  std::string out = fmt::format("{}for search engines\nUser-agent: *\nDisallow:{}\n",
                                kGeneratedMark, robots == Robots::None ? " /" : "");
  if (!base_url.empty() && robots == Robots::All)
    out += fmt::format("Sitemap: {}{}\n", base_url, kSitemapName);
  return out;
}

}  // namespace kw::exporter::site
