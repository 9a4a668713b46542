// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/page.h"

#include <algorithm>

#include "exporter/model/classic.h"
#include "schema/text/text.h"

namespace kw::exporter {
namespace {

/// The way from the page of `path` up to the root, then down to `path`. It climbs all the way, even
/// where page and file share folders: so the old pages have it.
std::string path_from_page(const std::string& path, std::size_t output_depth) {
  const auto folders = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
  std::string target;
  for (std::size_t i = 0; i < output_depth + folders; ++i) target += "../";
  return target + path;
}

}  // namespace

Page build_classic_page(const FileRecord& record, const PageContext& context) {
  Page page;
  page.path = record.path;
  page.folder.text = folder_of(record.path);
  if (page.folder.text.empty()) page.folder.text = ".";
  page.original.text = record.path;
  if (context.output_depth)
    page.original.target = path_from_page(record.path, *context.output_depth);
  const std::string documentation = std::string(file_name_of(record.path)) + context.doc_suffix;
  page.documentation = {documentation, "./" + documentation};
  page.project = context.project;

  KeywordGroup identifiers{"Identifiers", {}, page.documentation};
  for (std::string& name : classic_keywords(record, context.limit))
    identifiers.keywords.push_back({std::move(name), {}});
  if (!identifiers.keywords.empty()) page.groups.push_back(std::move(identifiers));

  page.sections = {
      {"File Metadata", "Basic file information"},
      {"Original Source", "Complete source code"},
      {"High-Level Overview", "Purpose and role"},
      {"Detailed Analysis", "In-depth code analysis"},
      {"Architecture & Design", "Design patterns and structure"},
      {"Dependencies", "Related modules and imports"},
      {"Performance Considerations", "Efficiency and optimization"},
      {"Security & Safety", "Security analysis"},
      {"Testing & Usage", "How to use and test"},
  };
  return page;
}

}  // namespace kw::exporter
