// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/keyword_html.h"

#include <fmt/format.h>

#include "exporter/model/page_names.h"
#include "exporter/site/code_html.h"
#include "exporter/site/html.h"
#include "exporter/site/site_links.h"
#include "schema/index/group_key.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

class KeywordHtml {
 public:
  KeywordHtml(const KeywordPage& model, const std::string& folder, const FileTable& files,
              const SitePage& page, const SiteFrame& frame)
      : model_(model), page_(page), frame_(frame) {
    for (const Link& file : model.files) {
      targets_.push_back(href_of(file, page.page));
      // A page stands for the file that it is about, by that file's name.
      const std::string_view about = without_doc_suffixes(file.text, frame.doc_suffixes);
      shown_.push_back(files.find(path_in(folder, about)) ? std::string_view(file.text) : about);
    }
  }

  std::string build() {
    out_ = open_page(page_, frame_);
    out_ += fmt::format("<h1>{}</h1>\n", html(page_.title));
    append_parts();
    if (!model_.first.text.empty())
      out_ +=
          fmt::format("<p class=facts><a href={}>All parts of the list</a></p>\n", kListPageName);
    if (model_.names.empty() && model_.parts.empty()) out_ += "<p>No names.</p>\n";
    append_names();
    return out_ + close_page(page_, frame_);
  }

 private:
  /// Those of one first letter on one line.
  void append_parts() {
    if (model_.parts.empty()) return;
    out_ +=
        "<p class=facts>A name stands in the part with the most of its first letters; case and "
        "<code>_</code> do not count. Names of rare letters stand below.</p>\n"
        "<nav aria-label=Parts><ul class=parts>\n";
    char letter = 0;
    for (const Link& part : model_.parts) {
      if (part.text[0] != letter) out_ += letter == 0 ? "<li>" : "\n<li>";
      letter = part.text[0];
      out_ += fmt::format("<a href={}>{}</a> ", url_path(part.target), html(part.text));
    }
    out_ += "\n</ul></nav>\n";
  }

  /// Several lists: a browser lays out those that are in sight.
  void append_names() {
    constexpr std::size_t kNamesOfList = 40;
    for (std::size_t i = 0; i < model_.names.size(); ++i) {
      if (i % kNamesOfList == 0) out_ += i > 0 ? "</dl>\n<dl class=list>\n" : "<dl class=list>\n";
      append_name(model_.names[i]);
    }
    if (!model_.names.empty()) out_ += "</dl>\n";
  }

  void append_name(const ListedName& name) {
    out_ += fmt::format("<dt>{}<dd>", html(name.name));
    const std::string anchor = definition_anchor(name.name);
    std::string_view kind;
    for (const ListedName::Definer& definer : name.definers) {
      if (definer.kind == kind)
        out_ += ", ";
      else
        out_ += fmt::format("{}{} in ", kind.empty() ? "" : "; ", html(definer.kind));
      kind = definer.kind;
      append_file(definer.file, anchor, false);
    }
    if (name.more_definers > 0) out_ += fmt::format(", {} more", name.more_definers);
    std::string_view separator = name.definers.empty() ? "used in " : "; used in ";
    for (const std::uint32_t file : name.users) {
      out_ += separator;
      append_file(file, {}, true);
      separator = ", ";
    }
    if (name.more_users > 0) out_ += fmt::format(", {} more", name.more_users);
    out_ += '\n';
  }

  /// `brief`: its name alone; the link has its path.
  void append_file(std::uint32_t number, const std::string& anchor, bool brief) {
    const std::string& target = targets_[number];
    const std::string_view path = shown_[number];
    const std::string shown = html(brief ? file_name_of(path) : path);
    if (target.empty())
      out_ += shown;
    else
      out_ +=
          fmt::format("<a href={}{}{}>{}</a>", target, anchor.empty() ? "" : "#", anchor, shown);
  }

  const KeywordPage& model_;
  const SitePage& page_;
  const SiteFrame& frame_;
  std::vector<std::string> targets_;     ///< of model_.files
  std::vector<std::string_view> shown_;  ///< likewise
  std::string out_;
};

}  // namespace

std::string build_keyword_html(const KeywordPage& model, const std::string& folder,
                               const FileTable& files, const SitePage& page,
                               const SiteFrame& frame) {
  return KeywordHtml(model, folder, files, page, frame).build();
}

}  // namespace kw::exporter::site
