// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/cli/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "schema/base/bounds.h"
#include "schema/index/database_dir.h"
#include "schema/text/text.h"
#include "schema/text/toml.h"

namespace kw::cli {
namespace {

// Passed over; it has no column.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

constexpr std::string_view kProgramNames[] = {"kwindex", "kwsearch", "kwexport"};

unsigned bit_of(std::string_view program) {
  for (unsigned i = 0; i < std::size(kProgramNames); ++i)
    if (kProgramNames[i] == program) return 1u << i;
  return 0;
}

constexpr const char* kValuesHint =
    "write numbers, true, false, or text in quotes: results = 20, "
    "exclude = [\"old\", \"*.min.js\"]";

Error fault(const std::string& file, unsigned line, std::string_view what, std::string hint) {
  return {ErrorCode::Usage, fmt::format("'{}' line {} {}", printable(file), line, what),
          std::move(hint)};
}

/// What to do about a file that is no TOML.
const char* hint_for(std::string_view text, std::string_view reason) {
  if (!is_utf8(text)) return "save the file as UTF-8";
  if (reason.find("redefine") != std::string_view::npos)
    return "write one line for each key, and each section once";
  return kValuesHint;
}

/// The table of a file. Usage: it is no TOML.
Result<toml::table> table_of(std::string_view text, const std::string& file) {
  toml::parse_result parsed = parse_toml(text);
  if (parsed) return std::move(parsed).table();
  const std::string_view reason = parsed.error().description();
  return fault(file, parsed.error().source().begin.line,
               fmt::format("is not TOML [{}]", printable(reason)), hint_for(text, reason));
}

/// One `key = value` or section, with its line.
struct Entry {
  std::string_view key;
  const toml::node* node;
  toml::source_position at;
};

/// What stands in a table, in the order of the file.
std::vector<Entry> entries_of(const toml::table& table) {
  std::vector<Entry> entries;
  for (const auto& [key, node] : table) entries.push_back({key.str(), &node, key.source().begin});
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.at < b.at; });
  return entries;
}

/// The values of a file as text.
class Values {
 public:
  Values(std::string_view text, const std::string& file)
      : text_(text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text),
        starts_(line_starts(text_)),
        file_(file) {}

  /// Of a key; several, or none, only where it is an array. Usage: not text, number or truth.
  Result<std::vector<std::string>> of(const Entry& entry) const {
    std::vector<std::string> values;
    const toml::array* const list = entry.node->as_array();
    const std::size_t count = list ? list->size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
      const toml::node& node = list ? (*list)[i] : *entry.node;
      if (node.is_array() || node.is_table())
        return fault(file_, node.source().begin.line,
                     fmt::format("has a {} in '{}'", node.is_table() ? "table" : "list in a list",
                                 printable(entry.key)),
                     kValuesHint);
      values.push_back(text_of(node));
    }
    return values;
  }

 private:
  /// Numbers and dates as they are written: 1.10 stays.
  std::string text_of(const toml::node& node) const {
    if (const auto* const string = node.as_string()) return string->get();
    const toml::source_region& at = node.source();
    const std::string_view line = line_at(text_, starts_, at.begin.line);
    const std::size_t begin = offset_of(line, at.begin.column);
    return std::string(line.substr(begin, offset_of(line, at.end.column) - begin));
  }

  /// Of a column, which counts characters from 1.
  static std::size_t offset_of(std::string_view line, unsigned column) {
    std::size_t at = 0;
    while (at < line.size() && (column > 1 || is_continuation(line[at])))
      if (!is_continuation(line[at++])) --column;
    return at;
  }

  std::string_view text_;
  std::vector<std::size_t> starts_;
  const std::string& file_;
};

/// Checks the keys of a file against the table.
class Keys {
 public:
  Keys(const std::string& file, ConfigTrust trust) : file_(file), trust_(trust) {}

  /// The programs that have the option; `programs` are those that are asked for.
  Result<unsigned> check(const Entry& entry, unsigned programs) const {
    const std::string_view name = entry.key;
    unsigned found = 0;
    for (const ConfigKey& key : kConfigKeys) {
      if (key.name != name || !(key.programs & programs)) continue;
      found |= key.programs & programs;
      if (key.trust == ConfigTrust::Nobody)
        return fault(file_, entry.at.line, fmt::format("may not set '{}'", name),
                     "that belongs on the command line");
      if (trust_ == ConfigTrust::Tree && key.trust == ConfigTrust::Person)
        return fault(file_, entry.at.line,
                     fmt::format("may not set '{}': a tree's file runs nothing, writes nowhere "
                                 "else and starts no task",
                                 name),
                     "set it on the command line or in " + person_config_file());
    }
    if (found) return found;
    return fault(file_, entry.at.line,
                 fmt::format("sets '{}', which is no option", printable(name)),
                 "its keys are long names of options: kwsearch --help, kwindex --help, "
                 "kwexport --help");
  }

 private:
  const std::string& file_;
  ConfigTrust trust_;
};

/// What a file sets for one program.
class Reader {
 public:
  Reader(std::string_view text, const std::string& file, std::string_view program,
         ConfigTrust trust)
      : file_(file),
        keys_(file, trust),
        values_(text, file),
        trust_(trust),
        program_(bit_of(program)) {}

  Result<std::vector<ConfigSetting>> read(const toml::table& table) {
    std::vector<ConfigSetting> common, own;
    for (const Entry& entry : entries_of(table)) {
      KW_TRY(is_section(entry) ? add_section(entry, own) : add(entry, kAll, common));
    }
    for (ConfigSetting& setting : common)
      if (std::none_of(own.begin(), own.end(),
                       [&](const ConfigSetting& s) { return s.name == setting.name; }))
        own.push_back(std::move(setting));
    return own;
  }

