// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/site_renderer.h"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exporter/model/page_names.h"
#include "exporter/site/assets.h"
#include "exporter/site/description.h"
#include "exporter/site/file_html.h"
#include "exporter/site/folder_html.h"
#include "exporter/site/html.h"
#include "exporter/site/keyword_html.h"
#include "exporter/site/markdown_html.h"
#include "exporter/site/search_chunks.h"
#include "exporter/site/site_links.h"
#include "exporter/site/site_names.h"
#include "exporter/site/site_page.h"
#include "exporter/site/sitemap.h"
#include "exporter/site/tree_images.h"
#include "schema/base/fault_guard.h"
#include "schema/index/manifest.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// Tells GitHub's pages to show the files as they are: it would leave out `_name`.
constexpr const char* kNoJekyll = ".nojekyll";
// Which chunks are of the export before, so that the next removes them.
constexpr std::string_view kOldChunksName = "search/old.txt";

/// A URL that names of pages can be put behind; empty stays so.
std::string with_slash(std::string url) {
  if (!url.empty() && !url.ends_with('/')) url += '/';
  return html_url(url);
}

/// The files before and after each in its folder.
class Neighbours {
 public:
  explicit Neighbours(const FileTable& files)
      : before_(files.paths().size(), kNone), after_(before_) {
    std::unordered_map<std::string_view, std::size_t> last;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      const auto [at, is_first] = last.try_emplace(folder_of(files.paths()[i]), i);
      if (is_first) continue;
      before_[i] = at->second;
      after_[at->second] = i;
      at->second = i;
    }
  }

  std::optional<std::size_t> before(std::size_t file) const { return some(before_[file]); }
  std::optional<std::size_t> after(std::size_t file) const { return some(after_[file]); }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static std::optional<std::size_t> some(std::size_t file) {
    return file == kNone ? std::nullopt : std::optional(file);
  }

  std::vector<std::size_t> before_, after_;  ///< by the numbers of the file table
};

class SiteRenderer : public Renderer {
 public:
  SiteRenderer(const IndexedTree& tree, const SiteSettings& settings, const IndexOptions& options,
               SiteNames names)
      : tree_(tree),
        settings_(settings),
        names_(std::move(names)),
        links_(names_, tree.files),
        frame_{settings.project, names_, options.doc_suffixes, with_slash(settings.base_url),
               settings.robots == Robots::None},
        neighbours_(tree.files) {}

  Result<void> add_search(IndexReader& reader) {
    auto chunks = KW_TRY(build_search_chunks(
        reader, tree_.files, [&](std::size_t number) { return names_.page(number); }));
    for (std::size_t i = 0; i < chunks.size(); ++i)
      add_other(fmt::format("{}/{}", kChunkFolder, chunks.name(i)),
                [this, i] { return chunks_.read(i); });
    chunks_ = std::move(chunks);
    return {};
  }

  /// Reads the documents for the images that they name.
  Result<void> add_images(IndexReader& reader) {
    if (settings_.tree.empty()) return {};
    for (std::size_t i = 0; i < tree_.files.paths().size(); ++i) {
      if (!is_rendered(tree_.files.paths()[i])) continue;
      auto record = KW_TRY(reader.record(tree_.files.docid_of(i), RecordParts::All));
      allow_time_for(record.text.size());
      images_.add_document(record.path, record.text);
    }
    KW_TRY(images_.read(settings_.tree));
    const std::vector<std::string> names = images_.names();
    for (std::size_t i = 0; i < names.size(); ++i)
      add_other(names[i], [this, i] { return images_.bytes(i); });
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
    const TextLinks::Tree tree = text_tree(records);
    const std::size_t number = *tree_.files.find(record.path);
    const SitePage place{names_.page(number),
                         title_of(record),
                         std::string(folder_of(record.path)),
                         std::string(file_name_of(record.path)),
                         true,
                         describe(record, page)};
    return build_file_html(page, record, place, frame_, TextLinks(tree, number, record),
                           {settings_.source_url, link_to(neighbours_.before(number)),
                            link_to(neighbours_.after(number))});
  }

  Result<std::string> build_folder(const std::string& folder, const FolderPage& model,
                                   const std::vector<FileSummary>& summaries,
                                   Records& records) const override {
    SitePage page{names_.folder_page(folder), folder, folder, {}};
    page.has_path = !folder.empty();
    auto readme = KW_TRY(readme_of(model, folder, page.page, records));
    page.description = readme.about;
    if (page.description.empty())
      page.description = fmt::format("Folders and files of {}{}{}.", settings_.project,
                                     folder.empty() ? "" : ": ", folder);
    if (!folder.empty()) return build_folder_html(model, page, frame_, readme.html);
    const HomeFacts facts{tree_.files, summaries,
                          KW_TRY(tree_.keywords.most_used(kHomeNames, tree_.files)),
                          settings_.date};
    return build_home_html(model, page, frame_, facts, readme.html);
  }

