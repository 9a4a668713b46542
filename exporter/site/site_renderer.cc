// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/site_renderer.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "exporter/site/assets.h"
#include "exporter/site/file_html.h"
#include "exporter/site/folder_html.h"
#include "exporter/site/keyword_html.h"
#include "exporter/site/search_chunks.h"
#include "exporter/site/site_links.h"
#include "exporter/site/site_names.h"
#include "exporter/site/site_page.h"
#include "exporter/site/sitemap.h"
#include "schema/index/manifest.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// Tells GitHub's pages to show the files as they are: it would leave out `_name`.
constexpr const char* kNoJekyll = ".nojekyll";

class SiteRenderer : public Renderer {
 public:
  SiteRenderer(const IndexedTree& tree, const SiteSettings& settings, const IndexOptions& options,
               SiteNames names)
      : tree_(tree),
        settings_(settings),
        names_(std::move(names)),
        links_(names_, tree.files),
        frame_{settings.project, names_, options.doc_suffixes} {}

  Result<void> add_search(IndexReader& reader) {
    auto chunks = build_search_chunks(reader, tree_.files,
                                      [&](std::size_t number) { return names_.page(number); });
    if (!chunks) return chunks.error();
    for (std::size_t i = 0; i < chunks->size(); ++i)
      add_other(fmt::format("{}/{}", kChunkFolder, chunks->name(i)),
                [this, i] { return chunks_.read(i); });
    chunks_ = *std::move(chunks);
    return {};
  }

  bool has_folder_pages() const override { return true; }
  bool has_list_pages() const override { return true; }

  Result<std::string> name_of_file(const std::string& path) const override {
    const auto number = tree_.files.find(path);
    return inside(number ? names_.page(*number) : std::string(), path);
  }

  Result<std::string> name_of_folder(const std::string& folder) const override {
    return inside(names_.folder_page(folder), folder);
  }

  Result<std::string> name_of_list(const std::string& folder,
                                   std::string_view slug) const override {
    return inside(names_.list_page(folder, slug), folder);
  }

  const PageLinks& links() const override { return links_; }

  Result<std::string> build_file(const FileRecord& record, const Page& page,
                                 Records& records) const override {
    const TextLinks::Tree tree{records, tree_.files, names_, tree_.statistics};
    const std::size_t number = *tree_.files.find(record.path);
    const SitePage place{names_.page(number), record.path, std::string(folder_of(record.path)),
                         std::string(file_name_of(record.path))};
    return build_file_html(page, record, place, frame_, TextLinks(tree, number, record),
                           settings_.source_url);
  }

  Result<std::string> build_folder(const std::string& folder, const FolderPage& model,
                                   const std::vector<FileSummary>& summaries,
                                   Records&) const override {
    SitePage page{names_.folder_page(folder), folder, folder, {}};
    page.has_path = !folder.empty();
    return folder.empty() ? build_home_html(model, page, frame_, tree_.files, summaries)
                          : build_folder_html(model, page, frame_);
  }

  std::string build_list(const std::string& name, const std::string& folder,
                         const KeywordPage& model) const override {
    std::string title = folder.empty() ? "All names" : "Names below " + folder;
    if (!model.part.empty()) title += ": " + model.part;
    const SitePage page{name, std::move(title), folder, "names"};
    return build_keyword_html(model, folder, tree_.files, page, frame_);
  }

  std::vector<std::string> name_others(const std::vector<std::string>& pages) override {
    add_other(std::string(kSiteStyleName), [] { return std::string(kSiteStyle); });
    add_other(std::string(kSiteScriptName), [] { return std::string(kSiteScript); });
    add_other(kNoJekyll,
              [] { return fmt::format("{}no page, and not for Jekyll\n", kGeneratedMark); });
    if (!settings_.base_url.empty()) {
      pages_ = pages;
      const std::vector<std::string> names = sitemap_names(pages.size());
      for (std::size_t i = 0; i < names.size(); ++i)
        add_other(names[i], [this, i] { return build_sitemap(pages_, i, settings_.base_url); });
    }
    std::vector<std::string> names;
    for (const Other& other : others_) names.push_back(other.name);
    return names;
  }

  Result<std::string> build_other(std::size_t number) override { return others_[number].build(); }

 private:
  struct Other {
    std::string name;
    std::function<Result<std::string>()> build;
  };

  void add_other(std::string name, std::function<Result<std::string>()> build) {
    others_.push_back({std::move(name), std::move(build)});
  }

  static Result<std::string> inside(std::string page, const std::string& path) {
    if (!page.empty()) return page;
    return Error{
        ErrorCode::Refused,
        fmt::format("no page is written for '{}': its path leads out of the tree", printable(path)),
        "rebuild the index with: kwindex --rebuild"};
  }

  const IndexedTree& tree_;
  const SiteSettings settings_;
  const SiteNames names_;
  const SiteLinks links_;
  const SiteFrame frame_;
  ChunkSpool chunks_;
  std::vector<Other> others_;       ///< files that are no pages
  std::vector<std::string> pages_;  ///< for the site map
};

}  // namespace

Result<std::unique_ptr<Renderer>> make_site_renderer(IndexReader& reader, const IndexedTree& tree,
                                                     const SiteSettings& settings) {
  if (reader.info().shard != IndexInfo().shard)
    return Error{ErrorCode::Refused, "an index of one shard makes no site",
                 "index the whole tree, or use --format md"};
  auto renderer =
      std::make_unique<SiteRenderer>(tree, settings, reader.info().options, SiteNames(tree.files));
  if (auto added = renderer->add_search(reader); !added) return added.error();
  return std::unique_ptr<Renderer>(std::move(renderer));
}

}  // namespace kw::exporter::site
