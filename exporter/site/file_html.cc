// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/file_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "exporter/site/code_html.h"
#include "exporter/site/html.h"
#include "exporter/site/key_terms.h"
#include "exporter/site/line_ids.h"
#include "exporter/site/markdown_html.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// More than that is folded away, so that what follows is seen, too.
constexpr std::size_t kNamesUnfolded = 60;
// Levels of the contents that are told apart.
constexpr int kMaxIndent = 3;
// Groups of page.h that are no definitions.
constexpr std::string_view kImports = "Imports";
constexpr std::string_view kIdentifiers = "Identifiers";

bool is_definition_group(const KeywordGroup& group) {
  return group.title != kImports && group.title != kIdentifiers;
}

std::string_view without_prefix(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

class FileHtml {
 public:
  FileHtml(const Page& keywords, const FileRecord& record, const SitePage& page,
           const SiteFrame& frame, const TextLinks& links, const FilePlace& place)
      : keywords_(keywords),
        record_(record),
        page_(page),
        frame_(frame),
        links_(links),
        place_(place),
        is_prose_(record.language == "markdown" && keywords.original.text == record.path),
        ids_(record.text) {}

  std::string build() {
    out_ = open_page(page_, frame_);
    out_ += fmt::format("<h1>{}</h1>\n", html(page_.title));
    append_facts();
    out_ += "<div class=columns>\n";
    if (is_prose_) append_side_contents();
    out_ += "<div class=body>\n<article id=Text aria-label=Text>\n";
    append_text();
    out_ += "</article>\n";
    if (is_prose_) append_keywords("section");
    append_turns();
    out_ += "</div>\n";
    if (!is_prose_) append_keywords("aside class=side");
    return out_ + "</div>\n" + close_page(page_, frame_);
  }

 private:
  void append_facts() {
    out_ += "<p class=facts>";
    if (!record_.language.empty()) out_ += html(record_.language) + " · ";
    const std::uint64_t lines = record_.text.empty() ? 0 : ids_.line_count();
    out_ += fmt::format("{} line{} · {}", with_thousands(lines), lines == 1 ? "" : "s",
                        human_size(record_.text.size()));
    append_counterpart("source", keywords_.original);
    append_counterpart("documentation", keywords_.documentation);
    const std::string& url = place_.source_url;
    if (!url.empty())
      out_ += fmt::format(" · <a href=\"{}{}{}\">file in the repository</a>", html_url(url),
                          url.ends_with('/') ? "" : "/", url_path(record_.path));
    out_ += "</p>\n";
  }

  /// A document's contents stand before its text, folded: the script opens them where there is room
  /// beside it.
  void append_side_contents() {
    if (keywords_.sections.size() < 2) return;
    out_ += "<aside class=side>\n<details class=fold><summary>Contents</summary>\n";
    append_contents(1);
    out_ += "</details>\n</aside>\n";
  }

  /// Behind the text, in a sidebar or below it.
  void append_keywords(std::string_view element) {
    const std::size_t begin = out_.size();
    out_ += fmt::format("<{} id=Keywords aria-label=Keywords>\n", element);
    const std::size_t empty = out_.size();
    if (is_prose_) append_terms();
    append_definitions();
    if (!is_prose_ && !keywords_.sections.empty()) {
      out_ += "<h2>Contents</h2>\n";
      append_contents(0);
    }
    if (!is_prose_) append_others();
    append_elsewhere();
    if (out_.size() == empty)
      out_.resize(begin);
    else
      out_ += fmt::format("</{}>\n", element.substr(0, element.find(' ')));
  }

  void append_terms() {
    const std::vector<KeyTerm> terms = key_terms(record_);
    if (terms.empty()) return;
    out_ +=
        "<details class=terms open><summary>Key terms</summary>\n"
        "<a class=skip href=#kw-end>Skip the key terms</a>\n<ul>\n";
    for (const KeyTerm& term : terms) {
      const std::string shown =
          term.is_code ? "<code>" + html(term.text) + "</code>" : html(term.text);
      out_ += term.line == 0 ? fmt::format("<li>{}\n", shown)
                             : fmt::format("<li><a href=#L{}>{}</a>\n", term.line, shown);
    }
    out_ += "</ul></details>\n<i id=kw-end></i>\n";
  }

  void append_turns() {
    if (place_.previous.target.empty() && place_.next.target.empty()) return;
    out_ += "<nav class=turns aria-label=\"Files of the folder\">\n";
    append_turn("prev", "Previous", place_.previous);
    append_turn("next", "Next", place_.next);
    out_ += "</nav>\n";
  }

  void append_turn(std::string_view rel, std::string_view what, const Link& link) {
    const std::string href = href_of(link, page_.page);
    if (!href.empty())
      out_ += fmt::format("<a rel={0} href={1}><small>{2}</small> {3}</a>\n", rel, href, what,
                          html(link.text));
  }

  /// The file that this one documents, or the one that documents it.
  void append_counterpart(std::string_view what, const Link& link) {
    if (link.text.empty() || link.text == record_.path || link.target == file_name_of(page_.page))
      return;
    out_ +=
        fmt::format(" · {} <code>{}</code>", what, html_link(link, page_.page, html(link.text)));
  }

  /// From section `first` on that has a title: a document's own stands above already.
  void append_contents(std::size_t first) {
    const std::vector<MappedSection>& sections = keywords_.sections;
    if (first > 0 && sections[0].title != page_.title) first = 0;
    int highest = 6;
    for (std::size_t i = first; i < record_.sections.size(); ++i)
      highest = std::min<int>(highest, record_.sections[i].level);
    out_ += is_prose_ ? "<ul class=contents>\n" : "<ol class=contents>\n";
    for (std::size_t i = first; i < sections.size(); ++i) {
      const MappedSection& section = sections[i];
      const int level = i < record_.sections.size() ? record_.sections[i].level - highest : 0;
      const std::string title = section.title.empty() ? "(untitled)" : html(section.title);
      out_ += level > 0 ? fmt::format("<li class=in{}>", std::min(level, kMaxIndent)) : "<li>";
      out_ += html_link(section.heading, page_.page, title);
      if (!is_prose_ && !section.keywords.empty()) {
        out_ += " <small>";
        append_names(section.keywords);
        out_ += "</small>";
      }
      out_ += '\n';
    }
    out_ += is_prose_ ? "</ul>\n" : "</ol>\n";
  }

  void append_definitions() {
    std::size_t names = 0;
    for (const KeywordGroup& group : keywords_.groups) {
      if (!is_definition_group(group)) continue;
      if (names == 0) out_ += "<h2>Definitions</h2>\n";
      names += group.keywords.size();
      append_group(group, names <= kNamesUnfolded);
    }
  }

  void append_others() {
    bool first = true;
    for (const KeywordGroup& group : keywords_.groups) {
      if (is_definition_group(group)) continue;
      if (first) out_ += "<h2>Names used</h2>\n";
      first = false;
      append_group(group, false);
    }
  }

  void append_group(const KeywordGroup& group, bool open) {
    out_ +=
        fmt::format("<details{}><summary>{} <small>{}</small></summary>\n<ul class=names>\n",
                    open ? " open" : "", html(group.title), with_thousands(group.keywords.size()));
    for (const Keyword& keyword : group.keywords) append_keyword(keyword);
    out_ += "</ul></details>\n";
  }

  void append_keyword(const Keyword& keyword) {
    const std::string name = html(keyword.name);
    const std::string linked =
        keyword.places.empty() ? name : html_link(keyword.places[0], page_.page, name);
    out_ += linked == name ? fmt::format("<li><span>{}</span>", name) : "<li>" + linked;
    if (!keyword.scope.empty()) out_ += fmt::format(" <i>in {}</i>", html(keyword.scope));
    for (std::size_t i = 0; i < keyword.places.size(); ++i) {
      const std::string shown = html(without_prefix(keyword.places[i].text, "line "));
      // The name leads to the first.
      out_ += i == 0 ? " " + shown : ", " + html_link(keyword.places[i], page_.page, shown);
    }
    if (keyword.count > 1) out_ += fmt::format(" ×{}", keyword.count);
    append_sections(keyword);
    out_ += '\n';
  }

  /// By their numbers in the contents. Its line says already in which it stands first.
  void append_sections(const Keyword& keyword) {
    for (const std::uint32_t number : keyword.sections) {
      if (!keyword.places.empty() && holds(number, keyword.places[0].fragment)) continue;
      Link heading = keywords_.sections[number].heading;
      // Its line is shorter than its anchor.
      if (!heading.target.empty() && number < record_.sections.size())
        heading.fragment = fmt::format("L{}", record_.sections[number].first_line);
      out_ += " " + html_link(heading, page_.page, fmt::format("§{}", number + 1));
    }
    if (keyword.more_sections > 0) out_ += fmt::format(" +{}", keyword.more_sections);
  }

  bool holds(std::uint32_t section, std::string_view line_anchor) const {
    std::uint32_t line = 0;
    if (line_anchor.empty() || section >= record_.sections.size()) return false;
    std::from_chars(line_anchor.data() + 1, line_anchor.data() + line_anchor.size(), line);
    return line >= record_.sections[section].first_line &&
           line <= record_.sections[section].last_line;
  }

  void append_elsewhere() {
    if (keywords_.elsewhere.empty()) return;
    out_ += "<h2>Defined elsewhere</h2>\n<ul class=files>\n";
    for (const Elsewhere& other : keywords_.elsewhere) {
      out_ +=
          fmt::format("<li>{} <small>", html_link(other.file, page_.page, html(other.file.text)));
      append_names(other.names);
      out_ += "</small>\n";
    }
    out_ += "</ul>\n";
  }

  void append_names(const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (i > 0) out_ += ", ";
      append_html(out_, names[i]);
    }
  }

  void append_text() {
    if (record_.text.empty()) {
      out_ += "<p>The file is empty.</p>\n";
      return;
    }
    CodeHtml code(record_, ids_, [this](std::string_view name, std::string_view family) {
      return links_.to_definition(name, family);
    });
    if (record_.language == "markdown") {
      append_markdown(out_, record_, ids_, code,
                      {[this](std::string_view url) { return links_.to_target(url); },
                       [this](std::string_view url) { return links_.to_image(url); }},
                      page_.title);
      return;
    }
    code.append_block(out_, record_.text, 1, code_look(record_.language));
    code.append_rest(out_);
  }

  const Page& keywords_;
  const FileRecord& record_;
  const SitePage& page_;
  const SiteFrame& frame_;
  const TextLinks& links_;
  const FilePlace& place_;
  const bool is_prose_;  ///< a document, and not about a source
  LineIds ids_;
  std::string out_;
};

}  // namespace

std::string build_readme_html(const FileRecord& record, const TextLinks& links) {
  std::string out;
  LineIds ids(record.text);
  CodeHtml code(record, ids, [&](std::string_view name, std::string_view family) {
    return links.to_definition(name, family);
  });
  append_markdown(out, record, ids, code,
                  {[&](std::string_view url) { return links.to_target(url); },
                   [&](std::string_view url) { return links.to_image(url); }});
  return out;
}

std::string build_file_html(const Page& keywords, const FileRecord& record, const SitePage& page,
                            const SiteFrame& frame, const TextLinks& links,
                            const FilePlace& place) {
  return FileHtml(keywords, record, page, frame, links, place).build();
}

}  // namespace kw::exporter::site
