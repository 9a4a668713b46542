// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "schema/cli/completion.h"
#include "schema/cli/config.h"
#include "schema/text/text.h"

namespace kw::cli {
namespace {

constexpr const char* kCommonGroup = "Common";

/// Lays help out in few lines: usage, what the program does, the groups in the order of their first
/// options with the common one last, examples (the footer).
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    std::string out = fmt::format("Usage: {} [OPTION]...", app->get_name());
    std::string positionals;
    for (const CLI::Option* o : app->get_options())
      if (o->get_positional()) {
        const bool many = o->get_expected_max() > 1;
        const std::string name = o->get_name(true) + (many ? "..." : "");
        out += o->get_required() ? " " + name : " [" + name + "]";
        positionals += line(o->get_name(true), o->get_description());
      }
    out += fmt::format("\n{}\n", app->get_description());
    if (!positionals.empty()) out += "\n" + positionals;
    std::vector<std::string> groups = app->get_groups();
    std::stable_partition(groups.begin(), groups.end(),
                          [](const std::string& g) { return g != kCommonGroup; });
    for (const std::string& group : groups) out += options_of(*app, group);
    if (!app->get_footer().empty()) out += fmt::format("\n{}\n", app->get_footer());
    return out;
  }

 private:
  static std::string line(const std::string& name, const std::string& help) {
    constexpr std::size_t kColumn = 26;  // the help begins there, or on the next line
    std::string out = "  " + name;
    if (out.size() + 2 > kColumn) out += "\n" + std::string(kColumn, ' ');
    out.resize(std::max(out.size(), kColumn), ' ');
    return out + help + "\n";
  }

  static std::string options_of(const CLI::App& app, const std::string& group) {
    std::string out;
    for (const CLI::Option* o : app.get_options()) {
      if (o->get_group() != group || group.empty() || !o->nonpositional()) continue;
      std::string names;
      for (const std::string& s : o->get_snames()) names += "-" + s + ", ";
      if (names.empty()) names = "    ";
      for (const std::string& l : o->get_lnames())
        names += (names.ends_with(' ') ? "--" : ", --") + l;
      if (names.ends_with(", ")) names.resize(names.size() - 2);  // a short name alone
      if (o->get_items_expected_max() > 0 && !o->get_type_name().empty())
        names += " " + o->get_type_name();
      out += line(names, o->get_description());
    }
    return out.empty() ? out : fmt::format("\n{}:\n{}", group, out);
  }
};

/// Thrown by an option that prints something and ends the program, as --version does.
class PrintAndExit : public CLI::Success {
 public:
  explicit PrintAndExit(std::string text) : text_(std::move(text)) {}
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// CLI11's words for a wrong command line, made ours. What it says is known from its text only.
std::string reword(const CLI::ParseError& e) {
  std::string message = e.what();
  for (char& c : message)
    if (c == '\n') c = ' ';
  const auto cut = [&message](std::string_view before, std::string_view after) {
    const std::size_t begin = before.empty() ? 0 : message.find(before) + before.size();
    const std::size_t end = after.empty() ? message.size() : message.find(after, begin);
    return message.substr(begin, end - begin);
  };
  if (dynamic_cast<const CLI::ExtrasError*>(&e)) {
    const std::string rest = cut("expected: ", "");
    return fmt::format("{} '{}'", rest.starts_with('-') ? "unknown option" : "unexpected argument",
                       rest);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&e) && message.ends_with(" missing"))
    return fmt::format("{} needs a {}", cut("", ":"), cut(" required ", " missing"));
  if (message.size() > 1 && message[0] >= 'A' && message[0] <= 'Z' && message[1] >= 'a')
    message[0] = static_cast<char>(message[0] + 32);
  return message;
}

/// True if the word after this one is its value.
bool takes_next_word(const CLI::App& app, const std::string& word) {
  const auto needs_value = [&app](const std::string& name) {
    const CLI::Option* const option = app.get_option_no_throw(name);
    return option && option->get_items_expected_min() > 0;
  };
  if (word.starts_with("--")) return needs_value(word);
  for (std::size_t i = 1; word.starts_with('-') && i < word.size(); ++i)  // -qvj 3
    if (needs_value({'-', word[i]})) return i + 1 == word.size();
  return false;
}

// No word of a command line holds it.
constexpr char kEndOfWord = '\0';

/// CLI11 takes a positional word in brackets for a list, and cuts `[[nodiscard]]` in pieces. Until
/// it has read the word, something stands behind the bracket.
std::string guarded(std::string word) {
  if (word.starts_with('[') && word.ends_with(']')) word += kEndOfWord;
  return word;
}

