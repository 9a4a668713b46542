// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/folder_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "exporter/site/html.h"
#include "exporter/site/markdown_html.h"
#include "schema/index/group_key.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// More of them would have to be searched, and so are left to the pages of the folders.
constexpr std::size_t kTreeFolders = 300;

std::string counted(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}{}", with_thousands(count), one, count == 1 ? "" : "s");
}

class FolderHtml {
 public:
  FolderHtml(const FolderPage& model, const SitePage& page, const SiteFrame& frame)
      : model_(model), page_(page), frame_(frame) {}

  std::string build(const std::string& readme) {
    out_ = open_page(page_, frame_);
    out_ += fmt::format("<h1>{}/</h1>\n<p class=facts>{}, {} · {}</p>\n",
                        html(file_name_of(page_.folder)), counted(model_.folders.size(), "folder"),
                        counted(model_.files.size(), "file"), list_link("all names below"));
    append_folders();
    append_files();
    append_readme(readme);
    return out_ + close_page(page_, frame_);
  }

  /// With the tree's README where it has one, what the tree holds beside it; else that alone.
  std::string build_home(const HomeFacts& facts, const std::string& readme) {
    out_ = open_page(page_, frame_);
    append_home(facts);
    if (readme.empty()) {
      append_tree(facts.files);
      append_files();
      return out_ + close_page(page_, frame_);
    }
    out_ += "<div class=columns>\n<aside class=side aria-label=Files>\n";
    out_ += "<details class=fold><summary>Folders and files</summary>\n";
    append_tree(facts.files);
    append_files();
    out_ += "</details>\n</aside>\n<div class=body>\n";
    append_readme(readme);
    return out_ + "</div>\n</div>\n" + close_page(page_, frame_);
  }

 private:
  std::string list_link(std::string_view text) const {
    return html_link(model_.keywords, page_.page, text);
  }

  void append_home(const HomeFacts& facts) {
    std::uint64_t bytes = 0;
    for (const FileSummary& summary : facts.summaries) bytes += summary.bytes;
    out_ += fmt::format("<h1>{}</h1>\n<p class=facts>{} in {}, {} of text · {}{}</p>\n",
                        html(frame_.project), counted(facts.files.paths().size(), "file"),
                        counted(folders_of(facts.files).size(), "folder"), human_size(bytes),
                        list_link("all names, A to Z"),
                        facts.date.empty() ? "" : " · made on " + html(facts.date));
    const std::vector<std::string> examples = example_queries(facts.names, kHomeNames);
    if (examples.empty()) return;
    out_ += "<p class=examples>Try";
    for (std::size_t i = 0; i < examples.size(); ++i)
      out_ += fmt::format("{} <a href=\"{}?q={}\">{}</a>", i == 0 ? "" : ",", kSearchPageName,
                          url_path(examples[i]), html(examples[i]));
    out_ += "</p>\n";
  }

  void append_readme(const std::string& readme) {
    if (!readme.empty())
      out_ += fmt::format("<article id=Text aria-label=README>\n{}</article>\n", readme);
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
      out_ += fmt::format("<li>{} <small>{}</small>\n",
                          html_link(link, page_.page, html(file_name_of(at)) + "/"),
                          counted(counts.at(at), "file"));
      const auto below = children.find(at);
      if (depth < 2 || below == children.end()) continue;
      // Beside the link and not around it: a summary is a button.
      out_ += fmt::format("<details><summary aria-label={}>{}</summary>\n",
                          attribute(fmt::format("{} in {}", counted(below->second.size(), "folder"),
                                                file_name_of(at))),
                          counted(below->second.size(), "folder"));
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
      if (!file.summary.title.empty() && file.summary.title != name && !is_change_log(name))
        out_ += fmt::format(" <span>{}</span>", html(file.summary.title));
      // Of prose, key terms tell more than names; they stand on its page.
      if (!file.summary.top.empty() && !is_prose(file)) {
        out_ += " <small>";
        for (std::size_t i = 0; i < file.summary.top.size(); ++i)
          out_ += fmt::format("{}{}", i == 0 ? "" : ", ", html(file.summary.top[i]));
        out_ += "</small>";
      }
      out_ += '\n';
    }
    out_ += "</ul>\n";
  }

  bool is_prose(const FolderPage::File& file) const {
    const std::string& name = file.link.text;
    return file.summary.language == "markdown" &&
           without_doc_suffixes(name, frame_.doc_suffixes) == name;
  }

  const FolderPage& model_;
  const SitePage& page_;
  const SiteFrame& frame_;
  std::string out_;
};

}  // namespace

std::vector<std::string> example_queries(const std::vector<std::string>& names, std::size_t count) {
  std::vector<std::string> queries;
  std::string words;
  for (const std::string& name : names) {
    if (queries.size() + 1 >= count) break;
    queries.push_back(name);
    const std::vector<std::string> parts = split_name(name);
    if (words.empty() && parts.size() > 1) words = fmt::format("{}", fmt::join(parts, " "));
  }
  if (!words.empty()) queries.push_back(words);
  return queries;
}

std::string build_folder_html(const FolderPage& model, const SitePage& page, const SiteFrame& frame,
                              const std::string& readme) {
  return FolderHtml(model, page, frame).build(readme);
}

std::string build_home_html(const FolderPage& model, const SitePage& page, const SiteFrame& frame,
                            const HomeFacts& facts, const std::string& readme) {
  return FolderHtml(model, page, frame).build_home(facts, readme);
}

}  // namespace kw::exporter::site
