// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/output/present.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "schema/index/index_reader.h"
#include "schema/text/text.h"
#include "searcher/engine/scoring.h"
#include "searcher/output/format.h"

namespace fs = std::filesystem;

namespace kw::search {
namespace {

std::size_t terminal_width() {
  winsize size{};
  return ::isatty(STDOUT_FILENO) && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col
                                                                                   : 0;
}

}  // namespace

Paths::Paths(const Searcher& searcher, bool absolute) : searcher_(searcher), absolute_(absolute) {
  std::error_code error;
  here_ = fs::current_path(error).string();
}

const std::string& Paths::root(const Hit& hit) const {
  return searcher_.opened().shards[hit.shard].root;
}

bool Paths::has_several_trees() const {
  // With some left out nobody knows what they are of.
  return searcher_.opened().trees > 1 || !searcher_.opened().left_out.empty();
}

std::string Paths::from_here(const Hit& hit) const {
  std::string path = file(hit);
  if (absolute_) return path;
  if (!are_here(hit)) return has_several_trees() ? path : hit.path;
  if (path.starts_with(here_ + "/")) return path.substr(here_.size() + 1);
  return fs::path(path).lexically_relative(here_).string();
}

bool Paths::changed_on_disk(const Hit& hit) const {
  struct stat st;
  if (searcher_.opened().shards[hit.shard].place.is_remote() &&
      (!are_here(hit) || ::stat(root(hit).c_str(), &st) != 0))
    return false;
  if (::stat(file(hit).c_str(), &st) != 0) return true;
  const std::int64_t mtime =
      static_cast<std::int64_t>(st.st_mtim.tv_sec) * 1'000'000'000 + st.st_mtim.tv_nsec;
  return static_cast<std::uint64_t>(st.st_size) != hit.stamp.size || mtime != hit.stamp.mtime_ns;
}

namespace {

/// Whether a score is made of the tiers of a name or a text.
bool has_tiers(const Hit& hit) {
  return hit.score >= kTierStep && hit.reading != name_of(ReadingKind::Words) &&
         hit.reading != name_of(ReadingKind::Message);
}

}  // namespace

Presenter make_presenter(const Paths& paths, const PresentationOptions& options) {
  FormatOptions format;
  format.color = cli::use_color(options.color, STDOUT_FILENO);
  format.lines_per_file = options.lines_per_file;
  format.context = options.context;
  format.width = terminal_width();
  format.uses = options.uses;
  const bool is_terminal = ::isatty(STDOUT_FILENO);
  const bool links = options.links && (options.color == cli::ColorMode::Always || is_terminal);
  // Raw bytes where a program reads them; nothing of a name reaches a terminal's controls.
  const bool raw_paths = options.null_separated || !is_terminal;
  return [&paths, &options, common = format, links, raw_paths](const Hit& hit) -> std::string {
    FormatOptions format = common;
    if (paths.has_several_trees()) format.tree = paths.root(hit);
    switch (options.form) {
      case OutputForm::Text: {
        std::string out =
            format_text(hit, paths.shown(hit), paths.changed_on_disk(hit), format,
                        links && paths.are_here(hit) ? file_url(paths.file(hit)) : "");
        if (options.explain && !out.empty())
          out += fmt::format(
              "  read as: {}\n  score: {}\n", hit.reading,
              has_tiers(hit) ? explain_score(hit.score) : fmt::format("{:.3f}", hit.score));
        return out;
      }
      case OutputForm::Json:
        return format_json(hit, paths.changed_on_disk(hit), format);
      case OutputForm::Vimgrep:
        return format_vimgrep(hit, paths.from_here(hit), raw_paths, format);
      case OutputForm::Paths:
        if (is_left_out(hit, format)) return {};
        return (raw_paths ? paths.shown(hit) : printable(paths.shown(hit))) +
               (options.null_separated ? '\0' : '\n');
      case OutputForm::Count:
      case OutputForm::CountBy:
        break;  // have no hits
    }
    return {};
  };
}

std::string shown_text(const SearchResult& result, const Searcher& searcher,
                       const PresentationOptions& options) {
  const bool partial = result.partial || !searcher.opened().left_out.empty() ||
                       !searcher.opened().missing_parts.empty();
  std::string out;
  for (const Hit& hit : result.hits) {
    out += hit.shown;
    if (partial && options.form == OutputForm::Json && hit.shown.ends_with("}\n"))
      out.replace(out.size() - 2, 2, ",\"partial\":true}\n");
  }
  return out;
}

namespace {

/// The first few of many.
std::string some_of(const std::vector<std::string>& all) {
  constexpr std::size_t kMost = 3;
  const std::size_t n = std::min(all.size(), kMost);
  std::string out = fmt::format("{}", fmt::join(std::span(all).first(n), "; "));
  if (all.size() > n) out += fmt::format("; and {} more", all.size() - n);
  return out;
}

}  // namespace

std::string words_on_left_out(const OpenDatabases& opened) {
  if (opened.left_out.empty()) return {};
  std::vector<std::string> why;
  for (const Error& error : opened.left_out) why.push_back(error.message);
  return fmt::format("{} of {} databases left out: {}", why.size(),
                     why.size() + opened.shards.size(), some_of(why));
}

std::string words_on_missing_parts(const OpenDatabases& opened) {
  if (opened.missing_parts.empty()) return {};
  return "parts of a tree are not searched: " + some_of(opened.missing_parts);
}

std::vector<std::string> names_near(Searcher& searcher, const ParsedQuery& query) {
  std::vector<std::string> near;
  for (const QueryNode& child : query.root.children) {
    if (child.kind != QueryNode::Kind::Word || child.is_filter() || near.size() >= 3) continue;
    auto names = searcher.nearest_names(child.text, 3 - near.size());
    if (names) near.insert(near.end(), names->begin(), names->end());
  }
  return near;
}

}  // namespace kw::search
