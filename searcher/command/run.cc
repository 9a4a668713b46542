// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/command/run.h"

#include <fmt/format.h>

#include <cstddef>
#include <map>

#include "schema/cli/config.h"
#include "schema/index/fields.h"
#include "schema/index/status.h"
#include "schema/text/language_table.h"
#include "schema/text/text.h"
#include "searcher/engine/complete.h"
#include "searcher/mcp/mcp_server.h"
#include "searcher/output/present.h"

namespace kw::search {
namespace {

constexpr std::string_view kProgram = "kwsearch";
// Heap for a page of results with lines: a record at a time, what decompresses it, what is shown.
constexpr std::size_t kHeapOfPage = 1 << 20;

std::string list_fields() {
  std::string out;
  for (const FieldRow& row : kFields)
    if (row.query)
      out += fmt::format("{:<10} {}  ({})\n", std::string(row.name) + ":", row.help, row.example);
  return out;
}

/// A line each: the name that --db takes, and what it stands for.
std::string list_collections(const cli::Collections& collections) {
  std::string out;
  for (const auto& [name, places] : collections.named)
    out += fmt::format("{:<10} {}\n", "@" + printable(name),
                       printable(fmt::format("{}", fmt::join(places, " "))));
  return out;
}

/// A filter for a language that there is not; null if all are known.
const QueryNode* unknown_language(const QueryNode& node) {
  if (node.field && *node.field == Field::Language && node.children.empty() &&
      language_name(node.text).empty())
    return &node;
  for (const QueryNode& child : node.children)
    if (const QueryNode* const found = unknown_language(child)) return found;
  return nullptr;
}

void print_nothing_found(Searcher& searcher, const ParsedQuery& query,
                         const KwsearchOptions& options) {
  if (options.common.quiet) return;
  std::string message =
      fmt::format("kwsearch: nothing found for {}\n", printable(to_string(query.root)));
  if (const QueryNode* const language = unknown_language(query.root)) {
    message += fmt::format("hint: no language is called '{}'", printable(language->text));
    if (const auto near = nearest_language(language->text); !near.empty())
      message += fmt::format("; did you mean lang:{}", near);
    message += '\n';
  }
  const auto near = names_near(searcher, query);
  if (!near.empty()) message += "hint: the index has";
  for (const std::string& name : near) message.append(1, ' ').append(printable(name));
  if (!near.empty()) message += '\n';
  std::fwrite(message.data(), 1, message.size(), stderr);
}

void print_too_wide(const KwsearchOptions& options) {
  if (options.common.quiet) return;
  cli::print_warning(kProgram, "the question is too wide to be checked in full; there may be more",
                     "add a word, or lang:, path:, folder:", options.common.color);
}

/// A query as it was understood: languages by the names that the index has.
QueryNode with_language_names(QueryNode node) {
  if (node.field && *node.field == Field::Language)
    if (const std::string_view name = language_name(node.text); !name.empty()) node.text = name;
  for (QueryNode& child : node.children) child = with_language_names(std::move(child));
  return node;
}

/// Whether all leaves are filters, also those that are negated.
bool has_only_filters(const QueryNode& node) {
  if (node.is_leaf()) return node.is_filter();
  return std::all_of(node.children.begin(), node.children.end(), has_only_filters);
}

void print_notes(const ParsedQuery& query, const SearchResult& result,
                 const KwsearchOptions& options) {
  if (options.common.quiet) return;
  if (has_only_filters(query.root) && !result.hits.empty())
    cli::print_note(kProgram,
                    fmt::format("the query has only filters; all files that match {} are listed",
                                printable(to_string(with_language_names(query.root)))),
                    {}, options.common.color);
  if (result.any)
    cli::print_warning(kProgram, "no file has all of the words; these have some", {},
                       options.common.color);
  if (result.partial) print_too_wide(options);
}

/// The parsed query, or how what is no syntax was read.
std::string explain_query(const ParsedQuery& query, const KwsearchOptions& options) {
  const std::vector<Reading> readings = Searcher::readings(query, options.search);
  std::string out = fmt::format("query: {}\n", printable(to_string(query.root)));
  for (const Reading& reading : readings)
    out += fmt::format("reading: {} ({})\n", name_of(reading.kind), printable(reading.reason));
  if (readings.empty()) out += "reading: text (it has syntax in it)\n";
  return out;
}

/// Says once what the indexes left out that might have matched.
void print_left_out(const Searcher& searcher, const KwsearchOptions& options) {
  if (options.common.quiet) return;
  std::map<std::string, std::uint64_t> reasons;
  for (const OpenDatabase& shard : searcher.opened().shards) {
    if (shard.place.is_remote()) continue;  // no server tells
    for (const auto& [reason, n] : read_unsearched(DatabaseFolder(shard.place.folder)))
      reasons[reason] += n;
  }
  std::uint64_t files = 0;
  std::string list;
  for (const auto& [reason, n] : reasons) {
    files += n;
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", with_thousands(n), reason);
  }
  if (files > 0)
    cli::print_note(kProgram,
                    fmt::format("{} {} not in the index and might have matched: {}",
                                with_thousands(files), files == 1 ? "file is" : "files are", list),
                    "see them with: kwindex --skipped", options.common.color);
}

/// Says which databases were not asked. After the search, which may have lost some.
void print_not_asked(const Searcher& searcher, const KwsearchOptions& options) {
  if (options.common.quiet) return;
  if (const std::string words = words_on_left_out(searcher.opened()); !words.empty())
    cli::print_warning(kProgram, words, {}, options.common.color);
  if (const std::string words = words_on_missing_parts(searcher.opened()); !words.empty())
    cli::print_note(kProgram, words, "name their places, too", options.common.color);
}

/// A program must be able to tell "nowhere" from "not in those that could be asked".
ExitCode nothing_found(const Searcher& searcher) {
  return searcher.opened().left_out.empty() ? ExitCode::NothingFound : ExitCode::Incomplete;
}

ExitCode fail(const Error& error, const KwsearchOptions& options) {
  cli::print_error(kProgram, error, options.common.color);
  return cli::exit_code_of(error);
}

/// Prints what was found; `some`: there is something.
ExitCode print_found(const std::string& out, bool some, const Searcher& searcher) {
  if (!cli::write_stdout(out)) return ExitCode::Fatal;
  return some ? ExitCode::Done : nothing_found(searcher);
}

ExitCode complete(Searcher& searcher, const std::string& word, const KwsearchOptions& options) {
  const auto words = completions_of(word, searcher);
  if (!words) return fail(words.error(), options);
  std::string out;
  for (const std::string& one : *words) out += one + "\n";
  if (!cli::write_stdout(out)) return ExitCode::Fatal;
  return words->empty() ? ExitCode::NothingFound : ExitCode::Done;
}

ExitCode count(Searcher& searcher, const ParsedQuery& query, const KwsearchOptions& options) {
  const auto count = searcher.count(query, options.search);
  if (!count) return fail(count.error(), options);
  print_not_asked(searcher, options);
  if (count->partial) print_too_wide(options);
  return print_found(fmt::format("{}\n", count->results), count->results > 0, searcher);
}

ExitCode count_by(Searcher& searcher, const ParsedQuery& query, const KwsearchOptions& options) {
  const auto facets = searcher.count_by(query, options.search, options.facet);
  if (!facets) return fail(facets.error(), options);
  print_not_asked(searcher, options);
  if (facets->partial) print_too_wide(options);
  std::string out;
  for (const FacetCount& f : facets->counts)
    out += fmt::format("{:>7}  {}\n", f.results, printable(f.name));
  return print_found(out, !facets->counts.empty(), searcher);
}

ExitCode search(Searcher& searcher, const ParsedQuery& query, const KwsearchOptions& options) {
  if (options.explain && options.form == OutputForm::Text &&
      !cli::write_stdout(explain_query(query, options)))
    return ExitCode::Fatal;
  const Paths paths(searcher, options.absolute);
  const auto result = searcher.search(query, options.search, make_presenter(paths, options));
  if (!result) return fail(result.error(), options);
  print_not_asked(searcher, options);
  print_notes(query, *result, options);
  const std::string shown = shown_text(*result, searcher, options);
  const bool found = !shown.empty() && result->instead.empty();
  if (!found) print_nothing_found(searcher, query, options);
  const std::string heading =
      result->instead.empty() ? "" : fmt::format("nearest: {}\n\n", printable(result->instead));
  return print_found(heading + shown, found, searcher);
}

}  // namespace

ExitCode run_kwsearch(const KwsearchOptions& options) {
  if (options.list_fields) return cli::print_and_exit(list_fields());
  if (options.list_collections) {
    const auto collections = cli::read_collections(options.common.config);
    if (!collections) return fail(collections.error(), options);
    return cli::print_and_exit(list_collections(*collections));
  }
  if (options.serve) return serve_stdio({options, options});
  const auto query = options.complete ? Result<ParsedQuery>(ParsedQuery{}) : query_of(options);
  if (!query) return fail(query.error(), options);
  const auto places = locations_to_search(options);
  if (!places) return fail(places.error(), options);
  limit_search(*places);
  auto searcher = Searcher::open(*places, open_options(options));
  if (!searcher) return fail(searcher.error(), options);
  if (!options.complete) print_left_out(*searcher, options);

  if (options.complete) return complete(*searcher, *options.complete, options);
  if (options.form == OutputForm::Count) return count(*searcher, *query, options);
  if (options.form == OutputForm::CountBy) return count_by(*searcher, *query, options);
  if (options.form != OutputForm::Paths) cli::populate_heap(kHeapOfPage);
  return search(*searcher, *query, options);
}

}  // namespace kw::search
