// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/markdown_inline.h"

#include <fmt/format.h>

#include <algorithm>

#include "exporter/site/html.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

constexpr std::string_view kFootnoteAnchor = "u.fn-";
// More that wait for their end are no text for people, and each is looked at for each end.
constexpr std::size_t kMaxOpenTildes = 100;
constexpr std::size_t kMaxEmojiCode = 40;

bool is_line_break(std::string_view tag) {
  return tag == "<br>" || tag == "<br/>" || tag == "<br />" || tag == "<BR>";
}

bool begins_word(std::string_view text, std::size_t at) {
  return at == 0 || is_blank(text[at - 1]) ||
         std::string_view("*_~(").find(text[at - 1]) != std::string_view::npos;
}

/// What a link or an image shows on hover, as an attribute; empty for nothing.
std::string title_of(cmark_node* node) {
  const char* const title = cmark_node_get_title(node);
  return title && *title ? fmt::format(" title={}", attribute(title)) : std::string();
}

}  // namespace

std::unordered_set<std::string> footnotes_of(std::string_view text) {
  std::unordered_set<std::string> labels;
  for (std::size_t at = 0; (at = text.find("[^", at)) != std::string_view::npos; ++at) {
    std::size_t begin = at;
    while (begin > 0 && at - begin < 4 && text[begin - 1] == ' ') --begin;
    if (at - begin > 3 || (begin > 0 && text[begin - 1] != '\n')) continue;
    const std::string_view label = footnote_label(text.substr(at));
    if (label.empty()) continue;
    if (text.substr(at + label.size() + 3).starts_with(':')) labels.emplace(label);
  }
  return labels;
}

MarkdownInline::MarkdownInline(std::string& out, std::string_view text, LineIds& ids,
                               CodeHtml& code, const PageTargets& targets, RawHtml* raw)
    : out_(out),
      ids_(ids),
      code_(code),
      targets_(targets),
      raw_(raw),
      has_tildes_(text.find('~') != std::string_view::npos),
      footnotes_(footnotes_of(text)) {}

void MarkdownInline::append(cmark_node* parent, const Place& place) {
  std::uint32_t line = place.line;
  std::size_t skip = place.skip;
  line_starts_ = true;
  strikes_.clear();
  if (has_tildes_) match_tildes(parent);
  const MarkdownWalk walk = walk_of(parent);
  for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
    cmark_node* const node = cmark_iter_get_node(walk.get());
    if (node == parent) continue;
    const cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_TEXT) {
      std::string_view text = literal_of(node);
      text.remove_prefix(std::min(skip, text.size()));
      append_text(node, text);
    } else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) {
      out_ += type == CMARK_NODE_LINEBREAK ? "<br>\n" : "\n";
      if (!place.in_cell) ids_.append(out_, ++line);
    } else if (type == CMARK_NODE_IMAGE) {
      append_image(node);
      cmark_iter_reset(walk.get(), node, CMARK_EVENT_EXIT);
    } else {
      append_node(node, type, event == CMARK_EVENT_ENTER);
    }
    skip = 0;
    line_starts_ = type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK;
  }
}

void MarkdownInline::append_node(cmark_node* node, cmark_node_type type, bool enter) {
  switch (type) {
    case CMARK_NODE_CODE:
      code_.append_span(out_, literal_of(node), !link_open_);
      return;
    case CMARK_NODE_HTML_INLINE:
      if (raw_)
        raw_->append(out_, literal_of(node));
      else if (is_line_break(literal_of(node)))
        out_ += "<br>";
      else
        append_html(out_, literal_of(node));
      return;
    case CMARK_NODE_EMPH:
      out_ += enter ? "<em>" : "</em>";
      return;
    case CMARK_NODE_STRONG:
      out_ += enter ? "<strong>" : "</strong>";
      return;
    case CMARK_NODE_LINK:
      enter ? open_link(node) : close_link(node);
      return;
    default:  // cmark's: blocks, and what its parser does not make
      return;
  }
}

void MarkdownInline::open_link(cmark_node* node) {
  const char* const url = cmark_node_get_url(node);
  const std::string target = url ? targets_.link(url) : std::string();
  if (!target.empty()) out_ += fmt::format("<a href=\"{}\"{}>", target, title_of(node));
  link_open_ = true;
  link_has_tag_ = !target.empty();
  link_begins_ = out_.size();
}

void MarkdownInline::close_link(cmark_node* node) {
  if (out_.size() == link_begins_)  // no text of its own
    append_html(out_, cmark_node_get_url(node));
  if (link_has_tag_) out_ += "</a>";
  link_open_ = false;
}

/// One that the site lacks is a link to it, by its text.
void MarkdownInline::append_image(cmark_node* node) {
  const char* const given = cmark_node_get_url(node);
  const std::string_view url = given ? std::string_view(given) : std::string_view();
  const std::string alt = plain_text(node, ImageText::Shown);
  if (const std::string shown = targets_.image ? targets_.image(url) : std::string();
      !shown.empty()) {
    out_ += fmt::format("<img src=\"{}\" alt={}{}>", shown, attribute(alt), title_of(node));
    return;
  }
  const std::string text =
      html(alt.empty() ? std::string(file_name_of(url.substr(0, url.find('?')))) : alt);
  const std::string target = link_open_ ? std::string() : targets_.link(url);
  out_ += target.empty()
              ? fmt::format("<span class=image>{}</span>", text)
              : fmt::format("<a class=image href=\"{}\"{}>{}</a>", target, title_of(node), text);
}

