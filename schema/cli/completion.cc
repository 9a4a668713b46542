// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/cli/completion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <vector>

namespace kw::cli {
namespace {

enum class ValueKind { None, Any, Choice, File, Folder, Database, Query };

/// An option as completion sees it.
struct Row {
  std::vector<std::string> names;  ///< "-n", "--results"; of an argument none
  std::string value;               ///< "N"
  std::string help;
  ValueKind kind = ValueKind::None;
  std::string choices;  ///< words with blanks between
  bool repeats = false;
};

/// The words of one_of(), which are its validator's name.
std::string choices_of(const CLI::Option& option) {
  std::string words;
  try {
    words = const_cast<CLI::Option&>(option).get_validator(0)->get_name();
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
  for (char& c : words)
    if (c == '|') c = ' ';
  return words;
}

Row row_of(const CLI::Option& option) {
  Row row;
  row.help = option.get_description();
  for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  row.repeats = option.get_expected_max() > 1 ||
                option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  if (option.get_positional()) {
    row.value = option.get_name(true);
    row.kind = row.value == "ROOT" ? ValueKind::Folder : ValueKind::Query;
    return row;
  }
  if (option.get_items_expected_max() == 0) return row;
  row.value = option.get_type_name();
  row.choices = choices_of(option);
  row.kind = !row.choices.empty()                          ? ValueKind::Choice
             : row.value == "FILE"                         ? ValueKind::File
             : row.value == "DATABASE"                     ? ValueKind::Database
             : row.value == "FOLDER" || row.value == "DIR" ? ValueKind::Folder
                                                           : ValueKind::Any;
  return row;
}

std::vector<Row> rows_of(const CLI::App& app) {
  std::vector<Row> rows;
  for (const CLI::Option* option : app.get_options()) rows.push_back(row_of(*option));
  return rows;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

/// `text` with a backslash before each of `special`, and fit to stand in single quotes.
std::string escaped(const std::string& text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\'";
    else if (special.find(c) != std::string_view::npos)
      out += '\\';
    out += c;
  }
  return out;
}

std::string head(const std::string& program, const char* shell) {
  return fmt::format("# Completion for {}, printed by: {} --completion {}\n", shell, program,
                     shell);
}

constexpr const char* kBashStart = R"(_@() {
  local line=${COMP_LINE:0:COMP_POINT} cur prev colon i
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:blank:]] ]] && words+=('')
  ((${#words[@]} > 1)) || return
  cur=${words[-1]} prev=${words[-2]}
  if [[ $cur == --*=* ]]; then prev=${cur%%=*} cur=${cur#*=}; fi
  COMPREPLY=()
  case $prev in
)";
constexpr const char* kBashFolders =
    "mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"); compopt -o filenames 2>/dev/null";
constexpr const char* kBashFiles =
    "mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); compopt -o filenames 2>/dev/null";
constexpr const char* kBashDatabases = R"sh(if [[ $cur == @* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(# --collections 2>/dev/null | cut -d ' ' -f 1)" -- "$cur")
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$cur"); compopt -o filenames 2>/dev/null
      fi)sh";
// Bash puts a candidate in the place of what stands behind the last colon.
constexpr const char* kBashQuery = R"(mapfile -t COMPREPLY < <(@ --complete="$cur" 2>/dev/null)
  colon=${cur%"${cur##*:}"}
  for i in "${!COMPREPLY[@]}"; do
    [[ ${COMPREPLY[i]} != *: ]] || compopt -o nospace 2>/dev/null
    [[ $COMP_WORDBREAKS != *:* ]] || COMPREPLY[i]=${COMPREPLY[i]#"$colon"}
    printf -v "COMPREPLY[i]" %q "${COMPREPLY[i]}"
  done)";

std::string bash(const std::string& program, const std::vector<Row>& rows) {
  std::string cases, names, argument;
  for (const Row& row : rows) {
    if (row.names.empty()) {
      argument = row.kind == ValueKind::Folder ? kBashFolders : kBashQuery;
      continue;
    }
    names += (names.empty() ? "" : " ") + joined(row.names, " ");
    std::string action = ":";
    switch (row.kind) {
      case ValueKind::None:
      case ValueKind::Query:
        continue;
      case ValueKind::Any:
        break;
      case ValueKind::Choice:
        action = fmt::format("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$cur\")", row.choices);
        break;
      case ValueKind::File:
        action = kBashFiles;
        break;
      case ValueKind::Database:
        action = kBashDatabases;
        action.replace(action.find('#'), 1, program);
        break;
      case ValueKind::Folder:
        action = kBashFolders;
        break;
    }
    cases += fmt::format("    {})\n      {}\n      return\n      ;;\n", joined(row.names, " | "),
                         action);
  }
  std::string out = kBashStart;
  out.replace(out.find('@'), 1, program);
  out = head(program, "bash") + out + cases + "  esac\n  if [[ $cur == -* ]]; then\n" +
        fmt::format("    mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$cur\")\n    return\n  fi\n",
                    names);
  if (argument == kBashQuery) argument.replace(argument.find('@'), 1, program);
  if (!argument.empty()) out += "  " + argument + "\n";
  return out + fmt::format("}}\ncomplete -F _{0} {0}\n", program);
}

