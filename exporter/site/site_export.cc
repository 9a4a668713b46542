// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/site_export.h"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "exporter/model/file_table.h"
#include "exporter/model/folder_page.h"
#include "exporter/model/full_page.h"
#include "exporter/model/keyword_index.h"
#include "exporter/model/keyword_page.h"
#include "exporter/model/records.h"
#include "exporter/model/term_weights.h"
#include "exporter/output/in_order.h"
#include "exporter/output/page_output.h"
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

constexpr std::size_t kExamples = 5;
// Tells GitHub's pages to show the files as they are: it would leave out `_name`.
constexpr const char* kNoJekyll = ".nojekyll";

class SiteExport {
 public:
  SiteExport(IndexReader& reader, const std::string& project, const KwexportOptions& options,
             const ExportEvents& events, OutputDir& dir)
      : reader_(reader),
        options_(options),
        events_(events),
        dir_(dir),
        output_(dir, options, events),
        frame_{project, names_, std::string(kListPageName), reader.info().options.doc_suffixes} {}

  Result<ExportCounts> run() {
    auto files = reader_.stored_files();
    if (!files) return files.error();
    files_ = FileTable(*files);
    names_ = SiteNames(files_);
    auto statistics = TreeStatistics::read(reader_);
    if (!statistics) return statistics.error();
    statistics_ = *std::move(statistics);
    auto keywords = KeywordIndex::read(reader_, files_);
    if (!keywords) return keywords.error();
    keywords_ = *std::move(keywords);
    auto shards = build_search_chunks(reader_, files_,
                                      [&](std::size_t number) { return names_.page(number); });
    if (!shards) return shards.error();
    shards_ = *std::move(shards);

    plan();
    std::set<std::string_view> wanted(planned_.begin(), planned_.end());
    output_.remove_stale(wanted, [](const std::string&) { return true; });
    for (const std::string& page : planned_)
      if (output_.claim(page)) claimed_.insert(page);
    if (auto begun = dir_.begin(); !begun) return begun.error();
    if (auto written = write(); !written) return written.error();
    return output_.counts();
  }

 private:
  void plan() {
    for (std::size_t i = 0; i < files_.paths().size(); ++i)
      add_page(names_.page(i), files_.paths()[i]);
    for (const std::string& folder : folders_of(files_)) {
      add_page(names_.folder_page(folder), folder);
      if (names_.folder_page(folder).empty() || folder_of_list(folder, files_) != folder) continue;
      list_folders_.push_back(folder);
      const KeywordList list = keywords_.list(folder, files_);
      for (const ListPart& part : list.parts())
        add_page(names_.in_folder(folder, list_page_name(kListPageName, part)), folder);
    }
    planned_ = pages_;
    for (const std::string_view name :
         {kSiteStyleName, kSiteScriptName, std::string_view(kNoJekyll)})
      planned_.emplace_back(name);
    for (std::size_t i = 0; i < shards_->size(); ++i) planned_.push_back(chunk_path(i));
    if (!options_.base_url.empty())
      for (std::string& name : sitemap_names(pages_.size())) planned_.push_back(std::move(name));
    output_.counts().pages = pages_.size();
  }

  std::string chunk_path(std::size_t i) const {
    return fmt::format("{}/{}", kChunkFolder, shards_->name(i));
  }

  void add_page(std::string page, const std::string& path) {
    if (!page.empty())
      pages_.push_back(std::move(page));
    else
      output_.fail({ErrorCode::Refused,
                    fmt::format("no page is written for '{}': its path leads out of the tree",
                                printable(path)),
                    "rebuild the index with: kwindex --rebuild"});
  }

  Result<void> write() {
    summaries_.resize(files_.paths().size());
    if (auto written = write_files(); !written) return written;
    facts_.files = files_.paths().size();
    facts_.examples = example_queries(summaries_, kExamples);
    const std::vector<std::string> folders = folders_of(files_);
    facts_.folders = folders.size();
    for (const std::string& folder : folders) write_folder(folder);
    for (const std::string& folder : list_folders_)
      if (auto written = write_list(folder); !written) return written;
    write_claimed(std::string(kSiteStyleName), kSiteStyle);
    write_claimed(std::string(kSiteScriptName), kSiteScript);
    write_claimed(kNoJekyll, fmt::format("{}no page, and not for Jekyll\n", kGeneratedMark));
    for (std::size_t i = 0; i < shards_->size(); ++i) {
      auto shard = shards_->read(i);
      if (!shard) return shard.error();
      write_claimed(chunk_path(i), *shard);
    }
    if (options_.base_url.empty()) return {};
    const std::vector<std::string> names = sitemap_names(pages_.size());
    for (std::size_t i = 0; i < names.size(); ++i)
      write_claimed(names[i], build_sitemap(pages_, i, options_.base_url));
    return {};
  }