void unguard_positionals(CLI::App& app) {
  for (CLI::Option* const o :
       app.get_options([](const CLI::Option* o) { return o->get_positional(); }))
    o->transform([](std::string word) {
      if (word.ends_with(kEndOfWord)) word.pop_back();
      return word;
    });
}

/// The words after the program's name. CLI11 does not see the empty value in `--name=` and takes
/// the next word for it, or says that there is none: such a word becomes two here.
std::vector<std::string> words_of(const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--") {
      words.push_back(word);
      std::transform(argv + i + 1, argv + argc, std::back_inserter(words), guarded);
      break;
    }
    const bool is_empty_value =
        word.find('=') == word.size() - 1 && takes_next_word(app, word.substr(0, word.size() - 1));
    if (is_empty_value) word.pop_back();
    const bool next_is_value = !is_empty_value && takes_next_word(app, word) && i + 1 < argc;
    words.push_back(guarded(std::move(word)));
    if (is_empty_value) words.emplace_back();
    if (next_is_value) words.emplace_back(argv[++i]);
  }
  return words;
}

/// A configuration file that was read.
struct ConfigFile {
  std::string name;
  std::vector<ConfigSetting> settings;
};

/// The words of the command line, and in front of them what files add.
class OptionReader {
 public:
  OptionReader(CLI::App& app, std::vector<std::string> words, const OptionHooks& hooks,
               CommonOptions& common)
      : app_(app), words_(std::move(words)), hooks_(hooks), common_(common) {}

  /// Throws what CLI11 throws for the command line; an error is of a file.
  Result<void> read() {
    parse({});
    for (const CLI::Option* option : app_.get_options())
      if (option->count() > 0) given_.insert(option);
    if (hooks_.command_line_parsed) hooks_.command_line_parsed();
    std::vector<ConfigFile> files;
    KW_TRY(read_files(files));
    return apply(files);
  }

 private:
  using Words = std::vector<std::string>;
  using Options = std::set<const CLI::Option*>;

  void parse(Words words) {
    words.insert(words.end(), words_.begin(), words_.end());
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app_.parse(std::move(words));
  }

  /// The strongest first. A file that is not there is none.
  Result<void> read_files(std::vector<ConfigFile>& files) {
    const auto read = [&](const std::string& name, ConfigTrust trust) -> Result<void> {
      auto settings = read_config(name, app_.get_name(), trust);
      if (settings) {
        files.push_back({name, *std::move(settings)});
        return {};
      }
      return settings.error().code == ErrorCode::NotFound ? Result<void>() : settings.error();
    };
    if (common_.config) {
      if (common_.config->empty()) return {};
      KW_TRY(read(*common_.config, ConfigTrust::Person));
      if (!files.empty()) return {};
      return Error{ErrorCode::Usage,
                   fmt::format("cannot read the configuration file '{}': no such file",
                               printable(*common_.config)),
                   "name one that is there, or '' for none"};
    }
    const std::string person = person_config_file();
    if (!person.empty()) KW_TRY(read(person, ConfigTrust::Person));
    if (!files.empty()) KW_TRY(apply_index(files[0]));
    const std::string folder = hooks_.tree_folder ? hooks_.tree_folder() : "";
    if (folder.empty()) return {};
    auto done = read(tree_config_file(folder), ConfigTrust::Tree);
    std::reverse(files.begin(), files.end());
    return done;
  }

  /// The index that a person's file names decides whose tree's file is read.
  Result<void> apply_index(const ConfigFile& file) {
    ConfigFile index{file.name, {}};
    for (const ConfigSetting& setting : file.settings)
      if (setting.name == "db") index.settings.push_back(setting);
    if (index.settings.empty()) return {};
    auto words = words_for(index, given_);
    return words ? try_parse(*words, index) : words.error();
  }

  Result<void> apply(const std::vector<ConfigFile>& files) {
    Options taken = given_;
    Words all;
    for (const ConfigFile& file : files) {
      auto words = KW_TRY(words_for(file, taken));
      all.insert(all.begin(), words.begin(), words.end());
      KW_TRY(try_parse(all, file));
      for (const ConfigSetting& setting : file.settings)
        taken.insert(app_.get_option_no_throw("--" + setting.name));
    }
    return {};
  }

