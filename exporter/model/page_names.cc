// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/page_names.h"

#include <fmt/format.h>

#include "schema/index/manifest.h"
#include "schema/index/record.h"
#include "schema/text/text.h"

namespace kw::exporter {
namespace {

constexpr std::size_t kMaxNameBytes = 255;

}  // namespace

Result<std::string> page_name(std::string_view path, std::string_view suffix) {
  std::string page = fmt::format("{}{}", path, suffix);
  if (!stays_inside(page) || !stays_inside(path))
    return Error{ErrorCode::Refused,
                 fmt::format("no page is written for '{}': its path leads out of the tree", path),
                 "rebuild the index with: kwindex --rebuild"};
  const std::string_view name = file_name_of(page);
  if (name.size() <= kMaxNameBytes) return page;

  const std::string tail = fmt::format("-{:.16}{}", to_hex(hash_content(name)), suffix);
  std::size_t head = kMaxNameBytes - tail.size();
  while (head > 0 && is_continuation(name[head])) --head;  // no half characters
  const std::size_t folder = page.size() - name.size();
  return page.substr(0, folder + head) + tail;
}

std::string list_page_name(std::string_view list_page, std::string_view slug) {
  if (slug.empty()) return std::string(list_page);
  const std::size_t dot = list_page.rfind('.');
  const std::size_t stem = dot == std::string_view::npos || dot == 0 ? list_page.size() : dot;
  return fmt::format("{}-{}{}", list_page.substr(0, stem), slug, list_page.substr(stem));
}

}  // namespace kw::exporter
