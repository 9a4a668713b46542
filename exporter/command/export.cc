// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/command/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "exporter/markdown/markdown_writer.h"
#include "exporter/model/file_table.h"
#include "exporter/model/folder_page.h"
#include "exporter/model/full_page.h"
#include "exporter/model/keyword_index.h"
#include "exporter/model/keyword_page.h"
#include "exporter/model/page.h"
#include "exporter/model/records.h"
#include "exporter/output/export_inputs.h"
#include "exporter/output/in_order.h"
#include "exporter/output/output_dir.h"
#include "exporter/output/page_output.h"
#include "exporter/site/site_export.h"
#include "schema/index/manifest.h"
#include "schema/text/text.h"

namespace fs = std::filesystem;

namespace kw::exporter {
namespace {

bool is_at_or_below(std::string_view path, std::string_view prefix) {
  return prefix.empty() || path == prefix ||
         (path.size() > prefix.size() && path.starts_with(prefix) && path[prefix.size()] == '/');
}

/// The name that the pages' foot gives the project: the last folder of the root.
std::string name_of_root(std::string_view root) {
  while (root.size() > 1 && root.ends_with('/')) root.remove_suffix(1);
  return std::string(root == "/" ? root : file_name_of(root));
}

struct PlannedPage {
  std::uint32_t docid;
  std::string page;
};

struct PlannedFolder {
  std::string folder;
  std::string page;
};

/// One export under way: its stages in the order in which they must run.
class Export {
 public:
  Export(IndexReader& reader, const KwexportOptions& options, const ExportEvents& events,
         OutputDir& dir)
      : reader_(reader), options_(options), events_(events), output_(dir, options, events) {
    names_.page_suffix = options.page_suffix;
  }

  Result<void> plan() {
    auto files = reader_.stored_files();
    if (!files) return files.error();
    files_ = FileTable(*files);
    for (const StoredFile& file : *files) {
      if (!is_at_or_below(file.path, options_.path_prefix)) continue;
      ++output_.counts().pages;
      auto page = page_name(file.path, options_.page_suffix);
      if (page)
        planned_.push_back({file.docid, *std::move(page)});
      else
        output_.fail(page.error());
    }
    plan_folders();
    return plan_lists();
  }

  /// Stale pages go first: the place of one may be wanted for a folder.
  void remove_stale() {
    // An index of one shard does not know which of the other pages are stale.
    if (reader_.info().shard != IndexInfo().shard) return;
    std::set<std::string_view> wanted;
    for (const PlannedPage& p : planned_) wanted.insert(p.page);
    for (const PlannedFolder& p : folders_) wanted.insert(p.page);
    wanted.insert(list_pages_.begin(), list_pages_.end());
    output_.remove_stale(wanted, [this](const std::string& page) { return is_in_scope(page); });
  }

  /// Leaves those planned that may be written.
  void claim() {
    const auto is_refused = [&](const std::string& page) { return !output_.claim(page); };
    std::erase_if(planned_, [&](const PlannedPage& p) { return is_refused(p.page); });
    std::erase_if(folders_, [&](const PlannedFolder& p) { return is_refused(p.page); });
    std::erase_if(list_pages_, is_refused);
  }

  Result<void> write(const PageContext& context) {
    if (auto read = read_statistics(); !read) return read.error();
    const FileLinks links(context.output_depth, options_.source_url);
    const FullContext full{context, reader_.info().options, files_, statistics_,
                           links,   options_.forge,         names_};
    if (auto written = write_files(full); !written) return written;
    for (const PlannedFolder& p : folders_) {
      FolderPage page = build_folder_page(p.folder, files_, summaries_, names_);
      page.project = context.project;
      output_.write(p.page, build_markdown(page));
    }
    for (const std::string& folder : list_folders_)
      if (auto written = write_list(folder, context.project); !written) return written;
    return {};
  }

  const ExportCounts& counts() { return output_.counts(); }

 private:
  void plan_folders() {
    // An index of one shard knows but some of a folder's files.
    if (options_.profile != Profile::Full || reader_.info().shard != IndexInfo().shard) return;
    names_.folder_page = options_.folder_page;
    names_.list_page = options_.list_page;
    if (names_.folder_page.empty()) return;
    summaries_.resize(files_.paths().size());
    for (const std::string& folder : folders_of(files_)) {
      if (!is_at_or_below(folder, options_.path_prefix)) continue;
      std::string page = path_in(folder, names_.folder_page);
      if (has_place(page)) folders_.push_back({folder, std::move(page)});
    }
  }

  Result<void> plan_lists() {
    if (names_.list_page.empty()) return {};
    auto index = KeywordIndex::read(reader_, files_);
    if (!index) return index.error();
    keywords_ = *std::move(index);
    for (const std::string& folder : folders_of(files_)) {
      if (!is_at_or_below(folder, options_.path_prefix)) continue;
      if (folder_of_list(folder, files_) != folder) continue;
      list_folders_.push_back(folder);
      const KeywordList list = keywords_.list(folder, files_);
      for (const ListPart& part : list.parts()) {
        std::string page = path_in(folder, list_page_name(names_.list_page, part));
        if (has_place(page)) list_pages_.insert(std::move(page));
      }
    }
    return {};
  }

