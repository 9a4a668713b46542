// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/program.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>

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

std::string with_thousands(std::uint64_t n) {
  const std::string digits = fmt::format("{}", n);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

}  // namespace

std::string_view program_version() { return KW_VERSION; }

void add_common_options(CLI::App& app, CommonOptions& options) {
  static const std::map<std::string, ColorMode> kModes{
      {"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}};
  app.set_help_flag("-h,--help", "show this help");
  app.set_version_flag("--version", fmt::format("{} {}", app.get_name(), program_version()),
                       "show the version");
  app.add_option_function<std::string>(
         "--color", [&options](const std::string& word) { options.color = kModes.at(word); },
         "colour: auto, always or never (auto: on a terminal, unless NO_COLOR is set)")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  app.set_config("--config", "", "read options from a TOML file, by their long names")
      ->type_name("FILE");
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.add_flag("-q,--quiet", options.quiet, "no warnings and no progress");
  app.add_flag("-v,--verbose", options.verbose, "say more")
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

std::optional<ExitCode> parse_command_line(CLI::App& app, int argc, const char* const* argv) {
  const std::string program = app.get_name();
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    write_stdout(app.help());
    return ExitCode::Done;
  } catch (const CLI::CallForVersion&) {
    write_stdout(app.version() + "\n");
    return ExitCode::Done;
  } catch (const CLI::ParseError& e) {
    std::string message = e.what();
    for (char& c : message)
      if (c == '\n') c = ' ';
    if (!message.empty() && message[0] >= 'A' && message[0] <= 'Z' && message.size() > 1 &&
        message[1] >= 'a')
      message[0] = static_cast<char>(message[0] + 32);
    print_error(program, {ErrorCode::Usage, message, program + " --help"});
    return ExitCode::Fatal;
  }
}

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
  std::string line = fmt::format("{}  {}", label_, with_thousands(done));
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
