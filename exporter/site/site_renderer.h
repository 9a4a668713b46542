// SPDX-License-Identifier: GPL-2.0-or-later
// The format html: a site, with the files of its search, its style sheet and script.
#pragma once

#include <memory>
#include <string>

#include "exporter/model/indexed_tree.h"
#include "exporter/output/renderer.h"
#include "exporter/site/sitemap.h"
#include "schema/base/result.h"
#include "schema/index/index_reader.h"

namespace kw::exporter::site {

struct SiteSettings {
  std::string project;
  std::string source_url;  ///< in front of files' paths: where the tree is shown; empty: nowhere
  std::string base_url;    ///< where the site will lie; empty: it gets no site map and no 404 page
  std::string tree;        ///< where the tree's images are read; empty: they stay links
  Robots robots = Robots::Unsaid;
  std::string date = {};  ///< of the site, for its home and its map; empty: it shows none
};

/// Builds the files of the search, for their names must be known before anything is written.
/// `reader` is not used once it returns; `tree` must outlive the renderer. Refused: an index of one
/// partition, whose pages would lack most of what they link to.
Result<std::unique_ptr<Renderer>> make_site_renderer(IndexReader& reader, const IndexedTree& tree,
                                                     const SiteSettings& settings);

}  // namespace kw::exporter::site