 private:
  static bool is_section(const Entry& entry) {
    return entry.node->is_table() || entry.node->is_array_of_tables();
  }

  Result<void> add_section(const Entry& section, std::vector<ConfigSetting>& to) const {
    const unsigned programs = bit_of(section.key);
    const toml::table* const table = section.node->as_table();
    if (section.key == kCollectionSection) {
      if (trust_ == ConfigTrust::Person) return {};
      return fault(file_, section.at.line,
                   "may not have collections: a tree's file names no databases",
                   "set them in " + person_config_file());
    }
    if (!programs || !table) return no_program(section, std::string(section.key));
    for (const Entry& entry : entries_of(*table)) {
      if (is_section(entry)) return no_program(entry, fmt::format("{}.{}", section.key, entry.key));
      KW_TRY(add(entry, programs, to));
    }
    return {};
  }

  Error no_program(const Entry& entry, const std::string& name) const {
    return fault(file_, entry.at.line,
                 fmt::format("has a section '{}', which is no program", printable(name)),
                 "sections are [kwindex], [kwsearch], [kwexport] and [collections]");
  }

  /// `programs` are those that the entry is for.
  Result<void> add(const Entry& entry, unsigned programs, std::vector<ConfigSetting>& to) const {
    const auto found = KW_TRY(keys_.check(entry, programs));
    auto values = KW_TRY(values_.of(entry));
    if (found & program_) to.push_back({std::string(entry.key), std::move(values)});
    return {};
  }

  const std::string& file_;
  const Keys keys_;
  const Values values_;
  const ConfigTrust trust_;
  const unsigned program_;
};

/// A folder that may not be looked into holds nothing for us: a service has no home, say.
bool is_there(const std::string& file) {
  std::error_code error;
  return std::filesystem::exists(file, error) || (error && error != std::errc::permission_denied);
}

/// The text of a configuration file. NotFound: there is none.
Result<std::string> text_of(const std::string& file) {
  if (!is_there(file))
    return Error{ErrorCode::NotFound, fmt::format("no file '{}'", printable(file)), ""};
  auto text = read_file(file, kMaxConfigBytes);
  if (text) return text;
  return Error{ErrorCode::Usage,
               fmt::format("cannot read the configuration file: {}", text.error().message),
               "mend it, or remove it"};
}

}  // namespace

Result<std::vector<ConfigSetting>> parse_config(std::string_view text, const std::string& file,
                                                std::string_view program, ConfigTrust trust) {
  const auto table = KW_TRY(table_of(text, file));
  return Reader(text, file, program, trust).read(table);
}

Result<std::vector<ConfigSetting>> read_config(const std::string& file, std::string_view program,
                                               ConfigTrust trust) {
  const auto text = KW_TRY(text_of(file));
  return parse_config(text, file, program, trust);
}

Result<Collections> parse_collections(std::string_view text, const std::string& file) {
  const toml::table table = KW_TRY(table_of(text, file));
  Collections collections{file, {}};
  const toml::table* const section = table[kCollectionSection].as_table();
  if (!section) return collections;
  const Values values(text, file);
  const char* const home = std::getenv("HOME");
  for (const Entry& entry : entries_of(*section)) {
    const auto wrong = [&](const std::string& what) {
      return fault(file, entry.at.line,
                   fmt::format("has a bad collection '{}': {}", printable(entry.key), what),
                   "write lines such as: work = [\"/srv/docs\", \"~/notes\"]");
    };
    if (entry.node->is_table()) return wrong("a name has no dot");
    const auto inputs = KW_TRY(values.of(entry));
    std::vector<std::string> places;
    for (const std::string& input : inputs) {
      if (input.starts_with("~/") && home)
        places.push_back(home + input.substr(1));
      else if (input.starts_with('/'))
        places.push_back(input);
      else if (!input.empty())
        return wrong(fmt::format("'{}' is no path from / or ~", printable(input)));
    }
    if (places.empty()) return wrong("it names no database");
    collections.named.emplace(entry.key, std::move(places));
  }
  return collections;
}

Result<Collections> read_collections(const std::optional<std::string>& config) {
  const std::string file = config ? *config : person_config_file();
  if (file.empty()) return Collections();
  const auto text = text_of(file);
  if (!text && text.error().code == ErrorCode::NotFound) return Collections{file, {}};
  if (!text) return text.error();
  return parse_collections(*text, file);
}

std::string tree_config_file(const std::string& folder) {
  return folder.empty() ? "" : fmt::format("{}/{}", folder == "/" ? "" : folder, kTreeConfigName);
}

bool has_config_file(const std::string& folder) {
  const std::string person = person_config_file(), tree = tree_config_file(folder);
  return (!person.empty() && is_there(person)) || (!tree.empty() && is_there(tree));
}

std::string person_config_file() {
  const char* const config = std::getenv("XDG_CONFIG_HOME");
  if (config && *config == '/') return std::string(config) + "/kwsearch/config.toml";
  const char* const home = std::getenv("HOME");
  return home && *home == '/' ? std::string(home) + "/.config/kwsearch/config.toml" : "";
}

bool environment_sets(std::string_view program, std::string_view name) {
  for (const ConfigKey& key : kConfigKeys) {
    if (key.name != name || key.variable.empty() || !(key.programs & bit_of(program))) continue;
    const char* const value = std::getenv(std::string(key.variable).c_str());
    if (value && *value) return true;
  }
  return false;
}

}  // namespace kw::cli
