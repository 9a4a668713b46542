// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/command/run.h"

#include <fmt/format.h>

#include <map>

#include "schema/cli/config.h"
#include "schema/index/fields.h"
#include "schema/index/status.h"
#include "schema/text/text.h"
#include "searcher/engine/complete.h"
#include "searcher/mcp/mcp_server.h"
#include "searcher/output/present.h"

namespace kw::search {
namespace {

constexpr std::string_view kProgram = "kwsearch";

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

void print_nothing_found(Searcher& searcher, const ParsedQuery& query,
                         const KwsearchOptions& options) {
  if (options.common.quiet) return;
  std::string message =
      fmt::format("kwsearch: nothing found for {}\n", printable(to_string(query.root)));
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

void print_notes(const SearchResult& result, const KwsearchOptions& options) {
  if (options.common.quiet) return;
  if (!result.instead.empty())
    cli::print_warning(kProgram,
                       "nothing has this name; the nearest is " + printable(result.instead), {},
                       options.common.color);
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

}  // namespace

ExitCode run_kwsearch(const KwsearchOptions& options) {
  const auto fail = [&](const Error& error) {
    cli::print_error(kProgram, error, options.common.color);
    return cli::exit_code_of(error);
  };
  if (options.list_fields) {
    cli::write_stdout(list_fields());
    return ExitCode::Done;
  }
  if (options.list_collections) {
    const auto collections = cli::read_collections(options.common.config);
    if (!collections) return fail(collections.error());
    cli::write_stdout(list_collections(*collections));
    return ExitCode::Done;
  }
  if (options.serve) return serve_stdio(options);
  const auto query = options.complete ? Result<ParsedQuery>(ParsedQuery{}) : question_of(options);
  if (!query) return fail(query.error());
  const auto places = locations_to_search(options);
  if (!places) return fail(places.error());
  auto searcher = Searcher::open(*places, open_options(options));
  if (!searcher) return fail(searcher.error());
  if (!options.complete) print_left_out(*searcher, options);

  if (options.complete) {
    const auto words = completions_of(*options.complete, *searcher);
    if (!words) return fail(words.error());
    for (const std::string& word : *words) cli::write_stdout(word + "\n");
    return words->empty() ? ExitCode::NothingFound : ExitCode::Done;
  }
  if (options.form == OutputForm::Count) {
    const auto count = searcher->count(*query, options.search);
    if (!count) return fail(count.error());
    print_not_asked(*searcher, options);
    if (count->partial) print_too_wide(options);
    cli::write_stdout(fmt::format("{}\n", count->results));
    return count->results ? ExitCode::Done : nothing_found(*searcher);
  }
  if (options.form == OutputForm::CountBy) {
    const auto facets = searcher->count_by(*query, options.search, options.facet);
    if (!facets) return fail(facets.error());
    print_not_asked(*searcher, options);
    if (facets->partial) print_too_wide(options);
    std::string out;
    for (const FacetCount& f : facets->counts)
      out += fmt::format("{:>7}  {}\n", f.results, printable(f.name));
    cli::write_stdout(out);
    return facets->counts.empty() ? nothing_found(*searcher) : ExitCode::Done;
  }
  if (options.explain && options.form == OutputForm::Text)
    cli::write_stdout(explain_query(*query, options));
  const Paths paths(*searcher, options);
  const auto result = searcher->search(*query, options.search, make_presenter(paths, options));
  if (!result) return fail(result.error());
  print_not_asked(*searcher, options);
  if (result->hits.empty()) {
    print_notes(*result, options);
    print_nothing_found(*searcher, *query, options);
    return nothing_found(*searcher);
  }
  print_notes(*result, options);
  cli::write_stdout(shown_text(*result, *searcher, options));
  return ExitCode::Done;
}

}  // namespace kw::search
