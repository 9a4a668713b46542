// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/export_inputs.h"

#include <cmark.h>
#include <fmt/format.h>
#include <utf8proc.h>

#include <fstream>
#include <iterator>
#include <string_view>

#include "schema/guard.h"
#include "schema/record.h"
#include "schema/text.h"

namespace kw {
namespace {

/// Of the running program, so that another build counts as another program.
std::string program_bytes() {
  std::ifstream in("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The id is random and given when Xapian makes a database, the revision counts its commits; with
/// the generation's name it stays one after a compaction that keeps the id and counts anew.
Result<std::string> state_of(IndexReader& reader) {
  return guard("cannot read the index's state", [&] {
    return fmt::format("{} {} {}", file_name_of(reader.path()), reader.database().get_uuid(),
                       reader.database().get_revision());
  });
}

}  // namespace

std::string hash_of_inputs(IndexReader& reader, const KwexportOptions& options,
                           const std::string& project, std::optional<std::size_t> output_depth) {
  const auto state = state_of(reader);
  const std::string program = program_bytes();
  if (!state || program.empty()) return {};
  std::string all;
  const auto add = [&all](std::string_view fact) { all.append(fact).push_back('\0'); };
  add(*state);
  add(to_hex(hash_content(program)));
  for (const char* library :
       {cmark_version_string(), utf8proc_version(), utf8proc_unicode_version()})
    add(library);
  add(fmt::format("{} {} {} {}", static_cast<int>(options.format),
                  static_cast<int>(options.profile), static_cast<int>(options.forge),
                  options.limit));
  for (const std::string* text :
       {&project, &options.source_url, &options.base_url, &options.page_suffix,
        &options.folder_page, &options.list_page, &options.path_prefix})
    add(*text);
  add(output_depth ? fmt::format("{}", *output_depth) : "outside");
  return to_hex(hash_content(all));
}

}  // namespace kw
