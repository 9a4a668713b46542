// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/status.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>

#include "schema/base/bounds.h"
#include "schema/base/descriptor.h"
#include "schema/text/text.h"

namespace kw {
namespace {

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

nlohmann::json to_json_stamp(const FileStat& s) {
  return nlohmann::json::array({s.size, s.mtime_ns, s.ctime_ns, s.inode, s.seen_ns});
}

FileStat from_json_stamp(const nlohmann::json& json) {
  return {json.at(0), json.at(1), json.at(2), json.at(3), json.at(4)};
}

// A handful of reasons; all of them stand in the first bytes of the file.
constexpr std::size_t kUnsearchedBytes = 4096;
constexpr const char* kUnsearched = "unsearched";

/// Reads the counts behind the first key of status.json and stops there.
class UnsearchedReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::map<std::string, std::uint64_t> counts;

  bool key(string_t& name) override {
    if (depth_ == 1) return name == kUnsearched;
    reason_ = name;
    return true;
  }
  bool number_unsigned(number_unsigned_t n) override {
    if (depth_ != 2) return false;
    counts[reason_] = n;
    return true;
  }
  bool start_object(std::size_t) override { return ++depth_ <= 2; }
  bool end_object() override { return false; }
  bool null() override { return false; }
  bool boolean(bool) override { return false; }
  bool number_integer(number_integer_t) override { return false; }
  bool number_float(number_float_t, const string_t&) override { return false; }
  bool string(string_t&) override { return false; }
  bool binary(binary_t&) override { return false; }
  bool start_array(std::size_t) override { return false; }
  bool end_array() override { return false; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  int depth_ = 0;
  std::string reason_;
};

}  // namespace

std::string to_json(const RunStatus& s) {
  // In this order: `unsearched` is read without the rest.
  nlohmann::ordered_json json{{kUnsearched, s.unsearched},
                              {"started_ns", s.started_ns},
                              {"finished_ns", s.finished_ns},
                              {"files", s.files},
                              {"bytes", s.bytes},
                              {"indexed", s.indexed},
                              {"removed", s.removed},
                              {"then_due", s.then_due},
                              {"compacted_bytes", s.compacted_bytes},
                              {"skipped", nlohmann::ordered_json::array()},
                              {"symbol_source", s.symbol_source},
                              {"symbols_lost", nlohmann::ordered_json::array()},
                              {"cut_ignore_files", nlohmann::ordered_json::array()},
                              {"truncated", nlohmann::ordered_json::array()},
                              {"clean", nlohmann::ordered_json::object()}};
  for (const SkippedFile& f : s.skipped) {
    nlohmann::ordered_json one{{"path", to_json_path(f.path)}, {"reason", f.reason}};
    if (f.stamp) one["stamp"] = to_json_stamp(*f.stamp);
    json["skipped"].push_back(std::move(one));
  }
  for (const std::string& path : s.symbols_lost) json["symbols_lost"].push_back(to_json_path(path));
  for (const std::string& path : s.cut_ignore_files)
    json["cut_ignore_files"].push_back(to_json_path(path));
  for (const std::string& path : s.truncated) json["truncated"].push_back(to_json_path(path));
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
    s.indexed = json.at("indexed");
    s.removed = json.at("removed");
    s.then_due = json.at("then_due");
    s.unsearched = json.at(kUnsearched);
    for (const auto& f : json.at("skipped")) {
      s.skipped.push_back({from_json_path(f.at("path")), f.at("reason"), {}});
      if (f.contains("stamp")) s.skipped.back().stamp = from_json_stamp(f.at("stamp"));
    }
    for (const auto& path : json.at("symbols_lost")) s.symbols_lost.push_back(from_json_path(path));
    for (const auto& path : json.at("cut_ignore_files"))
      s.cut_ignore_files.push_back(from_json_path(path));
    for (const auto& path : json.at("truncated")) s.truncated.push_back(from_json_path(path));
    s.symbol_source = json.at("symbol_source");
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

std::map<std::string, std::uint64_t> read_unsearched(const DatabaseFolder& folder) {
  const Descriptor fd(
      ::open(folder.status().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  char head[kUnsearchedBytes];
  const ssize_t n = fd ? ::read(fd.get(), head, sizeof head) : 0;
  if (n <= 0) return {};
  UnsearchedReader reader;
  nlohmann::json::sax_parse(head, head + n, &reader);
  return std::move(reader.counts);
}

Result<void> write_status(const DatabaseFolder& folder, const RunStatus& status) {
  std::string json = to_json(status);
  if (json.size() <= kMaxStatusBytes) return write_file_atomically(folder.status(), json);
  // The counts stay right; files that are no more on the lists are read by the next run.
  RunStatus less = status;
  const auto cut = [](auto& list) { list.resize(list.size() / 2); };
  while (json.size() > kMaxStatusBytes) {
    cut(less.skipped);
    cut(less.symbols_lost);
    cut(less.cut_ignore_files);
    cut(less.truncated);
    less.clean.erase(
        std::next(less.clean.begin(), static_cast<std::ptrdiff_t>(less.clean.size() / 2)),
        less.clean.end());
    json = to_json(less);
  }
  return write_file_atomically(folder.status(), json);
}

}  // namespace kw
