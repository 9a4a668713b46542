// SPDX-License-Identifier: GPL-2.0-or-later
// Configuration files: `.kwsearch.toml` of a tree and `kwsearch/config.toml` of a person set
// options by their long names, before the first section for all programs, in [kwsearch] for that
// one. The table here says which options there are, of which program, and which a tree may set: a
// tree comes from anywhere, so its file must never run a command, write elsewhere, reach outside or
// decide what a call is for. How files and the command line go together: parse_command_line() in
// program.h.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"

namespace kw::cli {

inline constexpr std::string_view kTreeConfigName = ".kwsearch.toml";

enum Programs : unsigned { kIndex = 1, kSearch = 2, kExport = 4, kAll = 7 };

/// Who may set an option in a file.
enum class ConfigTrust {
  Tree,    ///< a tree's file, too
  Person,  ///< a person's own file, or one that is named by --config
  Nobody   ///< the command line only
};

struct ConfigKey {
  std::string_view name;  ///< the option's long name
  unsigned programs;
  ConfigTrust trust;
  std::string_view variable = {};  ///< of the environment: where it is set, it counts before files
};

/// Every long option of the programs; a test compares it with their --help.
inline constexpr std::array kConfigKeys{
    ConfigKey{"absolute", kSearch, ConfigTrust::Tree},
    ConfigKey{"adopt", kExport, ConfigTrust::Person},
    ConfigKey{"all", kSearch, ConfigTrust::Tree},
    ConfigKey{"allow-empty", kIndex, ConfigTrust::Person},
    ConfigKey{"any", kSearch, ConfigTrust::Tree},
    ConfigKey{"as", kSearch, ConfigTrust::Person},
    ConfigKey{"base-url", kExport, ConfigTrust::Tree},
    ConfigKey{"case-sensitive", kSearch, ConfigTrust::Tree},
    ConfigKey{"check", kIndex, ConfigTrust::Person},
    ConfigKey{"collections", kSearch, ConfigTrust::Person},
    ConfigKey{"color", kAll, ConfigTrust::Tree, "NO_COLOR"},
    ConfigKey{"complete", kSearch, ConfigTrust::Nobody},
    ConfigKey{"completion", kAll, ConfigTrust::Nobody},
    ConfigKey{"config", kAll, ConfigTrust::Nobody},
    ConfigKey{"context", kSearch, ConfigTrust::Tree},
    ConfigKey{"count", kSearch, ConfigTrust::Person},
    ConfigKey{"count-by", kSearch, ConfigTrust::Person},
    ConfigKey{"date", kExport, ConfigTrust::Tree},
    ConfigKey{"db", kIndex, ConfigTrust::Person},
    ConfigKey{"db", kSearch | kExport, ConfigTrust::Person, "KWSEARCH_DB"},
    ConfigKey{"doc-root", kIndex, ConfigTrust::Tree},
    ConfigKey{"doc-suffix", kIndex, ConfigTrust::Tree},
    ConfigKey{"dry-run", kIndex | kExport, ConfigTrust::Person},
    ConfigKey{"exclude", kIndex, ConfigTrust::Tree},
    ConfigKey{"explain", kIndex | kSearch, ConfigTrust::Person},
    ConfigKey{"fields", kSearch, ConfigTrust::Person},
    ConfigKey{"files", kSearch, ConfigTrust::Person},
    ConfigKey{"folder-page", kExport, ConfigTrust::Tree},
    ConfigKey{"follow", kIndex, ConfigTrust::Person},
    ConfigKey{"forge", kExport, ConfigTrust::Tree},
    ConfigKey{"format", kExport, ConfigTrust::Person},
    ConfigKey{"help", kAll, ConfigTrust::Nobody},
    ConfigKey{"hidden", kIndex, ConfigTrust::Person},
    ConfigKey{"include", kIndex, ConfigTrust::Tree},
    ConfigKey{"jobs", kIndex, ConfigTrust::Tree},
    ConfigKey{"json", kAll, ConfigTrust::Person},
    ConfigKey{"limit", kExport, ConfigTrust::Tree},
    ConfigKey{"lines", kSearch, ConfigTrust::Tree},
    ConfigKey{"links", kSearch, ConfigTrust::Tree},
    ConfigKey{"list-page", kExport, ConfigTrust::Tree},
    ConfigKey{"max-file-size", kIndex, ConfigTrust::Tree},
    ConfigKey{"no-demote", kSearch, ConfigTrust::Tree},
    ConfigKey{"no-ignore", kIndex, ConfigTrust::Person},
    ConfigKey{"no-progress", kIndex, ConfigTrust::Tree},
    ConfigKey{"null", kSearch, ConfigTrust::Person},
    ConfigKey{"offset", kSearch, ConfigTrust::Person},
    ConfigKey{"out", kExport, ConfigTrust::Person},
    ConfigKey{"page-suffix", kExport, ConfigTrust::Tree},
    ConfigKey{"path", kExport, ConfigTrust::Tree},
    ConfigKey{"profile", kExport, ConfigTrust::Person},
    ConfigKey{"partial", kSearch, ConfigTrust::Person},
    ConfigKey{"progress", kIndex, ConfigTrust::Tree},
    ConfigKey{"project", kExport, ConfigTrust::Tree},
    ConfigKey{"quiet", kAll, ConfigTrust::Tree},
    ConfigKey{"rebuild", kIndex, ConfigTrust::Person},
    ConfigKey{"regex", kSearch, ConfigTrust::Person},
    ConfigKey{"reset", kIndex, ConfigTrust::Person},
    ConfigKey{"results", kSearch, ConfigTrust::Tree},
    ConfigKey{"robots", kExport, ConfigTrust::Tree},
    ConfigKey{"scan", kIndex, ConfigTrust::Tree},
    ConfigKey{"serve-stdio", kSearch, ConfigTrust::Nobody},
    ConfigKey{"shard", kIndex, ConfigTrust::Person},
    ConfigKey{"shared", kIndex, ConfigTrust::Person},
    ConfigKey{"skipped", kIndex, ConfigTrust::Person},
    ConfigKey{"source-url", kExport, ConfigTrust::Tree},
    ConfigKey{"status", kIndex, ConfigTrust::Person},
    ConfigKey{"symbols", kIndex, ConfigTrust::Tree},
    ConfigKey{"then", kIndex, ConfigTrust::Person},
    ConfigKey{"timeout", kSearch, ConfigTrust::Person},
    ConfigKey{"trust", kIndex, ConfigTrust::Nobody},
    ConfigKey{"uses", kSearch, ConfigTrust::Person},
    ConfigKey{"verbose", kAll, ConfigTrust::Tree},
    ConfigKey{"version", kAll, ConfigTrust::Nobody},
    ConfigKey{"vimgrep", kSearch, ConfigTrust::Person},
    ConfigKey{"wait", kIndex, ConfigTrust::Person},
    ConfigKey{"watch", kIndex, ConfigTrust::Person},
};

/// One key of a file, with its values as text.
struct ConfigSetting {
  std::string name;
  std::vector<std::string> values;  ///< more than one, or none, only where an array stands
};

/// The section of a person's file that gives lists of databases a name, such as
/// `work = ["/srv/a", "~/b"]`, by which kwsearch --db takes them: @work.
inline constexpr std::string_view kCollectionSection = "collections";

struct Collections {
  std::string file;  ///< where they stand; empty: there is none
  std::map<std::string, std::vector<std::string>> named;  ///< absolute paths
};

/// Those of `file`. Usage: it is no such file, a list is empty, or holds what is no path from / or
/// ~.
Result<Collections> parse_collections(std::string_view text, const std::string& file);

/// Those of the file that `config` names (of --config; empty text: none), else of a person's own.
Result<Collections> read_collections(const std::optional<std::string>& config);

/// A file as `program` is to take it: settings of other programs left out, a program's own section
/// before what stands above all sections. Usage: it is no such file, sets a key that no option has,
/// or one that `trust` may not set; the message names file and key.
Result<std::vector<ConfigSetting>> parse_config(std::string_view text, const std::string& file,
                                                std::string_view program, ConfigTrust trust);

/// The same of a file on disk. NotFound: there is none.
Result<std::vector<ConfigSetting>> read_config(const std::string& file, std::string_view program,
                                               ConfigTrust trust);

/// $XDG_CONFIG_HOME/kwsearch/config.toml, by default in ~/.config. Empty: there is no home.
std::string person_config_file();

/// The configuration file of the tree in `folder`. Empty if `folder` is.
std::string tree_config_file(const std::string& folder);

/// Whether the person's file, or that of the tree in `folder`, is there and may set options.
bool has_config_file(const std::string& folder);

/// True if a variable of the environment stands before files for this option.
bool environment_sets(std::string_view program, std::string_view name);

}  // namespace kw::cli
