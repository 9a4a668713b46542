// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/command/options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <map>
#include <optional>

#include "schema/cli/command_line.h"
#include "schema/cli/config.h"
#include "schema/index/database_dir.h"
#include "schema/index/index_reader.h"

namespace kw::search {
namespace {

/// CLI11 takes "-1" for a very large number.
std::string is_number(const std::string& text) {
  const bool good = !text.empty() && text.size() <= 9 &&
                    text.find_first_not_of("0123456789") == std::string::npos;
  return good ? "" : "'" + text + "' is no number from 0 to 999999999";
}

/// More than a day is no timeout.
std::string seconds_fault(const std::string& text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool good = error == std::errc() && end == text.data() + text.size() && seconds >= 0.001 &&
                    seconds <= 86'400;
  return good ? "" : "'" + text + "' is no number of seconds from 0.001 to 86400";
}

/// The tree whose configuration file counts. Of several trees none does.
std::string configured_tree(const std::vector<std::string>& databases) {
  if (databases.size() > 1 || (!databases.empty() && databases[0].starts_with('@'))) return {};
  const auto database = database_to_read(databases.empty() ? "" : databases[0]);
  return database ? configured_folder(*database) : "";
}

/// What was piped in: a traceback, a log. Of a long one the end, which holds what happened last.
std::string read_query() {
  constexpr std::size_t kReadAtOnce = 1 << 16;
  std::string text;
  for (std::string read; !(read = cli::read_stdin(kReadAtOnce)).empty();) {
    text += read;
    if (text.size() > 2 * kMaxQueryBytes + kReadAtOnce)
      text.erase(0, text.size() - 2 * kMaxQueryBytes);
  }
  return text;
}

constexpr const char* kWhat = "What is searched";
constexpr const char* kShown = "What is shown";
constexpr const char* kForms = "Output formats";
constexpr const char* kPrograms = "For other programs";

/// The forms of output that the command line named.
struct ChosenForms {
  bool paths = false, count = false, json = false, vimgrep = false;
};

void add_databases(CLI::App& app, KwsearchOptions& o) {
  app.add_option("--db", o.databases,
                 "a database, a tree with .kwsearch, a stub file or @COLLECTION (repeatable)")
      ->check(cli::folder_fault)
      ->type_name("DATABASE")
      ->group(kWhat)
      ->allow_extra_args(false);
  app.add_flag("--partial", o.partial, "search the rest if a database cannot be reached")
      ->group(kWhat);
  app.add_option("--timeout", o.timeout_seconds, "how long a search may wait for servers (5)")
      ->type_name("SECONDS")
      ->check(seconds_fault)
      ->take_last()
      ->group(kWhat);
  app.add_flag("--collections", o.list_collections, "list the user's collections and exit")
      ->group(kWhat);
}

void add_what(CLI::App& app, KwsearchOptions& o) {
  app.add_flag("-s,--case-sensitive", o.search.case_sensitive, "distinguish upper and lower case")
      ->group(kWhat);
  static const std::map<std::string, ReadAs> kReadings{{"name", ReadAs::Name},
                                                       {"path", ReadAs::Path},
                                                       {"text", ReadAs::Text},
                                                       {"words", ReadAs::Words}};
  app.add_option_function<std::string>(
         "--as", [&o](const std::string& word) { o.search.read_as = kReadings.at(word); },
         "read the query as a name, path, text or words, whatever it looks like")
      ->check(cli::one_of({"name", "path", "text", "words"}))
      ->type_name("READING")
      ->take_last()
      ->group(kWhat);
  using Words = SearchOptions::Words;
  CLI::Option* const all =
      app.add_flag_callback(
             "--all", [&o] { o.search.words = Words::All; }, "a file must hold every word")
          ->group(kWhat);
  app.add_flag_callback(
         "--any", [&o] { o.search.words = Words::Any; }, "one of the words is enough")
      ->excludes(all)
      ->group(kWhat);
  app.add_flag("!--no-demote", o.search.demote_copies,
               "do not rank tests, vendored and generated files last")
      ->group(kWhat);
}

void add_shown(CLI::App& app, KwsearchOptions& o) {
  app.add_option("-n,--results", o.search.results, "number of results (10; 0: all)")
      ->type_name("N")
      ->check(is_number)
      ->take_last()
      ->group(kShown);
  app.add_option("--offset", o.search.offset, "skip the first N results")
      ->type_name("N")
      ->check(is_number)
      ->take_last()
      ->group(kShown);
  app.add_option("-m,--lines", o.lines_per_file, "number of lines of each file (3; 0: all)")
      ->type_name("N")
      ->check(is_number)
      ->take_last()
      ->group(kShown);
  app.add_option("-C,--context", o.context, "number of context lines around each line")
      ->type_name("N")
      ->check(is_number)
      ->take_last()
      ->group(kShown);
  app.add_flag("--absolute", o.absolute, "print absolute paths")->group(kShown);
  app.add_flag("--links", o.links, "print paths as links that a terminal opens")->group(kShown);
  app.add_flag("--explain", o.explain, "print the parsed query and the parts of each score")
      ->group(kShown);
  app.add_option("--uses", o.uses,
                 "the places that use a definition, without it, each with its function")
      ->type_name("NAME")
      ->take_last()
      ->excludes(app.get_option("query"))
      ->excludes(app.get_option("--regex"))
      ->group(kShown);
  app.add_flag("--fields", o.list_fields, "list the fields of the index and exit")->group(kShown);
}

/// Returns the options that exclude one another.
std::vector<CLI::Option*> add_forms(CLI::App& app, KwsearchOptions& o, ChosenForms& chosen) {
  static const std::map<std::string, Facet> kFacets{
      {"folder", Facet::Folder}, {"language", Facet::Language}, {"kind", Facet::Kind}};
  std::vector<CLI::Option*>
      exclusive;  // no option group: the help shows only the program's own options
  exclusive.push_back(app.add_flag("-l,--files", chosen.paths, "print only paths")->group(kForms));
  exclusive.push_back(
      app.add_flag("-c,--count", chosen.count, "print only the number of results")->group(kForms));
  exclusive.push_back(app.add_option_function<std::string>(
                             "--count-by",
                             [&o](const std::string& word) { o.facet = kFacets.at(word); },
                             "print the number of results by folder, language or kind")
                          ->check(cli::one_of({"folder", "language", "kind"}))
                          ->type_name("FACET")
                          ->group(kForms));
  exclusive.push_back(
      app.add_flag("--json", chosen.json, "print JSON Lines, one result per line")->group(kForms));
  exclusive.push_back(
      app.add_flag("--vimgrep", chosen.vimgrep, "print path:line:column:text")->group(kForms));
  for (std::size_t i = 0; i < exclusive.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) exclusive[i]->excludes(exclusive[k]);
  CLI::Option* const null =
      app.add_flag("-0,--null", o.null_separated, "print only paths, each followed by a zero byte")
          ->group(kForms);
  for (CLI::Option* const other : exclusive)
    if (!other->check_lname("files")) null->excludes(other);
  return exclusive;
}

void add_for_programs(CLI::App& app, KwsearchOptions& o,
                      const std::vector<CLI::Option*>& exclusive) {
  app.add_option_function<std::string>(
         "--complete", [&o](const std::string& word) { o.complete = word; },
         "print completions of a word")
      ->type_name("WORD")
      ->take_last()
      ->group(kPrograms);
  CLI::Option* const serve =
      app.add_flag("--serve-stdio", o.serve,
                   "serve JSON-RPC and the Model Context Protocol on stdin and stdout")
          ->group(kPrograms);
  for (CLI::Option* const other : exclusive) serve->excludes(other);
  serve->excludes(app.get_option("query"))->excludes(app.get_option("--regex"));
}

/// What the options that CLI11 read say of the form.
void choose_form(KwsearchOptions& o, const CLI::App& app, const ChosenForms& chosen) {
  if (!o.uses.empty()) {
    o.query = "ident:" + o.uses;
    // All of them, where no option says how many.
    if (app.get_option("--results")->count() == 0) o.search.results = 0;
    if (app.get_option("--lines")->count() == 0) o.lines_per_file = 0;
  }
  if (chosen.paths || o.null_separated) o.form = OutputForm::Paths;
  if (chosen.count) o.form = OutputForm::Count;
  if (app.get_option("--count-by")->count() > 0) o.form = OutputForm::CountBy;
  if (chosen.json) o.form = OutputForm::Json;
  if (chosen.vimgrep) o.form = OutputForm::Vimgrep;
}

/// What follows from the options, however they were read.
void complete(KwsearchOptions& o, const std::vector<std::string>& words) {
  o.PresentationOptions::color = o.common.color;
  o.SearchRequest::config = o.common.config;
  for (const std::string& word : words) o.query += (o.query.empty() ? "" : " ") + word;
  if (words.size() == 1 && words[0] == "-") o.query = read_query();
  // For people. A program asks for what it names, and is told that nothing has it.
  o.search.near_names = o.form == OutputForm::Text && o.uses.empty() && !o.serve;
  o.search.with_lines = o.form == OutputForm::Text || o.form == OutputForm::Json ||
                        o.form == OutputForm::Vimgrep || !o.uses.empty();
}

/// Reads the commonest command lines, words with at most -l and one --db, without CLI11: to build
/// its options takes a quarter of such a search. Nothing: there are others, or a configuration file
/// may set some.
std::optional<KwsearchOptions> read_plain(int argc, const char* const* argv) {
  KwsearchOptions o;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i], next = i + 1 < argc ? argv[i + 1] : "";
    if (!word.starts_with('-')) {
      words.emplace_back(word);
    } else if (word == "-l") {
      o.form = OutputForm::Paths;
    } else if (word == "--db" && o.databases.empty() && !next.empty() && !next.starts_with('-')) {
      o.databases.emplace_back(next);
      ++i;
    } else {
      return std::nullopt;
    }
  }
  if (cli::has_config_file(configured_tree(o.databases))) return std::nullopt;
  complete(o, words);
  return o;
}

}  // namespace

