// SPDX-License-Identifier: GPL-2.0-or-later
// What the three programs share towards the person at the terminal: common options, how an error, a
// warning and progress look, exit codes of errors. Nothing about the index; how options are read:
// command_line.h.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "schema/base/error.h"
#include "schema/base/exit_code.h"

namespace kw::cli {

/// Memory that was used once stays with the process until it ends: giving it back and taking it
/// again, a page fault each 4 KiB, was a tenth of a search and a fifteenth of a build. The
/// pages that a small search uses are populated. To be called first, before there are threads.
void keep_memory();

/// Takes the pages of the next `bytes` (more than a page) of the heap in one call of the system,
/// not in a fault for each. This saved a twentieth of a search on a virtual machine whose page
/// faults take 14 µs.
void populate_heap(std::size_t bytes);

/// The version of the programs, from CMakeLists.txt.
std::string_view program_version();

enum class ColorMode { Auto, Always, Never };

struct CommonOptions {
  ColorMode color = ColorMode::Auto;
  bool quiet = false;  ///< no warnings, notes or progress; errors stay
  int verbose = 0;
  std::optional<std::string> config;  ///< of --config; empty text: no file is read
};

/// What is wrong with the name of a folder that somebody gives: it is empty, as a variable that was
/// never set. Empty: nothing.
std::string folder_fault(const std::string& name);

/// "8M", "8 MiB", "500k", "1G", "1234": bytes, in powers of 1024. Nothing if it is no size.
std::optional<std::uint64_t> parse_size(std::string_view text);

/// True if `fd` (1 or 2) gets colour: a terminal and no NO_COLOR (https://no-color.org), or
/// `Always`.
bool use_color(ColorMode mode, int fd);

/// "PROGRAM: message" and "hint: ..." on stderr, made safe for a terminal.
void print_error(std::string_view program, const Error& error, ColorMode color = ColorMode::Auto);
void print_warning(std::string_view program, std::string_view message, std::string_view hint = {},
                   ColorMode color = ColorMode::Auto);
void print_note(std::string_view program, std::string_view message, std::string_view hint = {},
                ColorMode color = ColorMode::Auto);

ExitCode exit_code_of(const Error& error);

/// What main() returns: the exit code of `work`, with an error on stderr where it threw, crashed or
/// went over its limits (fault_guard.h).
int run_program(std::string_view program, const std::function<ExitCode()>& work);

/// Writes all of `bytes` to stdout, waiting where it would block. False if it cannot: the reason is
/// then an error on stderr (a closed pipe needs no words), and the program ends with
/// ExitCode::Fatal.
bool write_stdout(std::string_view bytes);

/// Done, or Fatal if `bytes` could not be written.
ExitCode print_and_exit(std::string_view bytes);

/// Reads at most `most` bytes of stdin, waiting where it would block; empty at the end.
std::string read_stdin(std::size_t most);

/// One line on stderr that is drawn over and over: "indexing  4,211 / 9,773 files  43 %  [#### ]".
/// Nothing is drawn where stderr is no terminal, unless `always`. One thread at a time.
class ProgressBar {
 public:
  ProgressBar(std::string_view label, bool enabled);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Draws at most ten times a second. `total` 0: not known yet. Without a unit only the label.
  void update(std::uint64_t done, std::uint64_t total, std::string_view unit);
  void set_label(std::string_view label);
  /// Wipes the line.
  void clear();

 private:
  std::string label_;
  bool enabled_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_{};
};

/// --progress's default: stderr is a terminal and nobody asked for quiet.
bool wants_progress(const CommonOptions& options);

}  // namespace kw::cli
