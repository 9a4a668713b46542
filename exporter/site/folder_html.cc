// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/folder_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "exporter/site/html.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// More of them would have to be searched, and so are left to the pages of the folders.
constexpr std::size_t kTreeFolders = 300;
constexpr std::size_t kExamples = 5;

std::string counted(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", with_thousands(count), one, count == 1 ? "" : "s");
}

/// The macros that guard or mark every file of a tree have none.
bool has_small_letter(std::string_view name) {
  return std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

class FolderHtml {
 public:
  FolderHtml(const FolderPage& model, const SitePage& page, const SiteFrame& frame)
      : model_(model), page_(page), frame_(frame) {}

  std::string build() {
    out_ = open_page(page_, frame_);
    out_ += fmt::format("<h1>{}/</h1>\n<p class=facts>{}, {} · {}</p>\n",
                        html(file_name_of(page_.folder)), counted(model_.folders.size(), "folder"),
                        counted(model_.files.size(), "file"), list_link("all names below"));
    append_folders();
    append_files();
    return out_ + close_page(page_, frame_);
  }

  std::string build_home(const FileTable& files, const std::vector<FileSummary>& summaries) {
    out_ = open_page(page_, frame_);
    append_home(files, summaries);
    append_tree(files);
    append_files();
    return out_ + close_page(page_, frame_);
  }

 private:
  std::string list_link(std::string_view text) const {
    return html_link(model_.keywords, page_.page, text);
  }

  void append_home(const FileTable& files, const std::vector<FileSummary>& summaries) {
    std::uint64_t bytes = 0;
    for (const FileSummary& summary : summaries) bytes += summary.bytes;
    out_ += fmt::format("<h1>{}</h1>\n<p class=facts>{} in {}, {} of text · {}</p>\n",
                        html(frame_.project), counted(files.paths().size(), "file"),
                        counted(folders_of(files).size(), "folder"), human_size(bytes),
                        list_link("all names, A to Z"));
    out_ +=
        "<p id=kw-status role=status aria-live=polite></p>\n<ol id=kw-results></ol>\n"
        "<noscript><p>The search needs JavaScript. All else works without it: the folders below, "
        "and the list of ";
    out_ += fmt::format("<a href={}>all names, A to Z</a>.</p></noscript>\n", kListPageName);
    const std::vector<std::string> examples = example_queries(summaries, kExamples);
    if (examples.empty()) return;
    out_ += "<p class=examples>Try";
    for (std::size_t i = 0; i < examples.size(); ++i)
      out_ += fmt::format("{} <a href=\"{}?q={}\">{}</a>", i == 0 ? "" : ",", kFolderPageName,
                          url_path(examples[i]), html(examples[i]));
    out_ += "</p>\n";
  }

  void append_folders() {
    if (model_.folders.empty()) return;
    out_ += "<h2>Folders</h2>\n<ul class=folders>\n";
    for (const FolderPage::Folder& folder : model_.folders) {
      const std::string shown = html_link(folder.link, page_.page, html(folder.link.text) + "/");
      out_ += fmt::format("<li>{} <small>{}</small>\n", shown, counted(folder.files, "file"));
    }
    out_ += "</ul>\n";
  }

  /// The folders of the tree in one another, as many levels as a reader can take in.
  void append_tree(const FileTable& files) {
    if (model_.folders.empty()) return;
    std::map<std::string_view, std::size_t> counts;  // files below each folder
    for (const std::string& path : files.paths())
      for (std::string_view at = folder_of(path); !at.empty(); at = folder_of(at)) ++counts[at];
    std::map<std::string_view, std::vector<std::string_view>> children;
    std::vector<std::size_t> levels;  // folders of each
    for (const auto& [at, count] : counts) {
      children[folder_of(at)].push_back(at);
      const auto level = static_cast<std::size_t>(std::count(at.begin(), at.end(), '/'));
      if (levels.size() <= level) levels.resize(level + 1);
      ++levels[level];
    }
    std::size_t depth = 1;
    for (std::size_t shown = levels[0];
         depth < levels.size() && shown + levels[depth] <= kTreeFolders; ++depth)
      shown += levels[depth];
    out_ += "<h2>Folders</h2>\n<div class=tree>\n";
    append_branch("", depth, counts, children);
    out_ += "</div>\n";
  }

  void append_branch(std::string_view above, std::size_t depth,
                     const std::map<std::string_view, std::size_t>& counts,
                     const std::map<std::string_view, std::vector<std::string_view>>& children) {
    out_ += "<ul>\n";
    for (const std::string_view at : children.at(above)) {
      const Link link{"", frame_.names.folder_page(at)};  // the root's page lies at the top
      const std::string shown = html_link(link, page_.page, html(file_name_of(at)) + "/") +
                                fmt::format(" <small>{}</small>", counted(counts.at(at), "file"));
      if (depth < 2 || !children.contains(at)) {
        out_ += fmt::format("<li>{}\n", shown);
        continue;
      }
      out_ += fmt::format("<li><details><summary>{}</summary>\n", shown);
      append_branch(at, depth - 1, counts, children);
      out_ += "</details>\n";
    }
    out_ += "</ul>\n";
  }

  void append_files() {
    if (model_.files.empty()) return;
    out_ += "<h2>Files</h2>\n<ul class=files>\n";
    for (const FolderPage::File& file : model_.files) {
      const std::string& name = file.link.text;
      out_ += "<li>" + html_link(file.link, page_.page, html(name));
      if (!file.summary.title.empty() && file.summary.title != name)
        out_ += fmt::format(" <span>{}</span>", html(file.summary.title));
      if (!file.summary.top.empty()) {
        out_ += " <small>";
        for (std::size_t i = 0; i < file.summary.top.size(); ++i)
          out_ += fmt::format("{}{}", i == 0 ? "" : ", ", html(file.summary.top[i]));
        out_ += "</small>";
      }
      out_ += '\n';
    }
    out_ += "</ul>\n";
  }

  const FolderPage& model_;
  const SitePage& page_;
  const SiteFrame& frame_;
  std::string out_;
};

}  // namespace

std::vector<std::string> example_queries(const std::vector<FileSummary>& summaries,
                                         std::size_t count) {
  std::map<std::string_view, std::size_t> files;
  for (const FileSummary& summary : summaries)
    for (const std::string& name : summary.top)
      if (split_name(name).size() > 1 && has_small_letter(name)) ++files[name];
  std::vector<std::pair<std::size_t, std::string_view>> names;
  for (const auto& [name, n] : files) names.emplace_back(n, name);
  std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::string> queries;
  for (std::size_t i = 0; i < names.size() && i + 1 < count; ++i)
    queries.emplace_back(names[i].second);
  if (!names.empty())
    queries.push_back(fmt::format("{}", fmt::join(split_name(names[0].second), " ")));
  return queries;
}

std::string build_folder_html(const FolderPage& model, const SitePage& page,
                              const SiteFrame& frame) {
  return FolderHtml(model, page, frame).build();
}

std::string build_home_html(const FolderPage& model, const SitePage& page, const SiteFrame& frame,
                            const FileTable& files, const std::vector<FileSummary>& summaries) {
  return FolderHtml(model, page, frame).build_home(files, summaries);
}

}  // namespace kw::exporter::site
