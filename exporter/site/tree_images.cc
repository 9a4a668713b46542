// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/tree_images.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include "exporter/site/destination.h"
#include "schema/base/descriptor.h"
#include "schema/index/manifest.h"
#include "schema/index/record.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

constexpr std::string_view kEndings[] = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg"};
// A document that names more is a list of files.
constexpr std::size_t kMaxPaths = 20'000;
constexpr std::size_t kMaxPathBytes = 1024;
constexpr std::size_t kMaxReference = 32;

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), small);
  return out;
}

bool ends_path(char c) {
  return c == '\n' || c == '\r' || std::string_view(" \t()<>[]\"'`|=").find(c) != std::string::npos;
}

/// `text` with its character references, "&#x6a;", as the characters that they stand for, as far as
/// those are ASCII.
std::string with_references_read(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) != "&#") {
      out += text[i];
      continue;
    }
    const std::size_t end = text.substr(i, kMaxReference).find(';');
    const bool hex = text.substr(i + 2, 1) == "x" || text.substr(i + 2, 1) == "X";
    const std::size_t digits = i + (hex ? 3 : 2);
    unsigned code = 0;
    if (end == std::string_view::npos || i + end < digits) return "<script";  // no XML
    const auto [_, error] =
        std::from_chars(text.data() + digits, text.data() + i + end, code, hex ? 16 : 10);
    out += error == std::errc() && code < 0x80 ? static_cast<char>(code) : '?';
    i += end;
  }
  return out;
}

/// The value of each `href` of a drawing is an anchor, a URL of the web or a picture.
bool has_safe_links(std::string_view svg) {
  for (std::size_t at = 0; (at = svg.find("href", at)) != std::string_view::npos;) {
    at += 4;
    std::size_t value = svg.find_first_not_of(" \t\r\n", at);
    if (value == std::string_view::npos || svg[value] != '=') continue;
    value = svg.find_first_not_of(" \t\r\n", value + 1);
    if (value == std::string_view::npos || (svg[value] != '"' && svg[value] != '\'')) return false;
    const std::string_view url = svg.substr(value + 1);
    if (!url.starts_with('#') && !url.starts_with("http://") && !url.starts_with("https://") &&
        !url.starts_with("data:image/png") && !url.starts_with("data:image/jpeg"))
      return false;
  }
  return true;
}

/// An attribute of an event: " onload=".
bool has_event(std::string_view svg) {
  for (std::size_t at = 0; (at = svg.find("on", at)) != std::string_view::npos; at += 2) {
    if (at == 0 || std::string_view(" \t\r\n\f/\"'").find(svg[at - 1]) == std::string_view::npos)
      continue;
    std::size_t end = at + 2;
    while (end < svg.size() && svg[end] >= 'a' && svg[end] <= 'z') ++end;
    end = svg.find_first_not_of(" \t\r\n\f", end);
    if (end != std::string_view::npos && svg[end] == '=') return true;
  }
  return false;
}

bool is_safe_svg(std::string_view bytes) {
  if (!is_utf8(bytes) || bytes.find('\0') != std::string_view::npos) return false;
  const std::string svg = lower(with_references_read(bytes));
  if (svg.find("<svg") == std::string::npos) return false;
  // What a document type would define could spell any of these, and so could another encoding.
  for (const char* const word :
       {"<script", ":script", "<!entity", "<?xml-stylesheet", "<iframe", "<embed", "<object",
        "<handler", "<set", "<animate", "utf-16", "utf-7"})
    if (svg.find(word) != std::string::npos) return false;
  std::string dense = svg;
  std::erase_if(dense, [](char c) { return static_cast<unsigned char>(c) <= ' '; });
  if (dense.find("javascript:") != std::string::npos) return false;
  return !has_event(svg) && has_safe_links(svg);
}

constexpr int kFolderFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY;
constexpr int kFileFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

}  // namespace

