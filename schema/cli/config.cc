// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/cli/config.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "schema/index/database_dir.h"
#include "schema/text/text.h"

namespace kw::cli {
namespace {

// A file that people write by hand; more is a mistake, or malice.
constexpr std::uint64_t kMaxConfigBytes = 64 << 10;
// Stand around the number of a string in what CLI11 reads. No file may hold them.
constexpr char kMark = '\x01', kMarkEnd = '\x02';

constexpr std::string_view kProgramNames[] = {"kwindex", "kwsearch", "kwexport"};

unsigned bit_of(std::string_view program) {
  for (unsigned i = 0; i < std::size(kProgramNames); ++i)
    if (kProgramNames[i] == program) return 1u << i;
  return 0;
}

Error fault(const std::string& file, const std::string& what, std::string hint) {
  return {ErrorCode::Usage, fmt::format("'{}' {}", printable(file), what), std::move(hint)};
}

constexpr std::string_view kWord =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-\x01\x02";

bool is_word(char c) { return kWord.find(c) != std::string_view::npos; }

/// CLI11's reader cuts strings at '#' and takes them for lists at a comma or a blank. So it gets
/// each string as a number, and never a comment; what is no line of TOML is found on the way.
class Strings {
 public:
  explicit Strings(const std::string& file) : file_(file) {}

  Result<std::string> take_from(std::string_view text) {
    std::string out;
    int line = 1;
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t end = std::min(text.find('\n', i), text.size());
      auto replaced = replace(text.substr(i, end - i), line);
      if (!replaced) return replaced.error();
      if (in_array_ && !replaced->empty() && is_word(replaced->front()) && is_word(out.back()))
        return wrong(line, "a comma is missing before it");
      if (auto checked = check(*replaced, line); !checked) return checked.error();
      out += *replaced;
      if (!in_array_) out += '\n';  // CLI11 wants more than a bracket on the line of its key
      i = end + 1;
      ++line;
    }
    if (in_array_) return wrong(line, "an array is not closed");
    return out;
  }

  /// A value as CLI11 gave it back.
  std::string value(const std::string& read) const {
    if (read.empty() || read[0] != kMark) return read;
    std::size_t number = 0;
    const char* const end = read.data() + read.size();
    const auto parsed = std::from_chars(read.data() + 1, end, number);
    return parsed.ptr + 1 == end && *parsed.ptr == kMarkEnd && number < strings_.size()
               ? strings_[number]
               : read;
  }

 private:
  Error wrong(int line, const std::string& what) const {
    return fault(file_, fmt::format("line {}: {}", line, what),
                 "write lines such as: results = 20, or: exclude = [\"old\", \"*.min.js\"]");
  }

  /// One line without comment and blanks, each string a mark and its number.
  Result<std::string> replace(std::string_view line, int number) {
    std::string out;
    for (std::size_t i = 0; i < line.size() && line[i] != '#'; ++i) {
      const char c = line[i];
      if (c == '"' || c == '\'') {
        auto string = string_at(line, i, number);
        if (!string) return string.error();
        if (!out.empty() && is_word(out.back()))
          return wrong(number, "a string right behind something else; a comma is missing");
        out += kMark + std::to_string(strings_.size()) + kMarkEnd;
        strings_.push_back(*std::move(string));
      } else if (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\r') {
        return wrong(number, "a control character");
      } else if (c != ' ' && c != '\t' && c != '\r') {
        if (is_word(c) && !out.empty() && out.back() == kMarkEnd)
          return wrong(number, "something right behind a string");
        if (i > 0 && line[i - 1] <= ' ' && is_word(c) && !out.empty() && is_word(out.back()))
          out += ' ';  // two words stay two
        out += c;
      }
    }
    return out;
  }

  /// The string that begins at `i`; `i` is then at its end.
  Result<std::string> string_at(std::string_view line, std::size_t& i, int number) const {
    const char quote = line[i];
    std::string out;
    for (++i; i < line.size(); ++i) {
      const char c = line[i];
      if (c == quote) return out;
      if (static_cast<unsigned char>(c) < ' ' && c != '\t')
        return wrong(number, "a control character");
      if (quote == '\'' || c != '\\') {
        out += c;
        continue;
      }
      constexpr std::string_view kEscapes = "\"\\ntr", kMeant = "\"\\\n\t\r";
      const std::size_t at =
          i + 1 < line.size() ? kEscapes.find(line[++i]) : std::string_view::npos;
      if (at == std::string_view::npos)
        return wrong(number, "an unknown escape in a string; in '...' a backslash is itself");
      out += kMeant[at];
    }
    return wrong(number, "a string is not closed");
  }

  /// That the line is empty, a [section], `key = value` or a part of an array.
  Result<void> check(const std::string& line, int number) {
    if (line.empty()) return {};
    std::string_view rest = line;
    if (!in_array_) {
      if (rest.starts_with('[')) {
        if (!rest.ends_with(']')) return wrong(number, "a section is not closed");
        return {};
      }
      const std::size_t equals = rest.find('=');
      if (equals == std::string_view::npos || equals == 0) return wrong(number, "no 'key = value'");
      rest.remove_prefix(equals + 1);
      if (rest.empty()) return wrong(number, "the key has no value");
      in_array_ = rest.starts_with('[');
      if (in_array_) rest.remove_prefix(1);
    }
    const bool closes = in_array_ && rest.ends_with(']');
    if (closes) rest.remove_suffix(1);
    for (const char c : rest)
      if (!is_word(c) && !(in_array_ && c == ','))
        return wrong(number, fmt::format("'{}' in a value; text stands in quotes",
                                         printable(std::string(1, c))));
    if (closes) in_array_ = false;
    return {};
  }

