// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/command/inspect.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "indexer/command/target.h"
#include "schema/index/database_dir.h"
#include "schema/index/index_reader.h"
#include "schema/index/status.h"
#include "schema/index/version.h"
#include "schema/text/text.h"

namespace fs = std::filesystem;

namespace kw::indexer {
namespace {

// Of a list in --status; --skipped has all.
constexpr std::size_t kShownPaths = 5;

struct Description {
  std::string root;
  std::string database;
  std::uint32_t generation = 0;
  FrozenInfo frozen;
  bool current = false;
  std::uint64_t disk_bytes = 0;
  RunStatus last;
  std::map<std::string, std::uint64_t> skipped;
  std::optional<int> locked_by;

  bool knows_last_run() const { return last.started_ns != 0; }
  double seconds() const {
    return static_cast<double>(last.finished_ns - last.started_ns) / 1'000'000'000;
  }
};

Result<DatabaseFolder> find_index(const KwindexOptions& options) {
  std::error_code error;
  const std::string current = fs::current_path(error).string();
  return find_database(options, current);
}

Result<Description> describe(const KwindexOptions& options) {
  auto folder = KW_TRY(find_index(options));
  const auto live = KW_TRY(folder.live_generation());
  auto frozen = KW_TRY(IndexReader::read_frozen(folder));
  Description d;
  d.root = absolute_root(folder, frozen.info);
  d.database = folder.path();
  d.generation = live;
  d.frozen = std::move(frozen);
  d.current = static_cast<bool>(IndexReader::open(folder));
  d.disk_bytes = folder_bytes(folder.path());
  d.last = read_status(folder);
  for (const SkippedFile& file : d.last.skipped) ++d.skipped[file.reason];
  d.locked_by = lock_holder(folder);
  return d;
}

std::string utc_text(std::int64_t ns) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(static_cast<std::time_t>(ns / 1'000'000'000)));
}

nlohmann::ordered_json path_json(const std::string& path) {
  nlohmann::ordered_json one{{"path", to_valid_utf8(path)}};
  if (!is_utf8(path)) one["path_bytes"] = base64(path);
  return one;
}

nlohmann::ordered_json paths_json(const std::vector<std::string>& paths) {
  auto list = nlohmann::ordered_json::array();
  for (const std::string& path : paths) list.push_back(path_json(path));
  return list;
}

std::string to_json(const Description& d) {
  nlohmann::ordered_json json{{"root", to_valid_utf8(d.root)},
                              {"database", to_valid_utf8(d.database)},
                              {"generation", d.generation},
                              {"schema", d.frozen.version},
                              {"current", d.current},
                              {"shard", d.frozen.info.shard},
                              {"options", nlohmann::json::parse(to_json(d.frozen.info.options))},
                              {"files", d.frozen.files},
                              {"bytes", nullptr},
                              {"disk_bytes", d.disk_bytes},
                              {"last_run", nullptr},
                              {"skipped", d.skipped},
                              {"without_definitions", d.last.symbols_lost.size()},
                              {"cut_ignore_files", d.last.cut_ignore_files.size()},
                              {"ctags_failed", paths_json(d.last.symbols_lost)},
                              {"truncated", paths_json(d.last.truncated)},
                              {"locked_by", nullptr}};
  if (d.knows_last_run()) {
    json["bytes"] = d.last.bytes;
    json["last_run"] = {{"started", utc_text(d.last.started_ns)},
                        {"finished", utc_text(d.last.finished_ns)},
                        {"seconds", d.seconds()},
                        {"indexed", d.last.indexed},
                        {"removed", d.last.removed}};
  }
  if (d.locked_by) json["locked_by"] = *d.locked_by;
  return json.dump() + "\n";
}

std::string last_run_text(const Description& d) {
  if (!d.knows_last_run()) return "not known: status.json is missing or damaged";
  return fmt::format("{}, {:.1f} s: {} indexed, {} removed", utc_text(d.last.started_ns),
                     d.seconds(), with_thousands(d.last.indexed), with_thousands(d.last.removed));
}

std::string skipped_text(const Description& d) {
  if (!d.knows_last_run()) return "not known";
  std::string text;
  for (const auto& [reason, n] : d.skipped)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", with_thousands(n), printable(reason));
  if (text.empty()) text = "nothing";
  if (const auto n = d.last.cut_ignore_files.size(); n > 0)
    text += fmt::format("; and not all rules of {} ignore {}", with_thousands(n),
                        n == 1 ? "file" : "files");
  return text;
}

/// "a.c, b.c and 7 more".
std::string paths_text(const std::vector<std::string>& paths) {
  std::string text;
  const std::size_t shown = std::min(paths.size(), kShownPaths);
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + printable(paths[i]);
  if (shown < paths.size())
    text += fmt::format(" and {} more", with_thousands(paths.size() - shown));
  return text;
}

std::string to_text(const Description& d) {
  std::string text;
  const auto line = [&text](const char* name, const std::string& value) {
    text += fmt::format("{:<9} {}\n", name, value);
  };
  line("root", printable(d.root));
  line("index", printable(d.database));
  line("state", fmt::format("generation {}, schema {}{}", d.generation, d.frozen.version,
                            d.current                           ? ""
                            : d.frozen.version > kSchemaVersion ? ": a newer program's"
                                                                : ": rebuilt by the next run"));
  if (d.frozen.info.shard != "1/1") line("part", printable(d.frozen.info.shard));
  std::string files = with_thousands(d.frozen.files);
  if (d.knows_last_run()) files += fmt::format(" ({} of text)", human_size(d.last.bytes));
  if (const auto n = d.last.symbols_lost.size(); n > 0)
    files += fmt::format(", {} without definitions", with_thousands(n));
  line("files", files);
  if (!d.last.symbols_lost.empty()) line("ctags", "failed on " + paths_text(d.last.symbols_lost));
  if (!d.last.truncated.empty())
    line("limits", "definitions or headings left out of " + paths_text(d.last.truncated));
  line("on disk", human_size(d.disk_bytes));
  line("last run", last_run_text(d));
  line("skipped", skipped_text(d));
  if (d.locked_by) line("locked", fmt::format("by process {}", *d.locked_by));
  return text;
}

}  // namespace

Result<std::string> describe_index(const KwindexOptions& options) {
  const auto description = KW_TRY(describe(options));
  return options.json ? to_json(description) : to_text(description);
}

Result<std::string> list_skipped(const KwindexOptions& options) {
  auto folder = KW_TRY(find_index(options));
  KW_TRY(folder.live_generation());
  const RunStatus last = read_status(folder);
  if (last.started_ns == 0)
    return Error{ErrorCode::NotFound,
                 fmt::format("it is not known what index '{}' left out: its status.json is missing "
                             "or damaged",
                             printable(folder.path())),
                 "bring it up to date with: kwindex"};
  if (!options.json) {
    std::string text;
    for (const SkippedFile& file : last.skipped)
      text += fmt::format("{:<10} {}\n", printable(file.reason), printable(file.path));
    for (const std::string& path : last.symbols_lost)
      text += fmt::format("no symbols {}\n", printable(path));
    for (const std::string& path : last.cut_ignore_files)
      text += fmt::format("cut rules  {}\n", printable(path));
    for (const std::string& path : last.truncated)
      text += fmt::format("truncated  {}\n", printable(path));
    return text;
  }
  nlohmann::ordered_json json{{"skipped", nlohmann::ordered_json::array()},
                              {"without_definitions", paths_json(last.symbols_lost)},
                              {"cut_ignore_files", paths_json(last.cut_ignore_files)},
                              {"truncated", paths_json(last.truncated)}};
  for (const SkippedFile& file : last.skipped) {
    json["skipped"].push_back(path_json(file.path));
    json["skipped"].back()["reason"] = file.reason;
  }
  return json.dump() + "\n";
}

}  // namespace kw::indexer
