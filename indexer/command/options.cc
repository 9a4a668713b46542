// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/command/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>

#include "schema/cli/command_line.h"
#include "schema/index/database_dir.h"
#include "schema/index/index_reader.h"

namespace kw::indexer {
namespace {

// Each takes about a dozen descriptors (a database, a ctags, folders); 64 stay under the usual
// 1,024.
constexpr unsigned kMaxJobs = 64;

constexpr const char* kWhat = "What is indexed (remembered for later runs)";
constexpr const char* kWhere = "Where";
constexpr const char* kHow = "How";
constexpr const char* kQuestions = "Instead of indexing (each accepts --json)";
constexpr const char* kOutput = "Output";

constexpr const char* kExamples = R"(Examples:
  kwindex .                        index this directory into ./.kwsearch
  kwindex                          update the nearest index
  kwindex docs --exclude 'old/**'  skip a directory, now and in later runs
  kwindex . --hidden=false         take back a stored switch (--reset: all of them)
  kwindex --dry-run --explain      print what a run would do, and why)";

/// A list's empty words clear it: `--exclude ''`.
std::vector<std::string> without_empty(std::vector<std::string> words) {
  std::erase(words, std::string());
  return words;
}

/// Adds an option that may repeat, one word each time.
CLI::Option* add_words(CLI::App& app, const std::string& name,
                       std::optional<std::vector<std::string>>& to, const std::string& help) {
  return app
      .add_option_function<std::vector<std::string>>(
          name, [&to](const std::vector<std::string>& words) { to = without_empty(words); }, help)
      ->take_all()
      ->allow_extra_args(false)
      ->group(kWhat);
}

CLI::Option* add_switch(CLI::App& app, const std::string& name, const std::string& help,
                        std::function<void(bool)> set) {
  return app
      .add_flag_function(
          name, [set = std::move(set)](std::int64_t count) { set(count > 0); }, help)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void add_index_options(CLI::App& app, GivenIndexOptions& given) {
  add_words(app, "--include", given.include, "index only files that match (may be repeated)")
      ->type_name("GLOB");
  add_words(app, "--exclude", given.exclude,
            "skip files and directories that match (may be repeated)")
      ->type_name("GLOB");
  add_switch(app, "--no-ignore", "ignore .gitignore, .ignore and .kwignore files",
             [&given](bool on) { given.use_ignore_files = !on; })
      ->group(kWhat);
  add_switch(app, "--hidden", "include names that begin with a dot", [&given](bool on) {
    given.hidden = on;
  })->group(kWhat);
  add_switch(app, "--follow", "follow symbolic links", [&given](bool on) {
    given.follow = on;
  })->group(kWhat);
  app.add_option_function<std::string>(
         "--max-file-size",
         [&given](const std::string& text) { given.max_file_size = cli::parse_size(text); },
         "skip larger files (8M)")
      ->check([](const std::string& text) -> std::string {
        const auto size = cli::parse_size(text);
        if (!size) return "'" + text + "' is no size; write it as 500K, 8M or 1G";
        if (*size > kMaxFileSizeLimit) return "at most 32M";
        return {};
      })
      ->take_last()
      ->type_name("SIZE")
      ->group(kWhat);
  app.add_option_function<std::string>(
         "--symbols",
         [&given](const std::string& word) {
           given.symbols = word == "none" ? Symbols::None : Symbols::Ctags;
         },
         "the source of definitions: ctags or none")
      ->check(cli::one_of({"ctags", "none"}))
      ->take_last()
      ->type_name("WHO")
      ->group(kWhat);
  add_words(app, "--doc-suffix", given.doc_suffixes,
            "suffix of a page about a file (_docs.md; may be repeated)")
      ->type_name("TEXT");
  app.add_option_function<std::string>(
         "--doc-root", [&given](const std::string& text) { given.doc_root = text; },
         "the directory of such pages (docs/)")
      ->take_last()
      ->type_name("FOLDER")
      ->group(kWhat);
}

void add_where(CLI::App& app, KwindexOptions& options) {
  app.add_option("ROOT", options.root, "the directory to index; default: that of the nearest index")
      ->check(cli::folder_fault);
  app.add_option("--db", options.database, "the index directory, or a tree that contains .kwsearch")
      ->check(cli::folder_fault)
      ->take_last()
      ->type_name("FOLDER")
      ->group(kWhere);
  app.add_option_function<std::string>(
         "--shard", [&options](const std::string& text) { options.shard = parse_partition(text); },
         "index only partition I of N; requires --db")
      ->check([](const std::string& text) -> std::string {
        return parse_partition(text) ? "" : "'" + text + "' is no part; write it as 1/4";
      })
      ->take_last()
      ->type_name("I/N")
      ->group(kWhere);
  app.add_flag("--shared", options.shared, "let the umask decide who may read a new index")
      ->group(kWhere);
}

/// A check for a number within bounds, with an error in few words.
template <class Number>
auto within(Number low, Number high, const char* words) {
  return [=](const std::string& text) -> std::string {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool good =
        error == std::errc() && end == text.data() + text.size() && number >= low && number <= high;
    return good ? "" : "'" + text + "' is not " + words;
  };
}

void add_how(CLI::App& app, KwindexOptions& options) {
  app.add_flag("--rebuild", options.rebuild, "index every file again")->group(kHow);
  app.add_flag("--trust", options.trust,
               "take over an index that you did not make, with its stored options")
      ->group(kHow);
  app.add_flag("--reset", options.reset, "forget the stored options")->group(kHow);
  app.add_flag("--allow-empty", options.allow_empty,
               "empty the index if the directory is missing or has no file")
      ->group(kHow);
  app.add_option("-j,--jobs", options.jobs, "number of threads (default: number of cores)")
      ->check(within<unsigned>(1, kMaxJobs, "a number from 1 to 64"))
      ->take_last()
      ->type_name("N")
      ->group(kHow);
  app.add_option("--wait", options.wait_seconds, "wait this long for another writer (0)")
      ->check(within<double>(0, 1e9, "a number of seconds"))
      ->take_last()
      ->type_name("SECONDS")
      ->group(kHow);
  app.add_option("--then", options.then, "run a shell command if the index has changed")
      ->take_last()
      ->type_name("COMMAND")
      ->group(kHow);
  app.add_flag("--dry-run", options.dry_run, "print what would be done, and change nothing")
      ->group(kHow);
}

/// What is done instead of indexing once. One of them at most.
void add_tasks(CLI::App& app, KwindexOptions& options) {
  std::vector<CLI::Option*> added;
  const auto add = [&](const char* name, KwindexTask task, const char* help) {
    added.push_back(app.add_flag_callback(
                           name, [&options, task] { options.task = task; }, help)
                        ->group(kQuestions));
    for (CLI::Option* other : added)
      if (other != added.back()) added.back()->excludes(other);
    for (const char* changes :
         {"--rebuild", "--reset", "--dry-run", "--trust", "--allow-empty", "--explain", "--then"})
      added.back()->excludes(app.get_option(changes));
  };
  add("--status", KwindexTask::Status, "print what the index contains and when it was updated");
  add("--skipped", KwindexTask::Skipped, "list the files that the last run skipped, and why");
  add("--check", KwindexTask::Check, "verify every part of the index");
  CLI::Option* const watch = app.add_flag_callback(
                                    "--watch", [&options] { options.task = KwindexTask::Watch; },
                                    "keep running, and update the index when the tree changes")
                                 ->group(kHow);
  app.add_option("--scan", options.scan_seconds,
                 "with --watch, also scan this often (60; 0: never)")
      ->check(within<double>(0, 1e9, "a number of seconds"))
      ->type_name("SECONDS")
      ->take_last()
      ->group(kHow);
  for (CLI::Option* other : added) watch->excludes(other);
  for (const char* once : {"--rebuild", "--reset", "--dry-run", "--allow-empty"})
    watch->excludes(app.get_option(once));
}

void add_output(CLI::App& app, KwindexOptions& options) {
  app.add_flag("--explain", options.explain,
               "print why each file is new, changed, same, gone or skipped")
      ->group(kOutput);
  app.add_flag("--json", options.json, "print the summary as one JSON object")->group(kOutput);
  add_switch(app, "--progress,!--no-progress", "show progress (on a terminal)",
             [&options](bool on) { options.progress = on; })
      ->group(kOutput);
}

/// Whose configuration file counts: ROOT's, or that of the index which is to be updated.
std::string configured_tree(const KwindexOptions& options) {
  if (!options.root.empty()) return options.root;
  if (!options.database.empty()) return configured_folder(resolve_database_path(options.database));
  std::error_code error;
  const auto above = find_database_above(std::filesystem::current_path(error).string());
  return above ? configured_folder(*above) : "";
}

}  // namespace

IndexOptions GivenIndexOptions::applied_to(IndexOptions stored) const {
  const auto replace = [](auto& value, const auto& given) {
    if (given) value = *given;
  };
  replace(stored.include, include);
  replace(stored.exclude, exclude);
  replace(stored.use_ignore_files, use_ignore_files);
  replace(stored.hidden, hidden);
  replace(stored.follow, follow);
  replace(stored.max_file_size, max_file_size);
  replace(stored.symbols, symbols);
  replace(stored.doc_suffixes, doc_suffixes);
  replace(stored.doc_root, doc_root);
  return stored;
}

std::variant<KwindexOptions, ExitCode> parse_kwindex_options(int argc, const char* const* argv) {
  KwindexOptions options;
  CLI::App app("Indexes a tree of documentation and code for kwsearch and kwexport.", "kwindex");
  add_where(app, options);
  add_index_options(app, options.index);
  add_how(app, options);
  add_output(app, options);
  add_tasks(app, options);
  cli::add_common_options(app, options.common);
  app.footer(kExamples);
  const cli::OptionHooks hooks{[&options] { return configured_tree(options); },
                               [&options] { options.to_store = options.index; }};
  if (const auto code = cli::parse_command_line(app, argc, argv, hooks, options.common))
    return *code;
  if (options.shard && options.shard->count > 1 && options.database.empty()) {
    cli::print_error(
        "kwindex",
        {ErrorCode::Usage, "--shard needs --db: a part of a tree is no index of the tree",
         "kwindex ROOT --shard 1/4 --db FOLDER"},
        options.common.color);
    return ExitCode::Fatal;
  }
  return options;
}

}  // namespace kw::indexer
