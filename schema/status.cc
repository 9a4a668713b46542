// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/status.h"

#include <nlohmann/json.hpp>

#include "schema/text.h"

namespace kw {
namespace {

constexpr std::uint64_t kMaxStatusBytes = 1ull << 30;
constexpr std::string_view kBytesMark =
    "base64:";  // no relative path begins so by chance and is not UTF-8

std::string to_json_path(const std::string& path) {
  if (is_utf8(path) && !path.starts_with(kBytesMark)) return path;
  return std::string(kBytesMark) + base64(path);
}

std::string from_json_path(const std::string& text) {
  return text.starts_with(kBytesMark)
             ? from_base64(std::string_view(text).substr(kBytesMark.size()))
             : text;
}

}  // namespace

std::string to_json(const RunStatus& s) {
  nlohmann::json json{{"started_ns", s.started_ns},
                      {"finished_ns", s.finished_ns},
                      {"files", s.files},
                      {"bytes", s.bytes},
                      {"compacted_bytes", s.compacted_bytes},
                      {"ctags", s.ctags_version},
                      {"skipped", nlohmann::json::array()},
                      {"clean", nlohmann::json::object()}};
  for (const SkippedFile& f : s.skipped)
    json["skipped"].push_back({{"path", to_json_path(f.path)}, {"reason", f.reason}});
  for (const auto& [path, seen] : s.clean) json["clean"][to_json_path(path)] = seen;
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<RunStatus> parse_status(std::string_view text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  RunStatus s;
  try {
    s.started_ns = json.at("started_ns");
    s.finished_ns = json.at("finished_ns");
    s.files = json.at("files");
    s.bytes = json.at("bytes");
    s.compacted_bytes = json.at("compacted_bytes");
    s.ctags_version = json.at("ctags");
    for (const auto& f : json.at("skipped"))
      s.skipped.push_back({from_json_path(f.at("path")), f.at("reason")});
    for (const auto& [path, seen] : json.at("clean").items()) s.clean[from_json_path(path)] = seen;
  } catch (const nlohmann::json::exception&) {
    return Error{ErrorCode::Corrupt, "status.json does not decode", "run kwindex again"};
  }
  return s;
}

RunStatus read_status(const DatabaseFolder& folder) {
  const auto text = read_file(folder.status(), kMaxStatusBytes);
  if (!text) return {};
  auto status = parse_status(*text);
  return status ? *std::move(status) : RunStatus{};
}

Result<void> write_status(const DatabaseFolder& folder, const RunStatus& status) {
  return write_file_atomically(folder.status(), to_json(status));
}

}  // namespace kw
