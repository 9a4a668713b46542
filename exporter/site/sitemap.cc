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

std::string with_slash(std::string url) {
  if (!url.ends_with('/')) url += '/';
  return html_url(url);
}

std::string list(std::string_view root, std::string_view item,
                 const std::vector<std::string>& pages, std::size_t begin, std::size_t end,
                 const std::string& base) {
  std::string out =
      fmt::format("{}made by kwexport -->\n<{} xmlns=\"{}\">\n", kSiteMapMark, root, kNamespace);
  for (std::size_t i = begin; i < end; ++i)
    out += fmt::format("<{0}><loc>{1}{2}</loc></{0}>\n", item, base, url_path(pages[i]));
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
                          const std::string& base_url) {
  const std::string base = with_slash(base_url);
  const std::vector<std::string> names = sitemap_names(pages.size());
  if (names.size() == 1) return list("urlset", "url", pages, 0, pages.size(), base);
  if (number == 0) return list("sitemapindex", "sitemap", names, 1, names.size(), base);
  const std::size_t begin = (number - 1) * kMaxSitemapPages;
  return list("urlset", "url", pages, begin, std::min(begin + kMaxSitemapPages, pages.size()),
              base);
}

}  // namespace kw::exporter::site