  /// Counts a page about a folder, and tells of one that has the name of another page.
  bool has_place(const std::string& page) {
    ++output_.counts().pages;
    const auto same = [](const auto& planned, const std::string& name) {
      return planned.page < name;
    };
    const auto file = std::lower_bound(planned_.begin(), planned_.end(), page, same);
    const auto folder = std::lower_bound(folders_.begin(), folders_.end(), page, same);
    if (stays_inside(page) && (file == planned_.end() || file->page != page) &&
        (folder == folders_.end() || folder->page != page))
      return true;
    output_.fail({ErrorCode::Refused,
                  fmt::format("a folder's page '{}' has no place", printable(page)),
                  "give it another name with --folder-page or --list-page"});
    return false;
  }

  Result<void> write_files(const FullContext& full) {
    Records records(reader_);
    return make_in_order<std::string>(
        planned_.size(),
        [&](std::size_t i) -> Result<std::string> {
          auto page = build_page(records, planned_[i], full);
          if (!page) return page.error();
          return build_markdown(*page);
        },
        [&](std::size_t i, const std::string& markdown) {
          if (events_.progress) events_.progress(i, planned_.size());
          output_.write(planned_[i].page, markdown);
        });
  }

  Result<void> write_list(const std::string& folder, const std::string& project) {
    const KeywordList list = keywords_.list(folder, files_);
    const std::vector<ListPart> parts = list.parts();
    const auto name_of = [&](std::size_t part) {
      return path_in(folder, list_page_name(names_.list_page, parts[part]));
    };
    return make_in_order<std::string>(
        parts.size(),
        [&](std::size_t part) -> Result<std::string> {
          if (!list_pages_.contains(name_of(part))) return std::string();
          KeywordPage page = build_keyword_page(folder, list, parts[part], files_, names_);
          page.project = project;
          return build_markdown(page);
        },
        [&](std::size_t part, const std::string& markdown) {
          if (list_pages_.contains(name_of(part))) output_.write(name_of(part), markdown);
        });
  }

  Result<void> read_statistics() {
    if (options_.profile == Profile::Classic) return {};
    auto statistics = TreeStatistics::read(reader_);
    if (!statistics) return statistics.error();
    statistics_ = *std::move(statistics);
    return {};
  }

  /// Called by several threads: of what they share it changes the summary of this file alone.
  Result<Page> build_page(Records& records, const PlannedPage& planned, const FullContext& full) {
    auto record = records.read(planned.docid, RecordParts::All);
    if (!record) return record.error();
    if (options_.profile == Profile::Classic) return build_classic_page(*record, full.page);
    std::optional<FileRecord> source;
    if (const auto number = source_of_page(record->path, full)) {
      auto read = records.read(files_.docid_of(*number), RecordParts::WithoutText);
      if (!read) return read.error();
      source = *std::move(read);
    }
    FullPage page = build_full_page(*record, source ? &*source : nullptr, full);
    if (const auto number = files_.find(record->path); number && !summaries_.empty())
      summaries_[*number] = {std::move(record->title), std::move(record->language),
                             std::move(page.top)};
    return std::move(page.page);
  }

  /// True if the file of `page`, which may be gone, is one that --path lets in.
  bool is_in_scope(const std::string& page) const {
    const std::string& prefix = options_.path_prefix;
    if (prefix.empty() || page.starts_with(prefix + "/")) return true;
    const auto of_file = page_name(prefix, options_.page_suffix);
    return of_file && page == *of_file;
  }

  IndexReader& reader_;
  const KwexportOptions& options_;
  const ExportEvents& events_;
  PageOutput output_;
  FileTable files_;
  std::vector<PlannedFolder> folders_;  ///< by path
  std::vector<FileSummary> summaries_;  ///< by the numbers of files_
  PageNames names_;
  KeywordIndex keywords_;
  std::vector<std::string> list_folders_;  ///< that have a list of their own, by path
  std::set<std::string> list_pages_;       ///< of all parts of those lists
  TreeStatistics statistics_;
  std::vector<PlannedPage> planned_;  ///< by path
};

/// As export_pages, into a folder that is open.
Result<ExportCounts> export_markdown(IndexReader& reader, const PageContext& context,
                                     const KwexportOptions& options, const ExportEvents& events,
                                     OutputDir& dir) {
  Export run(reader, options, events, dir);
  if (auto planned = run.plan(); !planned) return planned.error();
  run.remove_stale();
  run.claim();
  if (auto begun = dir.begin(); !begun) return begun.error();
  if (auto written = run.write(context); !written) return written.error();
  return run.counts();
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
  auto dir = OutputDir::open(options.out,
                             options.dry_run ? OutputDir::Mode::DryRun : OutputDir::Mode::Write);
  if (!dir) return dir.error();

  PageContext context;
  context.project = options.project.value_or(name_of_root(root));
  const std::vector<std::string>& suffixes = reader.info().options.doc_suffixes;
  if (!suffixes.empty()) context.doc_suffix = suffixes.front();
  context.output_depth = depth_below(root, options.out);
  context.limit = options.limit;

  // Pages of a part of the tree are never all that the manifest lists.
  const std::string inputs =
      options.path_prefix.empty()
          ? hash_of_inputs(reader, options, context.project, context.output_depth)
          : "";
  if (const auto kept = dir->kept(inputs)) {
    ExportCounts counts;
    counts.pages = kept->pages;
    counts.unchanged = kept->files;
    counts.bytes = kept->bytes;
    return counts;
  }
  const auto counts = options.format == Format::Html
                          ? site::export_site(reader, context.project, options, events, *dir)
                          : export_markdown(reader, context, options, events, *dir);
  if (!counts) return counts.error();
  if (auto finished = dir->finish(counts->failed ? "" : inputs, counts->pages); !finished)
    return finished.error();
  return *counts;
}

}  // namespace kw::exporter
