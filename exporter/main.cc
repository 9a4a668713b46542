// SPDX-License-Identifier: GPL-2.0-or-later
// kwexport: an index -> keyword pages. Finds the index, runs export.h, says what was done.
#include <fmt/format.h>

#include <chrono>
#include <string>

#include "exporter/command/export.h"
#include "exporter/command/options.h"
#include "schema/base/fault_guard.h"
#include "schema/base/heap.h"
#include "schema/cli/program.h"
#include "schema/index/database_dir.h"
#include "schema/index/index_reader.h"
#include "schema/text/text.h"

namespace kw::exporter {
namespace {

constexpr const char* kProgram = "kwexport";

/// Lines for stdout, written in pieces of some size: a dry run may list a hundred thousand pages.
class Listing {
 public:
  void add(std::string_view word, const std::string& page) {
    lines_ += fmt::format("{} {}\n", word, printable(page));
    if (lines_.size() >= kFlushBytes) flush();
  }

  /// False if something could not be written.
  bool flush() {
    written_ = written_ && cli::write_stdout(lines_);
    lines_.clear();
    return written_;
  }

 private:
  static constexpr std::size_t kFlushBytes = 1u << 16;
  std::string lines_;
  bool written_ = true;
};

bool print_counts(const ExportCounts& c, double seconds, const KwexportOptions& options) {
  if (options.json)
    return cli::write_stdout(
        fmt::format("{{\"pages\":{},\"written\":{},\"unchanged\":{},\"removed\":{},\"bytes\":{},"
                    "\"seconds\":{:.3f}}}\n",
                    c.pages, c.written, c.unchanged, c.removed, c.bytes, seconds));
  return options.common.quiet ||
         cli::write_stdout(
             fmt::format("{}{} pages ({}): {} written, {} unchanged, {} removed{} in {:.1f} s\n",
                         options.dry_run ? "dry run: " : "", c.pages, human_size(c.bytes),
                         c.written, c.unchanged, c.removed,
                         c.failed ? fmt::format(", {} failed", c.failed) : "", seconds));
}

Result<ExportCounts> run(const KwexportOptions& options) {
  const auto database = KW_TRY(database_to_read(options.database));
  const DatabaseFolder folder(database);
  limit_reading(folder.live_bytes());
  auto reader = KW_TRY(IndexReader::open(folder, Reading::Whole));

  const cli::ColorMode color = options.common.color;
  const bool quiet = options.common.quiet;
  const bool listed = !options.json && (options.dry_run || options.common.verbose > 0);
  cli::ProgressBar bar("exporting", cli::wants_progress(options.common));
  Listing listing;
  ExportEvents events;
  if (listed) {
    events.written = [&](const std::string& page) { listing.add("write", page); };
    events.removed = [&](const std::string& page) { listing.add("remove", page); };
  }
  events.failed = [&](const Error& error) {
    bar.clear();
    cli::print_error(kProgram, error, color);
  };
  events.noted = [&](const std::string& note) {
    bar.clear();
    if (!quiet) cli::print_warning(kProgram, note, {}, color);
  };
  events.progress = [&](std::uint64_t done, std::uint64_t total) {
    bar.update(done, total, "pages");
  };
  auto counts = export_pages(reader, absolute_root(folder, reader.info()), options, events);
  if (!listing.flush() && counts)
    return Error{ErrorCode::Failed, "the list of pages is incomplete", "write it elsewhere"};
  return counts;
}

ExitCode main_of(int argc, const char* const* argv) {
  const auto parsed = parse_kwexport_options(argc, argv);
  if (const auto* code = std::get_if<ExitCode>(&parsed)) return *code;
  const auto& options = std::get<KwexportOptions>(parsed);
  const auto start = std::chrono::steady_clock::now();
  const auto counts = run(options);
  if (!counts) {
    cli::print_error(kProgram, counts.error(), options.common.color);
    return cli::exit_code_of(counts.error());
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (!print_counts(*counts, took.count(), options)) return ExitCode::Fatal;
  return counts->failed > 0 ? ExitCode::Incomplete : ExitCode::Done;
}

}  // namespace
}  // namespace kw::exporter

int main(int argc, char** argv) {
  kw::return_large_blocks();
  return kw::cli::run_program("kwexport", [&] { return kw::exporter::main_of(argc, argv); });
}
