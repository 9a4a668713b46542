// SPDX-License-Identifier: GPL-2.0-or-later
// kwindex: tree -> database.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <variant>

#include "indexer/command/check.h"
#include "indexer/command/inspect.h"
#include "indexer/command/options.h"
#include "indexer/command/post_index_hook.h"
#include "indexer/command/run.h"
#include "indexer/command/watch.h"
#include "schema/cli/program.h"

namespace {

using namespace kw;
using namespace kw::indexer;

constexpr std::string_view kProgram = "kwindex";

/// A killed run leaves the index as it was, so the default action is right; only the half-drawn
/// progress line is wiped first. Nothing but async-signal-safe calls.
void wipe_line_and_die(int signal) {
  constexpr char kWipe[] = "\r\x1b[K";
  [[maybe_unused]] const auto n = ::write(STDERR_FILENO, kWipe, sizeof kWipe - 1);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void print_notices(const KwindexOptions& options, const RunReport& done) {
  if (options.common.quiet) return;
  for (const Notice& notice : done.notices)
    if (notice.kind == Notice::Kind::Warning)
      cli::print_warning(kProgram, notice.message, notice.hint, options.common.color);
    else
      cli::print_note(kProgram, notice.message, notice.hint, options.common.color);
}

/// False if it could not be written.
bool print_summary(const KwindexOptions& options, const RunReport& done) {
  if (options.explain && options.json)
    ::fwrite(done.explanation.data(), 1, done.explanation.size(), stderr);  // stdout is one object
  else if (options.explain && !cli::write_stdout(done.explanation))
    return false;
  if (options.json) return cli::write_stdout(to_json(done.summary));
  return options.common.quiet || cli::write_stdout(to_text(done.summary));
}

int fail(const KwindexOptions& options, const Error& error) {
  cli::print_error(kProgram, error, options.common.color);
  return static_cast<int>(cli::exit_code_of(error));
}

int print(const KwindexOptions& options, const Result<std::string>& text) {
  if (!text) return fail(options, text.error());
  return static_cast<int>(cli::write_stdout(*text) ? ExitCode::Done : ExitCode::Fatal);
}

int check(const KwindexOptions& options) {
  const auto checked = check_index(options);
  if (!checked) return fail(options, checked.error());
  const bool printed = cli::write_stdout(options.json ? to_json(*checked) : to_text(*checked));
  if (checked->faults > 0)
    return fail(options,
                {ErrorCode::Corrupt, "the index is damaged, or another version of kwindex made it",
                 "rebuild it with: kwindex --rebuild"});
  return static_cast<int>(printed ? ExitCode::Done : ExitCode::Fatal);
}

int index(const KwindexOptions& options) {
  IndexRegistry registry = IndexRegistry::of_this_user();
  const auto done = run_kwindex(options, registry);
  if (!done) return fail(options, done.error());
  print_notices(options, *done);
  const bool printed = print_summary(options, *done);
  const ExitCode code = run_then(options, *done);
  return static_cast<int>(printed ? code : ExitCode::Fatal);
}

int watch(const KwindexOptions& options, const Reread& reread) {
  bool first = true;
  const auto watched = watch_tree(options, reread, [&](const Result<RunReport>& done) {
    if (!done) {
      fail(options, done.error());
      return;
    }
    const bool changed = done->summary.indexed() + done->summary.removed > 0;
    print_notices(options, *done);
    if (first || changed) print_summary(options, *done);
    first = false;
    run_then(options, *done);
  });
  return watched ? static_cast<int>(ExitCode::Done) : fail(options, watched.error());
}

int run(int argc, const char* const* argv) {
  const auto parsed = parse_kwindex_options(argc, argv);
  if (const auto* code = std::get_if<ExitCode>(&parsed)) return static_cast<int>(*code);
  const KwindexOptions& options = std::get<KwindexOptions>(parsed);
  if (::isatty(STDERR_FILENO))
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
      if (::signal(signal, SIG_IGN) != SIG_IGN) ::signal(signal, wipe_line_and_die);  // nohup stays
  switch (options.task) {
    case KwindexTask::Index:
      return index(options);
    case KwindexTask::Status:
      return print(options, describe_index(options));
    case KwindexTask::Skipped:
      return print(options, list_skipped(options));
    case KwindexTask::Check:
      return check(options);
    case KwindexTask::Watch:
      return watch(options, [&]() -> std::optional<KwindexOptions> {
        auto now = parse_kwindex_options(argc, argv);
        if (auto* const read = std::get_if<KwindexOptions>(&now)) return std::move(*read);
        return std::nullopt;
      });
  }
  return static_cast<int>(ExitCode::Fatal);
}

}  // namespace

int main(int argc, char** argv) {
  cli::keep_memory();
  return cli::run_program(kProgram, [&] { return static_cast<ExitCode>(run(argc, argv)); });
}