  /// What is wrong now is the file's fault.
  Result<void> try_parse(const Words& words, const ConfigFile& file) {
    try {
      parse(words);
    } catch (const CLI::ExtrasError&) {
      throw;  // files have none
    } catch (const CLI::ParseError& e) {
      return Error{ErrorCode::Usage, fmt::format("'{}': {}", printable(file.name), reword(e)),
                   app_.get_name() + " --help"};
    }
    return {};
  }

  /// What of a file counts, as words of a command line.
  Result<Words> words_for(const ConfigFile& file, const Options& taken) const {
    Words words;
    for (const ConfigSetting& setting : file.settings) {
      const std::string name = "--" + setting.name;
      const CLI::Option* const option = app_.get_option_no_throw(name);
      if (!option || taken.contains(option) || environment_sets(app_.get_name(), setting.name) ||
          std::any_of(taken.begin(), taken.end(), [&](const CLI::Option* other) {
            return other && other->get_excludes().contains(const_cast<CLI::Option*>(option));
          }))
        continue;
      const bool is_list = option->get_expected_max() > 1 ||
                           option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
      if (setting.values.size() != 1 && !is_list)
        return Error{ErrorCode::Usage,
                     fmt::format("'{}': '{}' takes one value", printable(file.name), setting.name),
                     fmt::format("write: {} = VALUE", setting.name)};
      for (const std::string& value : setting.values.empty() ? Words{""} : setting.values)
        if (value.empty())
          words.insert(words.end(), {name, value});
        else
          words.push_back(fmt::format("{}={}", name, value));
    }
    return words;
  }

  CLI::App& app_;
  const Words words_;
  const OptionHooks& hooks_;
  CommonOptions& common_;
  Options given_;
};

}  // namespace

CLI::Validator one_of(std::vector<std::string> words) {
  std::string name = fmt::format("{}", fmt::join(words, "|"));
  return CLI::Validator(
      [words = std::move(words)](std::string& word) -> std::string {
        if (std::find(words.begin(), words.end(), word) != words.end()) return {};
        return fmt::format("'{}' is none of {}", word, fmt::join(words, ", "));
      },
      "", std::move(name));
}

void add_common_options(CLI::App& app, CommonOptions& options) {
  static const std::map<std::string, ColorMode> kModes{
      {"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}};
  static const std::map<std::string, Shell> kShells{
      {"bash", Shell::Bash}, {"zsh", Shell::Zsh}, {"fish", Shell::Fish}};
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "print this help")->group(kCommonGroup);
  app.set_version_flag("--version", fmt::format("{} {}", app.get_name(), program_version()),
                       "print the version")
      ->group(kCommonGroup);
  app.add_option_function<std::string>(
         "--color", [&options](const std::string& word) { options.color = kModes.at(word); },
         "auto (on a terminal, unless NO_COLOR is set), always or never")
      ->check(one_of({"auto", "always", "never"}))
      ->take_last()
      ->type_name("WHEN")
      ->group(kCommonGroup);
  app.add_option_function<std::string>(
         "--config", [&options](const std::string& file) { options.config = file; },
         "read this file instead of the tree's and the user's ('': none)")
      ->take_last()
      ->type_name("FILE")
      ->group(kCommonGroup);
  app.add_option_function<std::string>(
         "--completion",
         [&app](const std::string& word) {
           throw PrintAndExit(completion_script(app, kShells.at(word)));
         },
         "print a completion script for bash, zsh or fish")
      ->check(one_of({"bash", "zsh", "fish"}))
      ->take_last()
      ->type_name("SHELL")
      ->group(kCommonGroup);
  app.add_flag("-q,--quiet", options.quiet, "print only errors and the requested output")
      ->group(kCommonGroup);
  app.add_flag("-v,--verbose", options.verbose, "print more")->group(kCommonGroup);
}

std::optional<ExitCode> parse_command_line(CLI::App& app, int argc, const char* const* argv,
                                           const OptionHooks& hooks, CommonOptions& common) {
  const std::string program = app.get_name();
  unguard_positionals(app);
  try {
    const auto read = OptionReader(app, words_of(app, argc, argv), hooks, common).read();
    if (read) return std::nullopt;
    print_error(program, read.error(), common.color);
  } catch (const CLI::CallForHelp&) {
    return print_and_exit(app.help());
  } catch (const CLI::CallForVersion&) {
    return print_and_exit(app.version() + "\n");
  } catch (const PrintAndExit& e) {
    return print_and_exit(e.text());
  } catch (const CLI::ParseError& e) {
    print_error(program, {ErrorCode::Usage, reword(e), program + " --help"});
  }
  return ExitCode::Fatal;
}

}  // namespace kw::cli