std::variant<KwsearchOptions, ExitCode> parse_kwsearch_options(int argc, const char* const* argv) {
  if (auto plain = read_plain(argc, argv)) return *std::move(plain);
  KwsearchOptions o;
  ChosenForms chosen;
  std::vector<std::string> words;
  CLI::App app("Ranks the files of an indexed tree for a query, the defining file first.",
               "kwsearch");
  cli::add_common_options(app, o.common);
  app.add_option("query", words,
                 "a name, path, words, a pasted line, \"exact text\", def:Name; - reads stdin")
      ->type_name("QUERY");
  app.add_option("-e,--regex", o.regex, "require lines that match this RE2 expression")
      ->type_name("REGEX")
      ->take_last();
  add_databases(app, o);
  add_what(app, o);
  add_shown(app, o);
  add_for_programs(app, o, add_forms(app, o, chosen));
  app.footer(
      "Examples:\n"
      "  kwsearch ViewAndMutationMeta        the file that defines it comes first\n"
      "  kwsearch view and mutation meta     the same file, by the words inside the name\n"
      "  kwsearch '\"operator==\"' lang:c++    exact text in C++\n"
      "  kwsearch -l 'def:run*' path:tests   paths of files that define names in run\n"
      "  kwsearch -- --dry-run               a word that begins with a dash");

  const cli::OptionHooks hooks{[&o] { return configured_tree(o.databases); }, {}};
  if (const auto code = cli::parse_command_line(app, argc, argv, hooks, o.common)) return *code;
  choose_form(o, app, chosen);
  complete(o, words);
  return o;
}

}  // namespace kw::search