  void write_claimed(const std::string& page, std::string_view bytes) {
    if (claimed_.contains(page)) output_.write(page, bytes);
  }

  struct MadeFile {
    std::string html;  ///< empty where its page is not written
    std::uint64_t text_bytes = 0;
  };

  Result<void> write_files() {
    Records records(reader_);
    const std::size_t count = files_.paths().size();
    return make_in_order<MadeFile>(
        count, [&](std::size_t number) { return make_file(records, number); },
        [&](std::size_t number, const MadeFile& made) {
          if (events_.progress) events_.progress(number, count);
          facts_.text_bytes += made.text_bytes;
          if (!made.html.empty()) output_.write(names_.page(number), made.html);
        });
  }

  /// Called by several threads: of what they share it changes the summary of this file alone.
  Result<MadeFile> make_file(Records& records, std::size_t number) {
    const SiteLinks links(names_, files_);
    const PageContext context{frame_.project, {}, std::nullopt, options_.limit};
    const FullContext full{context, records.options(), files_,     statistics_,
                           links,   Forge::GitHub,     page_names_};
    auto record = records.read(files_.docid_of(number), RecordParts::All);
    if (!record) return record.error();
    std::optional<FileRecord> source;
    if (const auto at = source_of_page(record->path, full)) {
      auto read = records.read(files_.docid_of(*at), RecordParts::WithoutText);
      if (!read) return read.error();
      source = *std::move(read);
    }
    const FullPage keywords = build_full_page(*record, source ? &*source : nullptr, full);
    MadeFile made{{}, record->text.size()};
    if (const std::string& name = names_.page(number); claimed_.contains(name)) {
      const TextLinks::Tree tree{records, files_, names_, statistics_};
      const SitePage page{name, record->path, std::string(folder_of(record->path)),
                          std::string(file_name_of(record->path))};
      made.html = build_file_html(keywords.page, *record, page, frame_,
                                  TextLinks(tree, number, *record), options_.source_url);
    }
    summaries_[number] = {std::move(record->title), std::move(record->language), keywords.top};
    return made;
  }

  void write_folder(const std::string& folder) {
    const std::string name = names_.folder_page(folder);
    if (!claimed_.contains(name)) return;
    const FolderPage model = build_folder_page(folder, files_, summaries_, page_names_);
    SitePage page{name, folder, folder, {}};
    page.has_path = !folder.empty();
    output_.write(name, build_folder_html(model, folder, files_, page, frame_, facts_));
  }

  Result<void> write_list(const std::string& folder) {
    const KeywordList list = keywords_.list(folder, files_);
    const std::vector<ListPart> parts = list.parts();
    const auto name_of = [&](std::size_t part) {
      return names_.in_folder(folder, list_page_name(kListPageName, parts[part]));
    };
    return make_in_order<std::string>(
        parts.size(),
        [&](std::size_t part) -> Result<std::string> {
          const std::string name = name_of(part);
          if (!claimed_.contains(name)) return std::string();
          const KeywordPage model =
              build_keyword_page(folder, list, parts[part], files_, page_names_);
          std::string title = folder.empty() ? "All names" : "Names below " + folder;
          if (!model.part.empty()) title += ": " + model.part;
          const SitePage page{name, std::move(title), folder, "names"};
          return build_keyword_html(model, folder, files_, page, frame_);
        },
        [&](std::size_t part, const std::string& html) { write_claimed(name_of(part), html); });
  }

  IndexReader& reader_;
  const KwexportOptions& options_;
  const ExportEvents& events_;
  OutputDir& dir_;
  PageOutput output_;
  FileTable files_;
  SiteNames names_;
  SiteFrame frame_;
  const PageNames page_names_{"", std::string(kFolderPageName), std::string(kListPageName)};
  TreeStatistics statistics_;
  KeywordIndex keywords_;
  std::vector<std::string> list_folders_;  ///< that have a list of their own
  std::vector<std::string> pages_;         ///< those for people
  std::vector<std::string> planned_;       ///< and all other files
  std::optional<ChunkSpool> shards_;  ///< of the search, before anything is written: named by then
  std::set<std::string> claimed_;
  std::vector<FileSummary> summaries_;  ///< by the numbers of files_
  SiteFacts facts_;
};

}  // namespace

Result<ExportCounts> export_site(IndexReader& reader, const std::string& project,
                                 const KwexportOptions& options, const ExportEvents& events,
                                 OutputDir& dir) {
  if (reader.info().shard != IndexInfo().shard)
    return Error{ErrorCode::Refused, "an index of one shard makes no site",
                 "index the whole tree, or use --format md"};
  return SiteExport(reader, project, options, events, dir).run();
}

}  // namespace kw::exporter::site