  const std::string& file_;
  std::vector<std::string> strings_;
  bool in_array_ = false;
};

/// Checks the keys of a file against the table.
class Keys {
 public:
  Keys(const std::string& file, ConfigTrust trust) : file_(file), trust_(trust) {}

  /// The programs that have the option; `programs` are those that are asked for.
  Result<unsigned> check(const std::string& name, unsigned programs) const {
    unsigned found = 0;
    for (const ConfigKey& key : kConfigKeys) {
      if (key.name != name || !(key.programs & programs)) continue;
      found |= key.programs & programs;
      if (key.trust == ConfigTrust::Nobody)
        return fault(file_, fmt::format("may not set '{}'", name),
                     "that belongs on the command line");
      if (trust_ == ConfigTrust::Tree && key.trust == ConfigTrust::Person)
        return fault(file_,
                     fmt::format("may not set '{}': a tree's file runs nothing, writes nowhere "
                                 "else and starts no task",
                                 name),
                     "set it on the command line or in " + person_config_file());
    }
    if (found) return found;
    return fault(file_, fmt::format("sets '{}', which is no option", printable(name)),
                 "its keys are long names of options: kwsearch --help, kwindex --help, "
                 "kwexport --help");
  }

 private:
  const std::string& file_;
  ConfigTrust trust_;
};

/// One mark of a section's begin or end, which CLI11 puts between the keys.
bool is_section_mark(const CLI::ConfigItem& item) {
  return (item.name == "++" || item.name == "--") && item.inputs.empty();
}

/// What CLI11 reads, with its strings put back.
Result<std::vector<CLI::ConfigItem>> items_of(std::string_view text, const std::string& file) {
  Strings strings(file);
  const auto plain = strings.take_from(text);
  if (!plain) return plain.error();
  std::istringstream in(*plain);
  std::vector<CLI::ConfigItem> items;
  try {
    items = CLI::ConfigTOML().from_config(in);
  } catch (const CLI::ParseError& e) {
    return fault(file, fmt::format("is no TOML file [{}]", printable(e.what())), "");
  }
  for (CLI::ConfigItem& item : items) {
    item.name = strings.value(item.name);
    for (std::string& parent : item.parents) parent = strings.value(parent);
    for (std::string& input : item.inputs) input = strings.value(input);
  }
  return items;
}

bool is_collection(const CLI::ConfigItem& item) {
  return !item.parents.empty() && item.parents[0] == kCollectionSection;
}

/// The text of a configuration file. NotFound: there is none.
Result<std::string> text_of(const std::string& file) {
  std::error_code error;
  // A folder that may not be looked into holds nothing for us: a service has no home, say.
  if (!std::filesystem::exists(file, error) && (!error || error == std::errc::permission_denied))
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
  const auto items = items_of(text, file);
  if (!items) return items.error();
  std::vector<ConfigSetting> own, common;
  const Keys keys(file, trust);
  for (const CLI::ConfigItem& item : *items) {
    if (is_collection(item)) {
      if (trust == ConfigTrust::Person) continue;
      return fault(file, "may not have collections: a tree's file names no databases",
                   "set them in " + person_config_file());
    }
    const unsigned section = item.parents.size() == 1 ? bit_of(item.parents[0])
                             : item.parents.empty()   ? kAll
                                                      : 0u;
    if (section == 0)
      return fault(
          file,
          fmt::format("has a section '{}', which is no program", printable(item.parents.front())),
          "sections are [kwindex], [kwsearch], [kwexport] and [collections]");
    if (is_section_mark(item)) continue;
    const std::string& name = item.name;
    const auto programs = keys.check(name, section);
    if (!programs) return programs.error();
    if (!(*programs & bit_of(program))) continue;
    ConfigSetting setting{name, item.inputs};
    std::vector<ConfigSetting>& to = section == kAll ? common : own;
    const auto is_same = [&](const ConfigSetting& s) { return s.name == name; };
    if (std::any_of(to.begin(), to.end(), is_same))
      return fault(file, fmt::format("sets '{}' twice", name), "write one line for each key");
    to.push_back(std::move(setting));
  }
  for (ConfigSetting& setting : common)
    if (std::none_of(own.begin(), own.end(),
                     [&](const ConfigSetting& s) { return s.name == setting.name; }))
      own.push_back(std::move(setting));
  return own;
}

Result<std::vector<ConfigSetting>> read_config(const std::string& file, std::string_view program,
                                               ConfigTrust trust) {
  const auto text = text_of(file);
  if (!text) return text.error();
  return parse_config(*text, file, program, trust);
}

Result<Collections> parse_collections(std::string_view text, const std::string& file) {
  const auto items = items_of(text, file);
  if (!items) return items.error();
  Collections collections{file, {}};
  const char* const home = std::getenv("HOME");
  for (const CLI::ConfigItem& item : *items) {
    if (!is_collection(item) || is_section_mark(item)) continue;
    const auto wrong = [&](const std::string& what) {
      return fault(file, fmt::format("collection '{}': {}", printable(item.name), what),
                   "write lines such as: work = [\"/srv/docs\", \"~/notes\"]");
    };
    if (item.parents.size() != 1) return wrong("a name has no dot");
    std::vector<std::string> places;
    for (const std::string& input : item.inputs) {
      if (input.starts_with("~/") && home)
        places.push_back(home + input.substr(1));
      else if (input.starts_with('/'))
        places.push_back(input);
      else if (!input.empty())
        return wrong(fmt::format("'{}' is no path from / or ~", printable(input)));
    }
    if (places.empty()) return wrong("it names no database");
    if (!collections.named.try_emplace(item.name, std::move(places)).second)
      return wrong("it stands there twice");
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