std::string_view image_kind(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return "png";
  if (bytes.starts_with("\xff\xd8\xff")) return "jpg";
  if (bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a")) return "gif";
  if (bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP") return "webp";
  if (bytes.substr(4, 8) == "ftypavif") return "avif";
  return is_safe_svg(bytes) ? "svg" : "";
}

std::string read_tree_file(const std::string& root, std::string_view path) {
  if (!stays_inside(path)) return {};
  Descriptor at(::open(root.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  for (std::size_t slash; at && (slash = path.find('/')) != std::string_view::npos;) {
    const std::string name(path.substr(0, slash));
    if (name == ".git" || name == ".kwsearch") return {};
    at = Descriptor(::openat(at.get(), name.c_str(), kFolderFlags));
    path.remove_prefix(slash + 1);
  }
  if (!at) return {};
  const Descriptor file(::openat(at.get(), std::string(path).c_str(), kFileFlags));
  struct stat st;
  if (!file || ::fstat(file.get(), &st) != 0 || !S_ISREG(st.st_mode)) return {};
  if (st.st_size <= 0 || static_cast<std::size_t>(st.st_size) > kMaxImageBytes) return {};
  std::string bytes(static_cast<std::size_t>(st.st_size), '\0');
  std::size_t got = 0;
  while (got < bytes.size()) {
    const ssize_t n = ::read(file.get(), bytes.data() + got, bytes.size() - got);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return {};
    got += static_cast<std::size_t>(n);
  }
  return bytes;
}

void TreeImages::add_document(std::string_view path, std::string_view text) {
  for (std::size_t dot = 0; (dot = text.find('.', dot)) != std::string_view::npos; ++dot) {
    const std::string rest = lower(text.substr(dot, 6));
    const auto* const ending =
        std::find_if(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view e) { return rest.starts_with(e); });
    if (ending == std::end(kEndings)) continue;
    const std::size_t end = dot + ending->size();
    if (end < text.size() && !ends_path(text[end]) && text[end] != '?' && text[end] != '#')
      continue;
    std::size_t begin = dot;
    while (begin > 0 && dot - begin < kMaxPathBytes && !ends_path(text[begin - 1])) --begin;
    if (auto named = tree_path_of(folder_of(path), text.substr(begin, end - begin));
        named && paths_.size() < kMaxPaths && printable(*named) == *named)
      paths_.insert(*std::move(named));
  }
}

Result<void> TreeImages::read(const std::string& root) {
  images_ = KW_TRY(ChunkSpool::create());
  if (root.empty()) paths_.clear();
  std::size_t total = 0;
  std::set<std::string, std::less<>> known;
  for (const std::string& path : paths_) {
    const std::string bytes = read_tree_file(root, path);
    const std::string_view kind = bytes.empty() ? std::string_view() : image_kind(bytes);
    if (kind.empty() || total + bytes.size() > kMaxImagesBytes) continue;
    total += bytes.size();
    std::string name = fmt::format("{}/{}.{}", kImageFolder, to_hex(hash_content(bytes)), kind);
    if (known.insert(name).second) KW_TRY(images_.add(name, bytes));
    names_.emplace(path, std::move(name));
  }
  if (paths_.empty()) return {};
  std::string list = fmt::format("{}images that documents of the tree name\n", kGeneratedMark);
  for (const std::string& path : paths_) list += path + '\n';
  KW_TRY(images_.add(std::string(kImageListName), list));
  return images_.end();
}

std::string_view TreeImages::name_of(std::string_view tree_path) const {
  const auto found = names_.find(tree_path);
  return found == names_.end() ? std::string_view() : std::string_view(found->second);
}

std::vector<std::string> TreeImages::names() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < images_.size(); ++i) names.push_back(images_.name(i));
  return names;
}

Result<std::string> TreeImages::bytes(std::size_t place) const { return images_.read(place); }

std::string state_of_images(const std::string& root, std::string_view list) {
  ContentHasher all;
  std::string_view rest = list.substr(std::min(list.find('\n'), list.size()));
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view path = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(path.size());
    if (path.empty()) continue;
    const std::string bytes = root.empty() ? std::string() : read_tree_file(root, path);
    all.add(fmt::format("{}\n{}\n", path, to_hex(hash_content(bytes))));
  }
  return to_hex(all.hash());
}

}  // namespace kw::exporter::site
