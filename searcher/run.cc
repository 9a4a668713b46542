// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/run.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "schema/fields.h"
#include "schema/status.h"
#include "schema/text.h"
#include "searcher/complete.h"
#include "searcher/format.h"

namespace fs = std::filesystem;

namespace kw {
namespace {

constexpr std::string_view kProgram = "kwsearch";

Result<std::vector<std::string>> find_databases(const KwsearchOptions& options) {
  std::vector<std::string> folders;
  for (const std::string& given : options.databases)
    folders.push_back(resolve_database_path(given));
  if (!folders.empty()) return folders;
  auto found = database_to_read({});
  if (!found) return found.error();
  return std::vector<std::string>{*std::move(found)};
}

std::string list_fields() {
  std::string out;
  for (const FieldRow& row : kFields)
    if (row.query)
      out += fmt::format("{:<10} {}  ({})\n", std::string(row.name) + ":", row.help, row.example);
  return out;
}

/// One run's way of printing paths.
class Paths {
 public:
  Paths(const Searcher& searcher, const KwsearchOptions& options) : options_(options) {
    for (std::size_t i = 0; i < searcher.folders().size(); ++i)
      roots_.push_back(absolute_root(DatabaseFolder(searcher.folders()[i]), searcher.info(i)));
    std::error_code error;
    here_ = fs::current_path(error).string();
  }

  std::string file(const Hit& hit) const { return roots_[hit.tree] + "/" + hit.path; }
  const std::string& root(std::size_t tree) const { return roots_[tree]; }

  /// As the options want it: from the root, or absolute.
  std::string shown(const Hit& hit) const { return options_.absolute ? file(hit) : hit.path; }

  /// That an editor started here can open.
  std::string from_here(const Hit& hit) const {
    const std::string path = file(hit);
    if (options_.absolute) return path;
    if (path.starts_with(here_ + "/")) return path.substr(here_.size() + 1);
    return fs::path(path).lexically_relative(here_).string();
  }

  bool changed_on_disk(const Hit& hit) const {
    struct stat st;
    if (::stat(file(hit).c_str(), &st) != 0) return true;
    const std::int64_t mtime =
        static_cast<std::int64_t>(st.st_mtim.tv_sec) * 1'000'000'000 + st.st_mtim.tv_nsec;
    return static_cast<std::uint64_t>(st.st_size) != hit.stamp.size || mtime != hit.stamp.mtime_ns;
  }

 private:
  const KwsearchOptions& options_;
  std::vector<std::string> roots_;
  std::string here_;
};

std::size_t terminal_width() {
  winsize size{};
  return ::isatty(STDOUT_FILENO) && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col
                                                                                   : 0;
}

/// How each hit is printed.
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

void print_nothing_found(Searcher& searcher, const ParsedQuery& query,
                         const KwsearchOptions& options) {
  if (options.common.quiet) return;
  std::string message =
      fmt::format("kwsearch: nothing found for {}\n", printable(to_string(query.root)));
  std::vector<std::string> near;
  for (const QueryNode& child : query.root.children) {
    if (child.kind != QueryNode::Kind::Word || child.is_filter() || near.size() >= 3) continue;
    auto names = searcher.nearest_names(child.text, 3 - near.size());
    if (names) near.insert(near.end(), names->begin(), names->end());
  }
  if (!near.empty()) {
    message += "hint: the index has";
    for (const std::string& name : near) message.append(1, ' ').append(printable(name));
    message += '\n';
  }
  std::fwrite(message.data(), 1, message.size(), stderr);
}

void print_notes(const SearchResult& result, const KwsearchOptions& options) {
  if (options.common.quiet) return;
  if (result.any)
    print_warning(kProgram, "no file has all of the words; these have some", {},
                  options.common.color);
  if (result.partial)
    print_warning(kProgram, "the question is too wide to be checked in full; there may be more",
                  "add a word, or lang:, path:, folder:", options.common.color);
}

/// Says once what the indexes left out that might have matched.
void print_left_out(const Searcher& searcher, const KwsearchOptions& options) {
  if (options.common.quiet) return;
  std::map<std::string, std::uint64_t> reasons;
  for (const std::string& folder : searcher.folders())
    for (const auto& [reason, n] : read_unsearched(DatabaseFolder(folder))) reasons[reason] += n;
  std::uint64_t files = 0;
  std::string list;
  for (const auto& [reason, n] : reasons) {
    files += n;
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", with_thousands(n), reason);
  }
  if (files > 0)
    print_note(kProgram,
               fmt::format("{} {} not in the index and might have matched: {}",
                           with_thousands(files), files == 1 ? "file is" : "files are", list),
               "see them with: kwindex --skipped", options.common.color);
}

Result<ParsedQuery> parse(const KwsearchOptions& options) {
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

}  // namespace

ExitCode run_kwsearch(const KwsearchOptions& options) {
  const auto fail = [&](const Error& error) {
    print_error(kProgram, error, options.common.color);
    return exit_code_of(error);
  };
  if (options.list_fields) {
    write_stdout(list_fields());
    return ExitCode::Done;
  }
  const auto query = options.complete ? Result<ParsedQuery>(ParsedQuery{}) : parse(options);
  if (!query) return fail(query.error());
  const auto folders = find_databases(options);
  if (!folders) return fail(folders.error());
  auto searcher = Searcher::open(*folders);
  if (!searcher) return fail(searcher.error());
  if (!options.complete) print_left_out(*searcher, options);

  if (options.complete) {
    const auto words = completions_of(*options.complete, *searcher);
    if (!words) return fail(words.error());
    for (const std::string& word : *words) write_stdout(word + "\n");
    return words->empty() ? ExitCode::NothingFound : ExitCode::Done;
  }
  if (options.form == OutputForm::Count) {
    const auto count = searcher->count(*query, options.search);
    if (!count) return fail(count.error());
    if (count->partial) print_notes({{}, false, true}, options);
    write_stdout(fmt::format("{}\n", count->results));
    return count->results ? ExitCode::Done : ExitCode::NothingFound;
  }
  if (options.form == OutputForm::CountBy) {
    const auto facets = searcher->count_by(*query, options.search, options.facet);
    if (!facets) return fail(facets.error());
    if (facets->partial) print_notes({{}, false, true}, options);
    std::string out;
    for (const FacetCount& f : facets->counts)
      out += fmt::format("{:>7}  {}\n", f.results, printable(f.name));
    write_stdout(out);
    return facets->counts.empty() ? ExitCode::NothingFound : ExitCode::Done;
  }
  if (options.explain && options.form == OutputForm::Text)
    write_stdout(fmt::format("query: {}\n", printable(to_string(query->root))));
  const Paths paths(*searcher, options);
  const auto result = searcher->search(*query, options.search, make_presenter(paths, options));
  if (!result) return fail(result.error());
  if (result->hits.empty()) {
    print_notes(*result, options);
    print_nothing_found(*searcher, *query, options);
    return ExitCode::NothingFound;
  }
  print_notes(*result, options);
  std::string out;
  for (const Hit& hit : result->hits) out += hit.shown;
  write_stdout(out);
  return ExitCode::Done;
}

}  // namespace kw
