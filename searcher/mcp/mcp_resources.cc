// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/mcp/mcp_resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "schema/text/text.h"
#include "schema/text/url.h"

namespace kw::search {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kResourcesOfAPage = 500;
constexpr std::size_t kMaxResourceBytes = 1 << 20;

/// What the URIs of a tree begin with, up to the path and with the slash before it. A root that
/// only a server knows is HOST:PORT.
std::string uri_of_tree(const std::string& root) {
  const bool is_path = root.starts_with('/');
  std::string uri = (is_path ? "file://" : "kwsearch://") + url_path(root);
  if (!uri.ends_with('/')) uri += '/';
  return uri;
}

const char* mime_type_of(std::string_view path) {
  return path.ends_with(".md") || path.ends_with(".markdown") ? "text/markdown" : "text/plain";
}

std::string text_parameter(const json& params, const char* name) {
  const bool is_there = params.is_object() && params.contains(name) && params[name].is_string();
  return is_there ? params[name].get<std::string>() : std::string();
}

/// A cursor is how many resources the pages before have.
Result<std::size_t> first_of(const json& params) {
  if (!params.is_object() || !params.contains("cursor")) return std::size_t{0};
  const std::string cursor = text_parameter(params, "cursor");
  std::size_t first = 0;
  const auto [end, error] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), first);
  if (error != std::errc() || end != cursor.data() + cursor.size())
    return Error{ErrorCode::Usage, "this is no cursor of resources/list", "begin without one"};
  return first;
}

}  // namespace

Result<ordered_json> list_resources(const json& params, OpenIndex& index) {
  const auto first = KW_TRY(first_of(params));
  auto searcher = KW_TRY(index.searcher());
  ordered_json list = ordered_json::array();
  std::size_t before = 0;
  bool is_more = false;
  for (OpenDatabase& shard : searcher->shards()) {
    const std::size_t files = shard.reader.document_count();
    if (before + files <= first || list.size() == kResourcesOfAPage) {  // none of this page
      is_more |= list.size() == kResourcesOfAPage && files > 0;
      before += files;
      continue;
    }
    const auto stored = KW_TRY(shard.reader.stored_files());
    const std::string tree = uri_of_tree(shard.root);
    for (std::size_t i = first > before ? first - before : 0; i < stored.size(); ++i) {
      if (list.size() == kResourcesOfAPage) {
        is_more = true;
        break;
      }
      const std::string& path = stored[i].path;
      list.push_back({{"uri", tree + url_path(path)},
                      {"name", to_valid_utf8(path)},
                      {"mimeType", mime_type_of(path)}});
    }
    before += files;
  }
  ordered_json result{{"resources", std::move(list)}};
  if (is_more) result["nextCursor"] = std::to_string(first + kResourcesOfAPage);
  return result;
}

Result<ordered_json> list_resource_templates(OpenIndex& index) {
  auto searcher = KW_TRY(index.searcher());
  ordered_json templates = ordered_json::array();
  std::vector<std::string> trees;
  for (const OpenDatabase& shard : searcher->shards()) {
    const std::string tree = uri_of_tree(shard.root);
    if (std::find(trees.begin(), trees.end(), tree) != trees.end()) continue;
    trees.push_back(tree);
    templates.push_back({{"uriTemplate", tree + "{+path}"},
                         {"name", to_valid_utf8(shard.root)},
                         {"description", "A file of the index, by its path in the tree."}});
  }
  return ordered_json{{"resourceTemplates", std::move(templates)}};
}

Result<ordered_json> read_resource(const json& params, OpenIndex& index) {
  const std::string uri = text_parameter(params, "uri");
  if (uri.empty()) return Error{ErrorCode::Usage, "params: give the uri of a resource", ""};
  auto searcher = KW_TRY(index.searcher());
  for (const OpenDatabase& shard : searcher->shards()) {
    const std::string tree = uri_of_tree(shard.root);
    if (!uri.starts_with(tree)) continue;
    const std::string path = percent_decoded(std::string_view(uri).substr(tree.size()));
    auto file = KW_TRY(index.file(path, shard.root, RecordParts::All));
    if (!file) continue;
    const std::string& text = file->record.text;
    if (text.size() > kMaxResourceBytes)
      return Error{ErrorCode::Refused, fmt::format("the file has {} bytes", text.size()),
                   "read a part of it by the tool read_lines"};
    return ordered_json{{"contents", ordered_json::array({{{"uri", uri},
                                                           {"mimeType", mime_type_of(path)},
                                                           {"text", to_valid_utf8(text)}}})}};
  }
  return Error{ErrorCode::NotFound, "the index has no such resource",
               "resources/list has those that there are"};
}

}  // namespace kw::search
