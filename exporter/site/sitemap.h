// SPDX-License-Identifier: GPL-2.0-or-later
// The list of a site's pages for search engines (sitemaps.org): their absolute URLs. At most 50,000
// stand in one file, as the protocol has it; a larger site has an index of several.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace kw::exporter::site {

inline constexpr std::size_t kMaxSitemapPages = 50'000;

/// The names of the files that a site of `pages` pages needs, without making them.
std::vector<std::string> sitemap_names(std::size_t pages);

/// The bytes of file `number` of sitemap_names. `base_url` ends in a slash, or gets one.
std::string build_sitemap(const std::vector<std::string>& pages, std::size_t number,
                          const std::string& base_url);

}  // namespace kw::exporter::site
