// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/command/options.h"

#include <CLI/CLI.hpp>
#include <string_view>

#include "schema/cli/command_line.h"
#include "schema/index/database_dir.h"
#include "schema/index/index_reader.h"
#include "schema/index/manifest.h"

namespace kw::exporter {
namespace {

// Leaves room for a head and a hash in a name of 255 bytes.
constexpr std::size_t kMaxSuffixBytes = 100;

constexpr const char* kPages = "Page content";
constexpr const char* kWhere = "Where";
constexpr const char* kOutput = "Output";

constexpr const char* kExamples = R"(Examples:
  kwexport --out docs                    a keyword page for each indexed file
  kwexport --out docs --path torch/csrc  only the pages of one directory
  kwexport --out docs --dry-run          print what a run would write and remove
  kwexport --out docs --adopt            overwrite keyword pages made by other tools
  kwexport --out site --format html      a site with a search, without a server)";

/// CLI11 would read "-1" as a very large number.
std::string limit_fault(const std::string& limit) {
  if (limit.find_first_not_of("0123456789") == std::string::npos && !limit.empty()) return {};
  return "'" + limit + "' is no number of keywords";
}

std::string suffix_fault(const std::string& suffix) {
  if (suffix.empty()) return "a page needs a suffix, or it would take its file's name";
  if (suffix.size() > kMaxSuffixBytes) return "the suffix is longer than 100 bytes";
  if (suffix.find('/') != std::string::npos) return "the suffix is part of a file name: no '/'";
  if (std::string_view("._-").find(suffix[0]) == std::string_view::npos)
    return "the suffix begins with '.', '_' or '-': a page's name must not be another's";
  return {};
}

std::string date_fault(const std::string& date) {
  constexpr std::string_view kForm = "0000-00-00";
  bool fits = date.size() == kForm.size();
  for (std::size_t i = 0; fits && i < date.size(); ++i)
    fits = kForm[i] == '0' ? date[i] >= '0' && date[i] <= '9' : date[i] == kForm[i];
  return fits ? "" : "'" + date + "' is no date: 2026-03-01";
}

std::string page_of_folder_fault(const std::string& name) {
  if (name.find('/') != std::string::npos || name == "." || name == "..")
    return "'" + name + "' is no name of a file";
  // A tree's own configuration may set it, and other programs act on such names: .envrc, .git.
  if (name.starts_with('.')) return "'" + name + "' is hidden: a page's name begins with no dot";
  return name.size() > kMaxSuffixBytes ? "the name is longer than 100 bytes" : "";
}

/// "./torch/" -> "torch"; "." -> "": how paths stand in the index.
std::string normal_prefix(std::string_view prefix) {
  while (prefix.starts_with("./")) {
    prefix.remove_prefix(2);
    while (prefix.starts_with('/')) prefix.remove_prefix(1);
  }
  while (prefix.size() > 1 && prefix.ends_with('/')) prefix.remove_suffix(1);
  return std::string(prefix == "." ? std::string_view() : prefix);
}

std::string prefix_fault(const std::string& prefix) {
  const std::string normal = normal_prefix(prefix);
  if (normal.empty() || stays_inside(normal)) return {};
  return "'" + prefix + "' is no path from the indexed folder's root";
}

/// Takes back what files set and the format does not have: Markdown has no map of a site, and a
/// site is made as a whole, in one way. `asked` is what the command line gave; returns the fault if
/// it is that.
std::string settle_format(KwexportOptions& options, const KwexportOptions& asked) {
  if (options.format == Format::Markdown) {
    if (!asked.base_url.empty()) return "--base-url goes with --format html";
    if (!asked.date.empty()) return "--date goes with --format html";
    if (asked.robots != site::Robots::Unsaid) return "--robots goes with --format html";
    options.base_url.clear();
    return "";
  }
  if (asked.profile == Profile::Classic) return "profile classic has no format html";
  if (!asked.path_prefix.empty()) return "--format html takes no --path: it links all pages";
  options.profile = Profile::Full;
  options.path_prefix.clear();
  return "";
}

void add_page_options(CLI::App& app, KwexportOptions& options) {
  app.add_option_function<std::string>(
         "--format",
         [&options](const std::string& name) {
           options.format = name == "html" ? Format::Html : Format::Markdown;
         },
         "md (Markdown, the default) or html (a site with a search)")
      ->check(cli::one_of({"md", "html"}))
      ->type_name("FORMAT")
      ->group(kPages);
  app.add_option_function<std::string>(
         "--profile",
         [&options](const std::string& name) {
           options.profile = name == "classic" ? Profile::Classic : Profile::Full;
         },
         "full (definitions and salient names, the default) or classic")
      ->check(cli::one_of({"full", "classic"}))
      ->type_name("NAME")
      ->group(kPages);
  app.add_option("--limit", options.limit,
                 "number of keywords of a page besides definitions (100; 0: all)")
      ->check(limit_fault)
      ->type_name("N")
      ->group(kPages);
  app.add_option_function<std::string>(
         "--project", [&options](const std::string& name) { options.project = name; },
         "the project name in each footer (name of the indexed directory)")
      ->type_name("NAME")
      ->group(kPages);
}

void add_link_options(CLI::App& app, KwexportOptions& options) {
  app.add_option_function<std::string>(
         "--forge",
         [&options](const std::string& name) {
           options.forge = name == "gitlab" ? Forge::GitLab : Forge::GitHub;
         },
         "the form of anchors in links: github (default) or gitlab")
      ->check(cli::one_of({"github", "gitlab"}))
      ->type_name("NAME")
      ->group(kPages);
  app.add_option("--source-url", options.source_url,
                 "link to files below this URL: https://HOST/OWNER/REPO/blob/main")
      ->check(source_url_fault)
      ->type_name("URL")
      ->group(kPages);
  app.add_option("--base-url", options.base_url,
                 "html: the URL of the site; adds a sitemap.xml and a 404.html")
      ->check(source_url_fault)
      ->type_name("URL")
      ->group(kPages);
}

void add_site_options(CLI::App& app, KwexportOptions& options) {
  app.add_option("--date", options.date, "html: the date that the home and the site map show")
      ->check(date_fault)
      ->type_name("YYYY-MM-DD")
      ->group(kPages);
  app.add_option_function<std::string>(
         "--robots",
         [&options](const std::string& name) {
           options.robots = name == "all" ? site::Robots::All : site::Robots::None;
         },
         "html: a robots.txt that lets search engines in (all) or not (none)")
      ->check(cli::one_of({"all", "none"}))
      ->type_name("WHO")
      ->group(kPages);
}

void add_place_options(CLI::App& app, KwexportOptions& options) {
  app.add_option("--out", options.out, "the directory to write to; created if missing")
      ->check(cli::folder_fault)
      ->type_name("DIR")
      ->group(kWhere);
  app.add_option("--page-suffix", options.page_suffix, "the suffix of a page's name (_kw.md)")
      ->check(suffix_fault)
      ->type_name("SUFFIX")
      ->group(kWhere);
  app.add_option("--folder-page", options.folder_page,
                 "the name of each directory's page (index.md; '': none)")
      ->check(page_of_folder_fault)
      ->type_name("NAME")
      ->group(kWhere);
  app.add_option("--list-page", options.list_page,
                 "the name of each directory's list of keywords (sub.md; '': none)")
      ->check(page_of_folder_fault)
      ->type_name("NAME")
      ->group(kWhere);
  app.add_option_function<std::string>(
         "--path",
         [&options](const std::string& prefix) { options.path_prefix = normal_prefix(prefix); },
         "write only the pages of this directory or file")
      ->check(prefix_fault)
      ->type_name("PREFIX")
      ->group(kWhere);
  app.add_option("--db", options.database,
                 "the index, or a tree that contains .kwsearch (the nearest)")
      ->check(cli::folder_fault)
      ->type_name("FOLDER")
      ->group(kWhere);
  app.add_flag("--adopt", options.adopt, "overwrite files in the way that begin like keyword pages")
      ->group(kWhere);
}

}  // namespace

