// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/line_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "schema/text/text.h"

namespace kw::exporter::site {

LineIds::LineIds(std::string_view text) : text_(text), starts_(line_starts(text)) {}

bool LineIds::is_blank(std::uint32_t line) const {
  return line_at(text_, starts_, line).find_first_not_of(" \t\r\f\v") == std::string_view::npos;
}

/// True if it was not passed yet.
bool LineIds::take(std::uint32_t line) {
  if (line < next_ || line > line_count()) return false;
  skipped_ = next_;
  next_ = line + 1;
  return true;
}

void LineIds::append_skipped(std::string& out) {
  for (; skipped_ + 1 < next_; ++skipped_)
    if (!is_blank(skipped_)) fmt::format_to(std::back_inserter(out), "<i id=L{}></i>", skipped_);
}

void LineIds::close_tag(std::string& out, std::uint32_t line) {
  const bool is_new = take(line);
  if (is_new) fmt::format_to(std::back_inserter(out), " id=L{}", line);
  out += '>';
  if (is_new) append_skipped(out);
}

void LineIds::append(std::string& out, std::uint32_t line) {
  if (!take(line)) return;
  append_skipped(out);
  if (!is_blank(line)) fmt::format_to(std::back_inserter(out), "<i id=L{}></i>", line);
}

}  // namespace kw::exporter::site
