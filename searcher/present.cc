// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/present.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "schema/index_reader.h"
#include "schema/layout.h"
#include "schema/text.h"
#include "searcher/format.h"

namespace fs = std::filesystem;

namespace kw {
namespace {

std::size_t terminal_width() {
  winsize size{};
  return ::isatty(STDOUT_FILENO) && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col
                                                                                   : 0;
}

}  // namespace

Result<std::vector<std::string>> find_databases(const KwsearchOptions& options) {
  std::vector<std::string> folders;
  for (const std::string& given : options.databases)
    folders.push_back(resolve_database_path(given));
  if (!folders.empty()) return folders;
  auto found = database_to_read({});
  if (!found) return found.error();
  return std::vector<std::string>{*std::move(found)};
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
  }
  return parsed;
}

Paths::Paths(const Searcher& searcher, const KwsearchOptions& options) : options_(options) {
  for (std::size_t i = 0; i < searcher.folders().size(); ++i)
    roots_.push_back(absolute_root(DatabaseFolder(searcher.folders()[i]), searcher.info(i)));
  std::error_code error;
  here_ = fs::current_path(error).string();
}

std::string Paths::from_here(const Hit& hit) const {
  const std::string path = file(hit);
  if (options_.absolute) return path;
  if (path.starts_with(here_ + "/")) return path.substr(here_.size() + 1);
  return fs::path(path).lexically_relative(here_).string();
}

bool Paths::changed_on_disk(const Hit& hit) const {
  struct stat st;
  if (::stat(file(hit).c_str(), &st) != 0) return true;
  const std::int64_t mtime =
      static_cast<std::int64_t>(st.st_mtim.tv_sec) * 1'000'000'000 + st.st_mtim.tv_nsec;
  return static_cast<std::uint64_t>(st.st_size) != hit.stamp.size || mtime != hit.stamp.mtime_ns;
}

Presenter make_presenter(const Paths& paths, const KwsearchOptions& options) {
  FormatOptions format;
  format.color = use_color(options.common.color, STDOUT_FILENO);
  format.lines_per_file = options.lines_per_file;
  format.context = options.context;
  format.several_trees = options.databases.size() > 1;
  format.width = terminal_width();
  const bool links =
      options.links && (options.common.color == ColorMode::Always || ::isatty(STDOUT_FILENO));
  return [&paths, &options, format, links](const Hit& hit) -> std::string {
    switch (options.form) {
      case OutputForm::Text: {
        std::string out = format_text(hit, paths.shown(hit), paths.changed_on_disk(hit), format,
                                      links ? file_url(paths.file(hit)) : "");
        if (options.explain) out += fmt::format("  score: {}\n", explain_score(hit.score));
        return out;
      }
      case OutputForm::Json:
        return format_json(hit, paths.root(hit.tree), paths.changed_on_disk(hit), format);
      case OutputForm::Vimgrep:
        return format_vimgrep(hit, paths.from_here(hit), format);
      case OutputForm::Paths: {
        // Raw bytes where a program reads them; nothing of a name reaches a terminal's controls.
        const bool raw = options.null_separated || !::isatty(STDOUT_FILENO);
        return (raw ? paths.shown(hit) : printable(paths.shown(hit))) +
               (options.null_separated ? '\0' : '\n');
      }
      case OutputForm::Count:
      case OutputForm::CountBy:
        break;  // have no hits
    }
    return {};
  };
}

std::string shown_text(const SearchResult& result, const KwsearchOptions& options) {
  std::string out;
  for (const Hit& hit : result.hits) {
    out += hit.shown;
    if (result.partial && options.form == OutputForm::Json && hit.shown.ends_with("}\n"))
      out.replace(out.size() - 2, 2, ",\"partial\":true}\n");
  }
  return out;
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

}  // namespace kw