void MarkdownInline::append_text(cmark_node* node, std::string_view text) {
  const auto strikes = strikes_.find(node);
  if (strikes == strikes_.end()) return append_plain(text);
  const std::size_t skipped = literal_of(node).size() - text.size();
  std::size_t from = 0;
  for (const Strike& strike : strikes->second) {
    if (strike.at < skipped) continue;
    append_plain(text.substr(from, strike.at - skipped - from));
    out_ += strike.opens ? "<del>" : "</del>";
    from = strike.at - skipped + strike.size;
  }
  append_plain(text.substr(from));
}

void MarkdownInline::append_plain(std::string_view text) {
  std::size_t plain = 0;  // from here on nothing is appended yet
  for (std::size_t at = 0; (at = text.find_first_of("[:hw@", at)) != std::string_view::npos;) {
    const Special special = special_at(text, plain, at);
    if (special.begin == special.end) {
      ++at;
      continue;
    }
    append_html(out_, text.substr(plain, special.begin - plain));
    out_ += special.html;
    plain = at = special.end;
  }
  append_html(out_, text.substr(plain));
}

/// What a place of `text` tells of, from `from` on.
MarkdownInline::Special MarkdownInline::special_at(std::string_view text, std::size_t from,
                                                   std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest[0] == '[') return footnote_at(text, at);
  if (rest[0] == '@') return link_to(text, mail_address(text, from, at), "mailto:");
  if (rest[0] == 'h' || rest[0] == 'w') {
    if (!begins_word(text, at)) return {};
    return link_to(text, rest.substr(0, autolink_length(rest)), rest[0] == 'w' ? "http://" : "");
  }
  const std::size_t end = rest.substr(0, kMaxEmojiCode).find(':', 1);
  if (end == std::string_view::npos) return {};
  const std::string_view emoji = emoji_of(rest.substr(1, end - 1));
  return emoji.empty() ? Special() : Special{at, at + end + 1, std::string(emoji)};
}

MarkdownInline::Special MarkdownInline::footnote_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const std::string label(footnote_label(rest));
  if (label.empty() || !footnotes_.contains(label)) return {};
  const std::string anchor = url_path(std::string(kFootnoteAnchor) + label);
  const std::size_t end = at + label.size() + 3;
  if (at == 0 && line_starts_ && text.substr(end).starts_with(':')) {
    const bool is_new = defined_.insert(label).second;
    return {at, end + 1,
            is_new ? fmt::format("<sup id={}>{}</sup>", anchor, html(label))
                   : fmt::format("<sup>{}</sup>", html(label))};
  }
  if (link_open_) return {};
  return {at, end, fmt::format("<sup><a href=#{}>{}</a></sup>", anchor, html(label))};
}

/// A link to what a part of `text` says, behind `scheme`; none in another link.
MarkdownInline::Special MarkdownInline::link_to(std::string_view text, std::string_view shown,
                                                std::string_view scheme) const {
  if (link_open_ || shown.empty()) return {};
  const std::string target = targets_.link(std::string(scheme).append(shown));
  if (target.empty()) return {};
  const auto begin = static_cast<std::size_t>(shown.data() - text.data());
  return {begin, begin + shown.size(), fmt::format("<a href=\"{}\">{}</a>", target, html(shown))};
}

/// Pairs the runs of tildes in the texts of one parent: what stands between two is struck out, and
/// holds whole nodes.
void MarkdownInline::match_tildes(cmark_node* parent) {
  struct Open {
    cmark_node* node;
    TildeRun run;
  };
  const MarkdownWalk walk = walk_of(parent);
  std::unordered_map<cmark_node*, std::vector<Open>> open;  // by parent
  for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
    cmark_node* const node = cmark_iter_get_node(walk.get());
    if (event != CMARK_EVENT_ENTER || cmark_node_get_type(node) != CMARK_NODE_TEXT) continue;
    const auto is_text = [](cmark_node* other) {
      return other && cmark_node_get_type(other) != CMARK_NODE_SOFTBREAK &&
             cmark_node_get_type(other) != CMARK_NODE_LINEBREAK;
    };
    std::vector<Open>& opened = open[cmark_node_parent(node)];
    for (const TildeRun& run : tilde_runs(literal_of(node), is_text(cmark_node_previous(node)),
                                          is_text(cmark_node_next(node)))) {
      const auto opener = std::find_if(opened.rbegin(), opened.rend(), [&](const Open& candidate) {
        return candidate.run.size == run.size;
      });
      if (run.can_close && opener != opened.rend()) {
        strikes_[opener->node].push_back({opener->run.at, run.size, true});
        strikes_[node].push_back({run.at, run.size, false});
        opened.erase(std::prev(opener.base()), opened.end());
      } else if (run.can_open && opened.size() < kMaxOpenTildes) {
        opened.push_back({node, run});
      }
    }
  }
  for (auto& [node, strikes] : strikes_)
    std::sort(strikes.begin(), strikes.end(),
              [](const Strike& a, const Strike& b) { return a.at < b.at; });
}

}  // namespace kw::exporter::site
