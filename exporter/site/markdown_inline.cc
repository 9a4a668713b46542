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
  if (!target.empty()) out_ += fmt::format("<a href=\"{}\">", target);
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
    out_ += fmt::format("<img src=\"{}\" alt={}>", shown, attribute(alt));
    return;
  }
  const std::string text =
      html(alt.empty() ? std::string(file_name_of(url.substr(0, url.find('?')))) : alt);
  const std::string target = link_open_ ? std::string() : targets_.link(url);
  out_ += target.empty() ? fmt::format("<span class=image>{}</span>", text)
                         : fmt::format("<a class=image href=\"{}\">{}</a>", target, text);
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
  for (std::size_t at = 0; at < text.size();) {
    at = text.find_first_of("[:hw", at);
    if (at == std::string_view::npos) break;
    append_html(out_, text.substr(plain, at - plain));
    plain = at;
    const std::size_t used = append_special(text, at);
    plain += used;
    at += std::max<std::size_t>(used, 1);
  }
  append_html(out_, text.substr(plain));
}

/// Appends what begins at a place of `text` if it is no plain text; returns its bytes, or 0.
std::size_t MarkdownInline::append_special(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest[0] == '[') return append_footnote(rest, at == 0 && line_starts_);
  if (rest[0] == 'h' || rest[0] == 'w')
    return link_open_ || !begins_word(text, at) ? 0 : append_url(rest);
  const std::size_t end = rest.substr(0, kMaxEmojiCode).find(':', 1);
  if (end == std::string_view::npos) return 0;
  const std::string_view emoji = emoji_of(rest.substr(1, end - 1));
  out_ += emoji;
  return emoji.empty() ? 0 : end + 1;
}

std::size_t MarkdownInline::append_footnote(std::string_view rest, bool at_line_start) {
  const std::string label(footnote_label(rest));
  if (label.empty() || !footnotes_.contains(label)) return 0;
  const std::string anchor = url_path(std::string(kFootnoteAnchor) + label);
  const std::size_t bytes = label.size() + 3;
  if (at_line_start && rest.substr(bytes).starts_with(':')) {
    const bool is_new = defined_.insert(label).second;
    out_ += is_new ? fmt::format("<sup id={}>{}</sup>", anchor, html(label))
                   : fmt::format("<sup>{}</sup>", html(label));
    return bytes + 1;
  }
  if (link_open_) return 0;
  out_ += fmt::format("<sup><a href=#{}>{}</a></sup>", anchor, html(label));
  return bytes;
}

std::size_t MarkdownInline::append_url(std::string_view rest) {
  const std::size_t length = autolink_length(rest);
  if (length == 0) return 0;
  const std::string url(rest.substr(0, length));
  const std::string target = targets_.link(url.starts_with("www.") ? "http://" + url : url);
  if (target.empty()) return 0;
  out_ += fmt::format("<a href=\"{}\">{}</a>", target, html(url));
  return length;
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