  std::string build_list(const std::string& name, const std::string& folder,
                         const KeywordPage& model) const override {
    std::string title = folder.empty() ? "All names" : "Names below " + folder;
    if (!model.part.empty()) title += ": " + model.part;
    SitePage page{name, std::move(title), folder, "names"};
    page.description = fmt::format("{}{}: where each is defined and used.", page.title,
                                   folder.empty() ? " of " + settings_.project : "");
    return build_keyword_html(model, folder, tree_.files, page, frame_);
  }

  std::vector<std::string> name_others(const std::vector<std::string>& pages,
                                       OutputDir& dir) override {
    const auto add_asset = [this](std::string_view name, std::string_view bytes) {
      add_other(std::string(name), [bytes] { return std::string(bytes); });
    };
    add_asset(kSiteStyleName, kSiteStyle);
    add_asset(kSiteScriptName, kSiteScript);
    add_asset(kSitePageScriptName, kSitePageScript);
    add_asset(kSiteThemeName, kSiteTheme);
    add_asset(kSiteIconName, kSiteIcon);
    add_other(kNoJekyll,
              [] { return fmt::format("{}no page, and not for Jekyll\n", kGeneratedMark); });
    add_other(std::string(kSearchPageName), [this] { return build_search_html(frame_); });
    if (settings_.robots != Robots::Unsaid)
      add_other(std::string(kRobotsName),
                [this] { return build_robots(settings_.robots, frame_.base_url); });
    if (!settings_.base_url.empty()) {
      add_other(std::string(kMissingPageName), [this] { return build_missing_html(frame_); });
      pages_ = pages;
      const std::vector<std::string> names = sitemap_names(pages.size());
      for (std::size_t i = 0; i < names.size(); ++i)
        add_other(names[i],
                  [this, i] { return build_sitemap(pages_, i, frame_.base_url, settings_.date); });
    }
    name_kept_chunks(dir);
    std::vector<std::string> names;
    for (const Other& other : others_) names.push_back(other.name);
    return names;
  }

  bool is_kept_once(const std::string& file) const override { return kept_.contains(file); }

  Result<std::string> build_other(std::size_t number) override { return others_[number].build(); }

 private:
  struct Other {
    std::string name;
    std::function<Result<std::string>()> build;
  };

  TextLinks::Tree text_tree(Records& records) const {
    return {records, tree_.files, names_, tree_.statistics, images_};
  }

  static std::string title_of(const FileRecord& record) {
    std::string title = record.language == "markdown" ? document_title(record) : std::string();
    return title.empty() ? std::string(file_name_of(record.path)) : title;
  }

  struct Readme {
    std::string html, about;
  };

  /// A folder's README as it stands on the page `page` of the folder; empty for none.
  Result<Readme> readme_of(const FolderPage& model, const std::string& folder,
                           const std::string& page, Records& records) const {
    for (const std::string_view wanted : {"readme.md", "readme.markdown", "index.md", "_index.md"})
      for (const FolderPage::File& file : model.files) {
        if (fold(file.link.text) != wanted) continue;
        const auto number = tree_.files.find(path_in(folder, file.link.text));
        if (!number) continue;
        auto record = KW_TRY(records.read(tree_.files.docid_of(*number), RecordParts::All));
        if (record.language != "markdown") continue;
        const TextLinks links(text_tree(records), *number, record, page);
        return Readme{build_readme_html(record, links), first_paragraph(record)};
      }
    return Readme();
  }

  /// To a file of the same folder; to nowhere for none.
  Link link_to(std::optional<std::size_t> number) const {
    if (!number) return {};
    const std::string& path = tree_.files.paths()[*number];
    return links_.to_page(std::string(file_name_of(path)), folder_of(path), path);
  }

  /// Chunks of the last export that this one has no more stay until the next: a reader may have a
  /// page open that reads them.
  void name_kept_chunks(OutputDir& dir) {
    std::set<std::string> wanted;
    for (const Other& other : others_) wanted.insert(other.name);
    const std::string old = dir.read(std::string(kOldChunksName));
    std::string list;
    for (const std::string& file : dir.pages()) {
      const bool is_chunk = file.starts_with(fmt::format("{}/", kChunkFolder)) &&
                            file.ends_with(".js") && !wanted.contains(file);
      if (!is_chunk || old.find("\n" + file + "\n") != std::string::npos) continue;
      kept_.insert(file);
      list += file + '\n';
    }
    if (list.empty()) return;
    add_other(std::string(kOldChunksName), [list] {
      return fmt::format("{}files of the export before\n{}", kGeneratedMark, list);
    });
  }

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
  const Neighbours neighbours_;
  ChunkSpool chunks_;
  TreeImages images_;
  std::set<std::string> kept_;      ///< files of the last export
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
  KW_TRY(renderer->add_search(reader));
  KW_TRY(renderer->add_images(reader));
  return std::unique_ptr<Renderer>(std::move(renderer));
}

}  // namespace kw::exporter::site
