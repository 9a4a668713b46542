// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/command/post_index_hook.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "schema/index/status.h"

namespace kw::indexer {
namespace {

/// How the shell's end is called; empty if all went well.
std::string run_shell(const std::string& command, bool output_to_stderr) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (output_to_stderr) ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  std::string shell = "sh", flag = "-c", text = command;
  char* const arguments[] = {shell.data(), flag.data(), text.data(), nullptr};
  pid_t process = 0;
  const int error = ::posix_spawn(&process, "/bin/sh", &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error) return errno_text(error);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return errno_text(errno);
  if (WIFSIGNALED(status)) return fmt::format("killed by signal {}", WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : fmt::format("exit code {}", WEXITSTATUS(status));
}

/// Forgets that the command is due. Another writer may have begun, and may have changed the index
/// again: then it stays due.
void mark_done(const DatabaseFolder& folder) {
  const auto lock = WriterLock::acquire(folder, 0);
  if (!lock) return;
  RunStatus status = read_status(folder);
  if (status.started_ns == 0) return;
  status.then_due = false;
  [[maybe_unused]] const auto written = write_status(folder, status);  // else it runs once more
}

}  // namespace

ExitCode run_then(const KwindexOptions& options, const RunReport& report) {
  if (options.then.empty() || !report.then_due || options.dry_run) return report.code;
  const std::string failure = run_shell(options.then, options.json);
  if (failure.empty()) {
    mark_done(DatabaseFolder(report.database));
    return report.code;
  }
  if (!options.common.quiet)
    cli::print_warning("kwindex", fmt::format("the command of --then failed: {}", failure),
                       "the next run with --then tries again", options.common.color);
  return ExitCode::Incomplete;
}

}  // namespace kw::indexer
