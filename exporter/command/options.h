// SPDX-License-Identifier: GPL-2.0-or-later
// The command line of kwexport, parsed: a plain struct, so that all behind it is tested without a
// process.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>

#include "exporter/model/links.h"
#include "exporter/model/page.h"
#include "exporter/site/sitemap.h"
#include "schema/cli/program.h"

namespace kw::exporter {

enum class Format { Markdown, Html };

struct KwexportOptions {
  cli::CommonOptions common;
  Format format = Format::Markdown;
  Profile profile = Profile::Full;
  Forge forge = Forge::GitHub;
  std::string source_url;  ///< in front of files' paths; empty: links are relative
  std::string base_url;    ///< where the site will lie; empty: it gets no site map
  std::string date;        ///< that a site shows, as YYYY-MM-DD; empty: none
  site::Robots robots = site::Robots::Unsaid;
  std::string out;                     ///< the folder to write to, relative to the current one
  std::string database;                ///< --db; empty: $KWSEARCH_DB, or the nearest here or above
  std::size_t limit = 100;             ///< keywords on a page; 0: all
  std::optional<std::string> project;  ///< in the pages' foot; the root's name if not given
  std::string page_suffix = "_kw.md";
  std::string folder_page = "index.md";  ///< the name of each folder's page; empty: none
  std::string list_page = "sub.md";      ///< of each folder's list of keywords; empty: none
  std::string
      path_prefix;  ///< a file or folder, from the root, without a slash at its end; empty: all
  bool adopt = false;
  bool dry_run = false;
  bool json = false;
};

/// The options, or the code to exit with: then all is said (help, version, an error).
std::variant<KwexportOptions, ExitCode> parse_kwexport_options(int argc, const char* const* argv);

}  // namespace kw::exporter
