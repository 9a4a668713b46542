// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/output/page_output.h"

#include <fmt/format.h>

#include <vector>

namespace kw::exporter {

void PageOutput::fail(const Error& error) {
  ++counts_.failed;
  if (events_.failed) events_.failed(error);
}

void PageOutput::remove_stale(const std::set<std::string_view>& wanted,
                              const std::function<bool(const std::string& page)>& in_scope) {
  std::vector<std::string> stale;
  for (const std::string& page : dir_.pages())
    if (!wanted.contains(page) && in_scope(page)) stale.push_back(page);
  for (const std::string& page : stale) {
    auto removed = dir_.remove(page);
    if (!removed) {
      fail(removed.error());
      continue;
    }
    switch (*removed) {
      case OutputDir::Removed::Yes:
        ++counts_.removed;
        if (events_.removed) events_.removed(page);
        break;
      case OutputDir::Removed::Gone:
        break;
      case OutputDir::Removed::NotOurs:
        if (events_.noted)
          events_.noted(fmt::format("'{}' is no keyword page any more: it stays", page));
        break;
    }
  }
}

bool PageOutput::claim(const std::string& page) {
  const auto claimed = dir_.claim(page, adopt_);
  if (!claimed) fail(claimed.error());
  return static_cast<bool>(claimed);
}

void PageOutput::write(const std::string& page, std::string_view bytes) {
  auto written = dir_.write(page, bytes);
  if (!written) return fail(written.error());
  counts_.bytes += bytes.size();
  if (*written == OutputDir::Written::Unchanged) {
    ++counts_.unchanged;
    return;
  }
  ++counts_.written;
  if (events_.written) events_.written(page);
}

}  // namespace kw::exporter
