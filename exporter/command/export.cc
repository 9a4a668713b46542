// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/command/export.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "exporter/command/export_inputs.h"
#include "exporter/markdown/markdown_renderer.h"
#include "exporter/model/indexed_tree.h"
#include "exporter/output/export_run.h"
#include "exporter/output/output_dir.h"
#include "exporter/site/site_renderer.h"
#include "exporter/site/tree_images.h"
#include "schema/base/bounds.h"
#include "schema/base/heap.h"
#include "schema/text/text.h"

namespace fs = std::filesystem;

namespace kw::exporter {
namespace {

/// The name that the pages' foot gives the project: the last folder of the root.
std::string name_of_root(std::string_view root) {
  while (root.size() > 1 && root.ends_with('/')) root.remove_suffix(1);
  return std::string(root == "/" ? root : file_name_of(root));
}

/// Folder pages and lists are of profile full; and an index of one partition knows but some of a
/// folder's files.
PageNames markdown_names(const IndexReader& reader, const KwexportOptions& options) {
  PageNames names{options.page_suffix};
  if (options.profile != Profile::Full || reader.info().shard != IndexInfo().shard) return names;
  names.folder_page = options.folder_page;
  names.list_page = options.list_page;
  return names;
}

/// Where the tree's images are read: around an index that lies in its tree. Any other root is what
/// the index says, and an index may come from elsewhere.
std::string tree_of(const IndexReader& reader, const std::string& root,
                    const KwexportOptions& options) {
  const bool is_inside = fs::path(reader.info().root).is_relative();
  return options.format == Format::Html && is_inside ? root : std::string();
}

/// Pages have no business among the files that git and kwindex keep for themselves.
Result<void> check_place(const std::string& out) {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(fs::absolute(out, error), error);
  for (const fs::path& name : place)
    if (name == ".git" || name == ".kwsearch")
      return Error{ErrorCode::Refused,
                   fmt::format("cannot write pages to '{}': it lies in a folder '{}'",
                               printable(out), name.string()),
                   "choose another folder with --out"};
  return {};
}

Result<std::unique_ptr<Renderer>> make_renderer(IndexReader& reader, const IndexedTree& tree,
                                                const RunSettings& settings,
                                                const KwexportOptions& options,
                                                const std::string& images) {
  if (options.format == Format::Html)
    return site::make_site_renderer(reader, tree,
                                    {settings.page.project, options.source_url, options.base_url,
                                     images, options.robots, options.date});
  const PageNames names = markdown_names(reader, options);
  return std::unique_ptr<Renderer>(std::make_unique<MarkdownRenderer>(
      MarkdownLinks(settings.page.output_depth, options.source_url, names), names));
}

Result<IndexedTree> read_tree(IndexReader& reader, const KwexportOptions& options) {
  IndexedTree tree;
  auto files = KW_TRY(reader.stored_files());
  std::erase_if(files, [&tree](const StoredFile& file) {
    if (file.path.size() <= kMaxPagePathBytes) return false;
    tree.overlong.push_back(file.path);
    return true;
  });
  tree.files = FileTable(files);
  if (options.profile == Profile::Full) {
    tree.statistics = KW_TRY(TreeStatistics::read(reader, tree.files));
  }
  if (options.format == Format::Html || !markdown_names(reader, options).list_page.empty()) {
    tree.keywords = KW_TRY(KeywordIndex::read(reader, tree.files));
  }
  return tree;
}

Result<ExportCounts> export_into(IndexReader& reader, const RunSettings& settings,
                                 const KwexportOptions& options, const std::string& images,
                                 const ExportEvents& events, OutputDir& dir) {
  auto tree = KW_TRY(read_tree(reader, options));
  trim_heap();  // each phase has needed more than it leaves
  auto renderer = KW_TRY(make_renderer(reader, tree, settings, options, images));
  trim_heap();
  return run_export(reader, tree, *renderer, settings, events, dir);
}

RunSettings settings_of(const IndexReader& reader, const std::string& root,
                        const KwexportOptions& options) {
  RunSettings settings;
  settings.page.project = options.project.value_or(name_of_root(root));
  const std::vector<std::string>& suffixes = reader.info().options.doc_suffixes;
  if (!suffixes.empty()) settings.page.doc_suffix = suffixes.front();
  settings.page.output_depth = depth_below(root, options.out);
  settings.page.limit = options.limit;
  settings.profile = options.profile;
  if (options.format == Format::Markdown) settings.forge = options.forge;
  settings.path_prefix = options.path_prefix;
  settings.adopt = options.adopt;
  return settings;
}

}  // namespace

std::optional<std::size_t> depth_below(const std::string& root, const std::string& out) {
  std::error_code error;
  const auto resolve = [&](const fs::path& path) {
    fs::path at = fs::weakly_canonical(fs::absolute(path, error), error);
    return at.has_filename() ? at : at.parent_path();  // without a slash at the end
  };
  const fs::path from = resolve(root);
  const fs::path to = resolve(out);
  if (error) return std::nullopt;
  auto below = to.begin();
  for (const fs::path& name : from)
    if (below == to.end() || *below++ != name) return std::nullopt;
  return static_cast<std::size_t>(std::distance(below, to.end()));
}

Result<ExportCounts> export_pages(IndexReader& reader, const std::string& root,
                                  const KwexportOptions& options, const ExportEvents& events) {
  KW_TRY(check_place(options.out));
  auto dir = KW_TRY(OutputDir::open(
      options.out, options.dry_run ? OutputDir::Mode::DryRun : OutputDir::Mode::Write));
  const RunSettings settings = settings_of(reader, root, options);
  // Pages of a part of the tree are never all that the manifest lists.
  const std::string inputs =
      options.path_prefix.empty()
          ? hash_of_inputs(reader, options, settings.page.project, settings.page.output_depth)
          : "";
  const std::string images = tree_of(reader, root, options);
  // The images that the pages show are inputs, too; the site has a list of them.
  const auto all_inputs = [&] {
    const std::string list = dir.read(std::string(site::kImageListName));
    return inputs.empty() || list.empty() ? inputs : inputs + site::state_of_images(images, list);
  };
  if (const auto kept = dir.kept(all_inputs())) {
    ExportCounts counts;
    counts.pages = kept->pages;
    counts.unchanged = kept->files;
    counts.bytes = kept->bytes;
    return counts;
  }
  const auto counts = KW_TRY(export_into(reader, settings, options, images, events, dir));
  KW_TRY(dir.finish(counts.failed ? "" : all_inputs(), counts.pages));
  return counts;
}

}  // namespace kw::exporter
