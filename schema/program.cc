// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/program.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

#include "schema/text.h"

namespace kw {
namespace {

constexpr const char* kRed = "\x1b[1;31m";
constexpr const char* kYellow = "\x1b[1;33m";
constexpr const char* kBold = "\x1b[1m";
constexpr const char* kPlain = "\x1b[0m";

void write_stderr(std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), stderr); }

void print_line(std::string_view program, std::string_view label, const char* paint,
                std::string_view message, std::string_view hint, ColorMode mode) {
  const bool color = use_color(mode, STDERR_FILENO);
  std::string out = fmt::format("{}: {}{}{}{}\n", program, color ? paint : "", label,
                                color && *paint ? kPlain : "", printable(message));
  if (!hint.empty())
    out += fmt::format("{}hint:{} {}\n", color ? kBold : "", color ? kPlain : "", printable(hint));
  write_stderr(out);
}

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
  if (dynamic_cast<const CLI::ConfigError*>(&e) && message.starts_with("INI was not able"))
    return fmt::format("the configuration file sets '{}', which is no option", cut(" parse ", ""));
  if (dynamic_cast<const CLI::FileError*>(&e))
    return fmt::format("cannot read the configuration file '{}'", cut("", " was not "));
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

/// The words after the program's name. CLI11 does not see the empty value in `--name=` and takes
/// the next word for it, or says that there is none: such a word becomes two here.
std::vector<std::string> words_of(const CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--") {
      words.insert(words.end(), argv + i, argv + argc);
      break;
    }
    const bool is_empty_value =
        word.find('=') == word.size() - 1 && takes_next_word(app, word.substr(0, word.size() - 1));
    if (is_empty_value) word.pop_back();
    const bool next_is_value = !is_empty_value && takes_next_word(app, word) && i + 1 < argc;
    words.push_back(std::move(word));
    if (is_empty_value) words.emplace_back();
    if (next_is_value) words.emplace_back(argv[++i]);
  }
  return words;
}

}  // namespace

std::string_view program_version() { return KW_VERSION; }

void add_common_options(CLI::App& app, CommonOptions& options) {
  static const std::map<std::string, ColorMode> kModes{
      {"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}};
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "show this help")->group(kCommonGroup);
  app.set_version_flag("--version", fmt::format("{} {}", app.get_name(), program_version()),
                       "show the version")
      ->group(kCommonGroup);
  app.add_option_function<std::string>(
         "--color", [&options](const std::string& word) { options.color = kModes.at(word); },
         "auto (a terminal, and no NO_COLOR), always or never")
      ->check([](const std::string& word) -> std::string {
        return kModes.contains(word) ? "" : "'" + word + "' is none of auto, always, never";
      })
      ->take_last()
      ->type_name("WHEN")
      ->group(kCommonGroup);
  app.set_config("--config", "", "read options from a TOML file, by their long names")
      ->type_name("FILE")
      ->group(kCommonGroup);
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.add_flag("-q,--quiet", options.quiet, "say nothing but errors and what was asked for")
      ->group(kCommonGroup);
  app.add_flag("-v,--verbose", options.verbose, "say more")->group(kCommonGroup);
}

std::optional<ExitCode> parse_command_line(CLI::App& app, int argc, const char* const* argv) {
  const std::string program = app.get_name();
  try {
    std::vector<std::string> words = words_of(app, argc, argv);
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app.parse(std::move(words));
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    write_stdout(app.help());
    return ExitCode::Done;
  } catch (const CLI::CallForVersion&) {
    write_stdout(app.version() + "\n");
    return ExitCode::Done;
  } catch (const CLI::ParseError& e) {
    print_error(program, {ErrorCode::Usage, reword(e), program + " --help"});
    return ExitCode::Fatal;
  }
}

std::string folder_fault(const std::string& name) { return name.empty() ? "name a folder" : ""; }

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  std::string unit;
  for (const char* at = end; at != text.data() + text.size(); ++at)
    if (*at != ' ') unit.push_back(*at >= 'A' && *at <= 'Z' ? static_cast<char>(*at + 32) : *at);
  int shift = 0;
  if (unit.empty() || unit == "b")
    shift = 0;
  else if (unit == "k" || unit == "kb" || unit == "kib")
    shift = 10;
  else if (unit == "m" || unit == "mb" || unit == "mib")
    shift = 20;
  else if (unit == "g" || unit == "gb" || unit == "gib")
    shift = 30;
  else
    return std::nullopt;
  if (number > (~0ULL >> shift)) return std::nullopt;
  return number << shift;
}

bool use_color(ColorMode mode, int fd) {
  if (mode != ColorMode::Auto) return mode == ColorMode::Always;
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  return ::isatty(fd) && !(no_color && *no_color) && !(term && std::string_view(term) == "dumb");
}

void print_error(std::string_view program, const Error& error, ColorMode color) {
  print_line(program, "error: ", kRed, error.message, error.hint, color);
}

void print_warning(std::string_view program, std::string_view message, std::string_view hint,
                   ColorMode color) {
  print_line(program, "warning: ", kYellow, message, hint, color);
}

void print_note(std::string_view program, std::string_view message, std::string_view hint,
                ColorMode color) {
  print_line(program, "note: ", "", message, hint, color);
}

ExitCode exit_code_of(const Error& error) {
  return error.code == ErrorCode::Locked ? ExitCode::Locked : ExitCode::Fatal;
}

bool write_stdout(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

ProgressBar::ProgressBar(std::string_view label, bool enabled) : label_(label), enabled_(enabled) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::set_label(std::string_view label) {
  label_ = label;
  next_ = {};
}

void ProgressBar::update(std::uint64_t done, std::uint64_t total, std::string_view unit) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  std::string line = label_;
  if (!unit.empty()) line += "  " + with_thousands(done);
  if (total > 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    line += fmt::format(" / {} {}  {:3.0f} %", with_thousands(total), unit, share * 100);
    winsize size{};
    const std::size_t columns =
        ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
    if (columns > line.size() + 14) {
      const std::size_t room = std::min<std::size_t>(40, columns - line.size() - 6);
      const auto filled = static_cast<std::size_t>(share * static_cast<double>(room));
      line += fmt::format("  [{}{}]", std::string(filled, '#'), std::string(room - filled, ' '));
    }
  } else {
    line += fmt::format(" {}", unit);
  }
  write_stderr("\r" + line + "\x1b[K");
  drawn_ = true;
}

void ProgressBar::clear() {
  if (drawn_) write_stderr("\r\x1b[K");
  drawn_ = false;
}

bool wants_progress(const CommonOptions& options) {
  return !options.quiet && ::isatty(STDERR_FILENO);
}

}  // namespace kw
