// SPDX-License-Identifier: GPL-2.0-or-later
// What a site says to search engines: whether they are welcome (robots.txt), and the list of its
// pages (sitemaps.org), by their absolute URLs. At most 50,000 stand in one file, as the protocol
// has it; a larger site has an index of several.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace kw::exporter::site {

inline constexpr std::size_t kMaxSitemapPages = 50'000;

/// The names of the files that a site of `pages` pages needs, without making them.
std::vector<std::string> sitemap_names(std::size_t pages);

/// The bytes of file `number` of sitemap_names. `base_url` ends in a slash. `date`: of the last
/// change, as given (`2026-03-01`); empty for none.
std::string build_sitemap(const std::vector<std::string>& pages, std::size_t number,
                          const std::string& base_url, const std::string& date = {});

enum class Robots {
  Unsaid,  ///< there is no robots.txt
  All,
  None
};

/// robots.txt; it names the site map where there is a `base_url`.
std::string build_robots(Robots robots, const std::string& base_url);

}  // namespace kw::exporter::site
