// SPDX-License-Identifier: GPL-2.0-or-later
// One format of an export: what its pages are called, where their links lead and how they are
// written. export_run.h decides which pages there are and when each is made; the models say what
// stands in them (page.h, folder_page.h, keyword_page.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/model/folder_page.h"
#include "exporter/model/keyword_page.h"
#include "exporter/model/links.h"
#include "exporter/model/page.h"
#include "exporter/model/records.h"
#include "schema/base/result.h"
#include "schema/index/record.h"

namespace kw::exporter {

/// Names are paths from the output folder. The functions that are const are called by several
/// threads at once.
class Renderer {
 public:
  virtual ~Renderer() = default;

  virtual bool has_folder_pages() const = 0;
  virtual bool has_list_pages() const = 0;

  /// Refused: a path that leads out of the tree, which only a damaged or hostile index holds.
  virtual Result<std::string> name_of_file(const std::string& path) const = 0;
  virtual Result<std::string> name_of_folder(const std::string& folder) const = 0;
  virtual Result<std::string> name_of_list(const std::string& folder,
                                           std::string_view slug) const = 0;

  /// The links that the models below are built with.
  virtual const PageLinks& links() const = 0;

  /// The bytes of the page about `record`, whose keywords are `page`.
  virtual Result<std::string> build_file(const FileRecord& record, const Page& page,
                                         Records& records) const = 0;
  /// `summaries`: of all files, by the numbers of the file table.
  virtual Result<std::string> build_folder(const std::string& folder, const FolderPage& page,
                                           const std::vector<FileSummary>& summaries,
                                           Records& records) const = 0;
  /// `name`: of the page, as name_of_list gave it.
  virtual std::string build_list(const std::string& name, const std::string& folder,
                                 const KeywordPage& page) const = 0;

  /// The names of all files that the format has beside `pages`, before anything is written.
  virtual std::vector<std::string> name_others(const std::vector<std::string>& pages) {
    static_cast<void>(pages);
    return {};
  }
  /// The bytes of one of them, by its place in that list; called once all pages are written.
  virtual Result<std::string> build_other(std::size_t number) {
    static_cast<void>(number);
    return std::string();
  }
};

}  // namespace kw::exporter
