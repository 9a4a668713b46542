// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/index_options.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace kw {

namespace {

nlohmann::json json_of(const IndexOptions& o) {
  return {{"include", o.include},
          {"exclude", o.exclude},
          {"no-ignore", !o.use_ignore_files},
          {"hidden", o.hidden},
          {"follow", o.follow},
          {"max-file-size", o.max_file_size},
          {"symbols", o.symbols == Symbols::Ctags ? "ctags" : "none"},
          {"doc-suffix", o.doc_suffixes},
          {"doc-root", o.doc_root}};
}

Result<IndexOptions> options_of(const nlohmann::json& json) {
  IndexOptions o;
  try {
    if (!json.is_object()) throw std::invalid_argument("not an object");
    o.include = json.value("include", o.include);
    o.exclude = json.value("exclude", o.exclude);
    o.use_ignore_files = !json.value("no-ignore", !o.use_ignore_files);
    o.hidden = json.value("hidden", o.hidden);
    o.follow = json.value("follow", o.follow);
    o.max_file_size = std::min(json.value("max-file-size", o.max_file_size), kMaxFileSizeLimit);
    o.symbols =
        json.value("symbols", "ctags") == std::string("none") ? Symbols::None : Symbols::Ctags;
    o.doc_suffixes = json.value("doc-suffix", o.doc_suffixes);
    o.doc_root = json.value("doc-root", o.doc_root);
  } catch (const std::exception&) {
    return Error{ErrorCode::Corrupt, "the options stored in the index do not decode",
                 "rebuild it with: kwindex --rebuild --reset"};
  }
  return o;
}

}  // namespace

std::string to_json(const IndexOptions& options) { return to_json(options, std::nullopt); }

std::string to_json(const IndexOptions& options, const std::optional<IndexOptions>& stored) {
  nlohmann::json json = json_of(options);
  if (stored) json["stored"] = json_of(*stored);
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<IndexOptions> parse_index_options(std::string_view text) {
  return options_of(nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false));
}

std::optional<IndexOptions> parse_stored_options(std::string_view text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("stored")) return std::nullopt;
  auto options = options_of(json["stored"]);
  return options ? std::optional(*std::move(options)) : std::nullopt;
}

}  // namespace kw
