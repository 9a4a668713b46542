// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/command/export_inputs.h"

#include <cmark.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <utf8proc.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "exporter/output/file_hash.h"
#include "schema/index/guard.h"
#include "schema/index/record.h"

namespace fs = std::filesystem;

namespace kw::exporter {
namespace {

/// True for a file of holes: an index from elsewhere may have one of terabytes, which take an hour
/// to read. Sixteen times is more than file systems compress a table.
bool is_mostly_holes(const std::string& path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 && st.st_size / 512 > 16 * (st.st_blocks + 8);
}

/// The bytes of the generation, for the revision counts commits only: two copies of an index may
/// have had as many, of other files. And the revision that `reader` has, which is an older one than
/// that on disk where somebody has written meanwhile. Empty if it cannot be told.
std::string state_of(IndexReader& reader) {
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(reader.path(), error))
    names.push_back(file.path().filename().string());
  std::sort(names.begin(), names.end());
  FilesHash all;
  for (const std::string& name : names) {
    const std::string path = (fs::path(reader.path()) / name).string();
    if (is_mostly_holes(path)) return {};
    const auto hash = hash_of_file(path);
    if (!hash) return {};
    all.add(name, *hash);
  }
  const auto revision = guard("cannot read the index's revision",
                              [&] { return fmt::format("{}", reader.database().get_revision()); });
  return error || !revision ? "" : all.hex() + " " + *revision;
}

}  // namespace

std::string hash_of_inputs(IndexReader& reader, const KwexportOptions& options,
                           const std::string& project, std::optional<std::size_t> output_depth) {
  const std::string state = state_of(reader);
  const auto program = hash_of_file("/proc/self/exe");  // another build counts as another program
  if (state.empty() || !program) return {};
  std::string all;
  const auto add = [&all](std::string_view fact) { all.append(fact).push_back('\0'); };
  add(state);
  add(to_hex(*program));
  for (const char* library :
       {cmark_version_string(), utf8proc_version(), utf8proc_unicode_version()})
    add(library);
  add(fmt::format("{} {} {} {} {}", static_cast<int>(options.format),
                  static_cast<int>(options.profile), static_cast<int>(options.forge),
                  static_cast<int>(options.robots), options.limit));
  for (const std::string* text : {&project, &options.source_url, &options.base_url, &options.date,
                                  &options.page_suffix, &options.folder_page, &options.list_page})
    add(*text);
  add(output_depth ? fmt::format("{}", *output_depth) : "outside");
  return to_hex(hash_content(all));
}

}  // namespace kw::exporter