std::string zsh_value(const Row& row) {
  const std::string value = escaped(row.value, ":");
  switch (row.kind) {
    case ValueKind::None:
      return {};
    case ValueKind::Any:
      return fmt::format(":{}: ", value);
    case ValueKind::Choice:
      return fmt::format(":{}:({})", value, row.choices);
    case ValueKind::File:
      return fmt::format(":{}:_files", value);
    case ValueKind::Database:
      return fmt::format(":{}:_kwsearch_database", value);
    case ValueKind::Folder:
      return fmt::format(":{}:_files -/", value);
    case ValueKind::Query:
      return fmt::format(":{}:_kwsearch_query", value);
  }
  return {};
}

std::string zsh(const std::string& program, const std::vector<Row>& rows) {
  std::string specs, query;
  for (const Row& row : rows) {
    const std::string help = fmt::format("[{}]", escaped(row.help, "[]:\\"));
    if (row.names.empty()) {
      specs += fmt::format(" \\\n    '{}{}'", row.repeats ? "*" : "1", zsh_value(row));
      if (row.kind == ValueKind::Query)
        query = fmt::format(
            "_kwsearch_database() {{\n  local -a found\n"
            "  found=(${{${{(f)\"$({0} --collections 2>/dev/null)\"}}%% *}})\n"
            "  compadd -- $found\n  _files\n}}\n\n"
            "_kwsearch_query() {{\n  local -a found\n"
            "  found=(${{(f)\"$({0} --complete=\"$PREFIX\" 2>/dev/null)\"}})\n"
            "  compadd -S '' -- ${{(M)found:#*:}}\n  compadd -- ${{found:#*:}}\n}}\n\n",
            program);
      continue;
    }
    // An option excludes its other names, and itself where it does not repeat.
    for (const std::string& name : row.names) {
      const char* const joins = row.kind == ValueKind::None ? ""
                                : name.starts_with("--")    ? "="
                                                            : "+";
      const std::string others =
          row.repeats || row.names.size() < 2 ? "" : fmt::format("({})", joined(row.names, " "));
      specs += fmt::format(" \\\n    '{}{}{}{}{}{}'", row.repeats ? "*" : "", others, name, joins,
                           help, zsh_value(row));
    }
  }
  return fmt::format(
      "#compdef {0}\n{1}{2}_{0}() {{\n  _arguments -s -S{3}\n}}\n\n"
      "if [[ $funcstack[1] == _{0} ]]; then _{0} \"$@\"; else compdef _{0} {0}; fi\n",
      program, head(program, "zsh"), query, specs);
}

std::string fish_value(const std::string& program, const Row& row) {
  switch (row.kind) {
    case ValueKind::None:
      return {};
    case ValueKind::Any:
      return " -x";
    case ValueKind::Choice:
      return fmt::format(" -x -a '{}'", row.choices);
    case ValueKind::File:
      return " -r -F";
    case ValueKind::Database:
      return fmt::format(
          " -r -F -a '({} --collections 2>/dev/null | string replace -r \" .*\" \"\")'", program);
    case ValueKind::Folder:
      return " -x -a '(__fish_complete_directories (commandline -ct))'";
    case ValueKind::Query:
      return fmt::format(" -a '({} --complete=(commandline -ct) 2>/dev/null)'", program);
  }
  return {};
}

std::string fish(const std::string& program, const std::vector<Row>& rows) {
  std::string out = head(program, "fish") + fmt::format("complete -c {} -f\n", program);
  for (const Row& row : rows) {
    out += fmt::format("complete -c {}", program);
    if (row.names.empty()) out += " -n 'not string match -q -- \"-*\" (commandline -ct)'";
    for (const std::string& name : row.names)
      out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    std::string value = fish_value(program, row);
    if (row.names.empty() && value.starts_with(" -x")) value.erase(0, 3);
    out += value;
    if (!row.names.empty()) out += fmt::format(" -d '{}'", escaped(row.help, ""));
    out += '\n';
  }
  return out;
}

}  // namespace

std::string completion_script(const CLI::App& app, Shell shell) {
  const std::vector<Row> rows = rows_of(app);
  switch (shell) {
    case Shell::Bash:
      return bash(app.get_name(), rows);
    case Shell::Zsh:
      return zsh(app.get_name(), rows);
    case Shell::Fish:
      return fish(app.get_name(), rows);
  }
  return {};
}

}  // namespace kw::cli
