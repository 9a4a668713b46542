// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/output/export_run.h"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "exporter/model/full_page.h"
#include "exporter/output/in_order.h"
#include "exporter/output/page_output.h"
#include "schema/base/bounds.h"
#include "schema/base/heap.h"
#include "schema/text/text.h"

namespace kw::exporter {
namespace {

bool is_at_or_below(std::string_view path, std::string_view prefix) {
  return prefix.empty() || path == prefix ||
         (path.size() > prefix.size() && path.starts_with(prefix) && path[prefix.size()] == '/');
}

/// A page is not written where its name here is empty: that was told when it became so.
struct PlannedFile {
  std::size_t number = 0;  ///< in the file table
  std::string page;
};

struct PlannedFolder {
  std::string folder;
  std::string page;
};

struct PlannedList {
  std::string folder;
  std::vector<std::string> pages;  ///< by the places of its parts
};

Error no_page_for(const std::string& path) {
  constexpr std::size_t kShown = 60;
  return {ErrorCode::Refused,
          fmt::format("cannot write a page for '{}…': the path has {} bytes",
                      printable(path.substr(0, kShown)), path.size()),
          fmt::format("pages are for paths of at most {} bytes", kMaxPagePathBytes)};
}

/// One export under way: its stages in the order in which they must run.
class Run {
 public:
  Run(IndexReader& reader, const IndexedTree& tree, Renderer& renderer, const RunSettings& settings,
      const ExportEvents& events, OutputDir& dir)
      : reader_(reader),
        records_(reader),
        tree_(tree),
        renderer_(renderer),
        settings_(settings),
        events_(events),
        dir_(dir),
        output_(dir, settings.adopt, events) {}

  Result<void> plan() {
    for (std::size_t i = 0; i < tree_.files.paths().size(); ++i) {
      const std::string& path = tree_.files.paths()[i];
      if (is_in_prefix(path)) files_.push_back({i, place(renderer_.name_of_file(path))});
    }
    for (const std::string& path : tree_.overlong)
      if (is_in_prefix(path)) place(no_page_for(path));
    summaries_.resize(tree_.files.paths().size());
    for (const std::string& folder : folders_of(tree_.files))
      if (is_in_prefix(folder)) KW_TRY(plan_folder(folder));
    others_ = renderer_.name_others(pages_, dir_);
    return {};
  }

  /// Stale pages go first: the place of one may be wanted for a folder.
  void remove_stale() {
    // An index of one partition does not know which of the other pages are stale.
    if (reader_.info().shard != IndexInfo().shard) return;
    std::set<std::string_view> wanted(pages_.begin(), pages_.end());
    wanted.insert(others_.begin(), others_.end());
    for (const std::string& page : dir_.pages())
      if (!wanted.contains(page) && renderer_.is_kept_once(page)) dir_.keep(page);
    output_.remove_stale(wanted, [this](const std::string& page) {
      return is_in_scope(page) && !renderer_.is_kept_once(page);
    });
  }

  /// Leaves those planned that may be written.
  void claim() {
    const auto claim_one = [&](std::string& page) {
      if (!page.empty() && !output_.claim(page)) page.clear();
    };
    for (PlannedFile& file : files_) claim_one(file.page);
    for (PlannedFolder& folder : folders_) claim_one(folder.page);
    for (PlannedList& list : lists_)
      for (std::string& page : list.pages) claim_one(page);
    for (std::string& page : others_) claim_one(page);
  }

  /// What only the stages before need; the longest is still to come.
  void forget_plan() {
    std::set<std::string>().swap(taken_);
    std::vector<std::string>().swap(pages_);
    trim_heap();
  }

  Result<void> write() {
    KW_TRY(write_files());
    KW_TRY(write_folders());
    for (const PlannedList& list : lists_) KW_TRY(write_list(list));
    for (std::size_t i = 0; i < others_.size(); ++i) {
      if (others_[i].empty()) continue;
      auto bytes = KW_TRY(renderer_.build_other(i));
      output_.write(others_[i], bytes);
    }
    return {};
  }

  const ExportCounts& counts() { return output_.counts(); }

 private:
  bool is_in_prefix(std::string_view path) const {
    return is_at_or_below(path, settings_.path_prefix);
  }

  Result<void> plan_folder(const std::string& folder) {
    if (renderer_.has_folder_pages()) {
      auto name = renderer_.name_of_folder(folder);
      const bool leads_out = !name;
      folders_.push_back({folder, place(std::move(name))});
      if (leads_out) return {};  // told once
    }
    if (!renderer_.has_list_pages() || folder_of_list(folder, tree_.files) != folder) return {};
    PlannedList planned{folder, {}};
    const KeywordList list = KW_TRY(tree_.keywords.list(folder, tree_.files));
    for (const ListPart& part : list.parts())
      planned.pages.push_back(place(renderer_.name_of_list(folder, part.slug())));
    lists_.push_back(std::move(planned));
    return {};
  }

  /// Counts a page and returns its name; "", and told, if there is none or another page has it.
  std::string place(Result<std::string> name) {
    ++output_.counts().pages;
    if (!name) {
      output_.fail(name.error());
      return {};
    }
    if (!taken_.insert(*name).second) {
      output_.fail({ErrorCode::Refused,
                    fmt::format("a folder's page '{}' has no place", printable(*name)),
                    "give it another name with --folder-page or --list-page"});
      return {};
    }
    pages_.push_back(*name);
    return *std::move(name);
  }