std::variant<KwexportOptions, ExitCode> parse_kwexport_options(int argc, const char* const* argv) {
  CLI::App app(
      "Writes a keyword page for each file of an index, from the index alone.\n"
      "Only pages that differ are written; pages of files that are gone are removed.",
      "kwexport");
  app.footer(kExamples);
  app.option_defaults()->take_last();
  KwexportOptions options, asked;
  add_place_options(app, options);
  add_page_options(app, options);
  add_link_options(app, options);
  add_site_options(app, options);
  app.add_flag("--dry-run", options.dry_run,
               "list what would be written and removed, and change nothing")
      ->group(kOutput);
  app.add_flag("--json", options.json, "print one JSON object with the counts")->group(kOutput);
  cli::add_common_options(app, options.common);
  const cli::OptionHooks hooks{[&options] {
                                 const auto database = database_to_read(options.database);
                                 return database ? configured_folder(*database) : std::string();
                               },
                               [&options, &asked] { asked = options; }};
  if (const auto code = cli::parse_command_line(app, argc, argv, hooks, options.common))
    return *code;
  const auto refuse = [&options](std::string fault, std::string hint) {
    cli::print_error("kwexport", {ErrorCode::Usage, std::move(fault), std::move(hint)},
                     options.common.color);
    return ExitCode::Fatal;
  };
  if (options.out.empty())  // neither a word nor a file sets it
    return refuse("no output directory", "kwexport --out DIR, or kwexport --help");
  if (std::string fault = settle_format(options, asked); !fault.empty())
    return refuse(std::move(fault), "see: kwexport --help");
  return options;
}

}  // namespace kw::exporter
