// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/output/present.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "schema/cli/config.h"
#include "schema/index/database_dir.h"
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

namespace {

/// What a collection's name stands for; another name is itself.
Result<std::vector<std::string>> expanded(const std::string& name,
                                          const cli::CommonOptions& common) {
  if (!name.starts_with('@')) return std::vector<std::string>{name};
  auto collections = cli::read_collections(common.config);
  if (!collections) return collections.error();
  const auto found = collections->named.find(name.substr(1));
  if (found != collections->named.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [one, places] : collections->named) known.push_back("@" + printable(one));
  return Error{
      ErrorCode::Usage,
      fmt::format("no collection '{}' in '{}'", printable(name), printable(collections->file)),
      known.empty() ? "name one there, below [collections]: work = [\"/srv/docs\"]"
                    : fmt::format("it has {}", fmt::join(known, ", "))};
}

}  // namespace

Result<std::vector<DatabaseLocation>> locations_to_search(const KwsearchOptions& options) {
  std::vector<std::string> named = options.databases;
  if (named.empty()) {
    auto found = database_to_read({});
    if (!found) return found.error();
    named.push_back(*std::move(found));
  }
  std::vector<DatabaseLocation> places;
  for (const std::string& name : named) {
    const auto members = expanded(name, options.common);
    if (!members) return members.error();
    for (const std::string& member : *members) {
      const auto some = places_of(member);
      if (!some) return some.error();
      places.insert(places.end(), some->begin(), some->end());
    }
  }
  return places;
}

OpenOptions open_options(const KwsearchOptions& options) {
  return {options.timeout_seconds, options.partial};
}

Result<ParsedQuery> question_of(const KwsearchOptions& options) {
  auto query = parse_query(options.query);
  if (!query && options.regex.empty())
    return Error{ErrorCode::Usage, "no query", "kwsearch WORD, or kwsearch --help"};
  ParsedQuery parsed = query ? *std::move(query) : ParsedQuery{};
  if (!options.regex.empty()) {
    QueryNode leaf;
    leaf.kind = QueryNode::Kind::Regex;
    leaf.text = options.regex;
    parsed.root.children.push_back(std::move(leaf));
    parsed.plain.clear();  // its words must all match beside the expression
  }
  return parsed;
}

Paths::Paths(const Searcher& searcher, const KwsearchOptions& options)
    : searcher_(searcher), options_(options) {
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
  const std::string path = file(hit);
  if (options_.absolute) return path;
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

Presenter make_presenter(const Paths& paths, const KwsearchOptions& options) {
  FormatOptions format;
  format.color = cli::use_color(options.common.color, STDOUT_FILENO);
  format.lines_per_file = options.lines_per_file;
  format.context = options.context;
  format.width = terminal_width();
  const bool is_terminal = ::isatty(STDOUT_FILENO);
  const bool links =
      options.links && (options.common.color == cli::ColorMode::Always || is_terminal);
  // Raw bytes where a program reads them; nothing of a name reaches a terminal's controls.
  const bool raw_paths = options.null_separated || !is_terminal;
  // Several threads may call it, where servers are asked one by one.
  return [&paths, &options, common = format, links, raw_paths](const Hit& hit) -> std::string {
    FormatOptions format = common;
    if (paths.has_several_trees()) format.tree = paths.root(hit);
    switch (options.form) {
      case OutputForm::Text: {
        std::string out =
            format_text(hit, paths.shown(hit), paths.changed_on_disk(hit), format,
                        links && paths.are_here(hit) ? file_url(paths.file(hit)) : "");
        if (options.explain)
          out += fmt::format(
              "  read as: {}\n  score: {}\n", hit.reading,
              has_tiers(hit) ? explain_score(hit.score) : fmt::format("{:.3f}", hit.score));
        return out;
      }
      case OutputForm::Json:
        return format_json(hit, paths.changed_on_disk(hit), format);
      case OutputForm::Vimgrep:
        return format_vimgrep(hit, paths.from_here(hit), format);
      case OutputForm::Paths:
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
                       const KwsearchOptions& options) {
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
  std::string out = fmt::format("{}", fmt::join(all.begin(), all.begin() + n, "; "));
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