  Result<void> write_files() {
    return make_in_order<std::string>(
        files_.size(),
        [&](std::size_t i, const std::function<void()>& wait) {
          return make_file(files_[i], wait);
        },
        [&](std::size_t i, const std::string& bytes) {
          if (events_.progress) events_.progress(i, files_.size());
          if (!files_[i].page.empty()) output_.write(files_[i].page, bytes);
        });
  }

  /// Called by several threads: of what they share it changes the summary of this file alone.
  Result<std::string> make_file(const PlannedFile& planned, const std::function<void()>& wait) {
    const bool is_classic = settings_.profile == Profile::Classic;
    if (is_classic && planned.page.empty()) return std::string();
    auto record = KW_TRY(records_.read_in_turn(tree_.files.docid_of(planned.number), wait));
    if (const std::string& path = tree_.files.paths()[planned.number]; record.path != path)
      return of_another_path(path, record.path);
    if (is_classic)
      return renderer_.build_file(record, build_classic_page(record, settings_.page), records_);
    const FullContext full{settings_.page,   reader_.info().options, tree_.files,
                           tree_.statistics, renderer_.links(),      settings_.forge};
    std::optional<FileRecord> source;
    if (const auto number = source_of_page(record.path, full)) {
      source = KW_TRY(records_.read(tree_.files.docid_of(*number), RecordParts::WithoutText));
    }
    FullPage page = build_full_page(record, source ? &*source : nullptr, full);
    auto bytes = planned.page.empty() ? Result<std::string>(std::string())
                                      : renderer_.build_file(record, page.page, records_);
    summaries_[planned.number] = {std::move(record.title), std::move(record.language),
                                  std::move(page.top), record.text.size()};
    return bytes;
  }

  /// Links and names of pages go by the paths that the index lists.
  static Error of_another_path(const std::string& path, const std::string& recorded) {
    return {ErrorCode::Corrupt,
            fmt::format("the index is damaged: the record of '{}' is of '{}'", printable(path),
                        printable(recorded)),
            "rebuild it with: kwindex --rebuild"};
  }

  Result<void> write_folders() {
    for (const PlannedFolder& planned : folders_) {
      if (planned.page.empty()) continue;
      FolderPage page =
          build_folder_page(planned.folder, tree_.files, summaries_, renderer_.links());
      page.project = settings_.page.project;
      auto bytes = KW_TRY(renderer_.build_folder(planned.folder, page, summaries_, records_));
      output_.write(planned.page, bytes);
    }
    return {};
  }

  Result<void> write_list(const PlannedList& planned) {
    const KeywordList list = KW_TRY(tree_.keywords.list(planned.folder, tree_.files));
    for (std::size_t first = 0; first < list.parts().size(); first = list.batch_end(first))
      KW_TRY(write_parts(planned, list, first, list.batch_end(first)));
    return {};
  }

  Result<void> write_parts(const PlannedList& planned, const KeywordList& list, std::size_t first,
                           std::size_t end) {
    const ListedNames names = KW_TRY(tree_.keywords.names_of(list, first, end));
    return make_in_order<std::string>(
        end - first,
        [&](std::size_t i, const std::function<void()>&) -> Result<std::string> {
          const std::string& page = planned.pages[first + i];
          if (page.empty()) return std::string();
          KeywordPage model = build_keyword_page(
              planned.folder, list, names, list.parts()[first + i], tree_.files, renderer_.links());
          model.project = settings_.page.project;
          return renderer_.build_list(page, planned.folder, model);
        },
        [&](std::size_t i, const std::string& bytes) {
          const std::string& page = planned.pages[first + i];
          if (!page.empty()) output_.write(page, bytes);
        });
  }

  /// True if the file of `page`, which may be gone, is one that --path lets in.
  bool is_in_scope(const std::string& page) const {
    const std::string& prefix = settings_.path_prefix;
    if (prefix.empty() || page.starts_with(prefix + "/")) return true;
    const auto of_file = renderer_.name_of_file(prefix);
    return of_file && page == *of_file;
  }

  IndexReader& reader_;
  Records records_;
  const IndexedTree& tree_;
  Renderer& renderer_;
  const RunSettings& settings_;
  const ExportEvents& events_;
  OutputDir& dir_;
  PageOutput output_;
  std::vector<PlannedFile> files_;      ///< by path
  std::vector<PlannedFolder> folders_;  ///< by path
  std::vector<PlannedList> lists_;      ///< by path
  std::vector<std::string> pages_;      ///< of all those, as planned
  std::set<std::string> taken_;         ///< their names
  std::vector<std::string> others_;     ///< names of the format's other files
  std::vector<FileSummary> summaries_;  ///< by the numbers of the file table
};

}  // namespace

Result<ExportCounts> run_export(IndexReader& reader, const IndexedTree& tree, Renderer& renderer,
                                const RunSettings& settings, const ExportEvents& events,
                                OutputDir& dir) {
  Run run(reader, tree, renderer, settings, events, dir);
  KW_TRY(run.plan());
  run.remove_stale();
  run.claim();
  KW_TRY(dir.begin());
  run.forget_plan();
  KW_TRY(run.write());
  return run.counts();
}

}  // namespace kw::exporter
