// SPDX-License-Identifier: GPL-2.0-or-later
// What two renderers of one document must agree on: its elements, their text, and where links lead.
#pragma once

#include <string>
#include <string_view>

namespace kw::test {

/// A line for each block, as a browser parses `html`. What our pages declare to add or to change is
/// left out or made equal: anchors of lines and ids, levels of headings below a page's own, code as
/// a list of lines, what the allow list of elements takes away.
std::string html_outline(std::string_view html);

}  // namespace kw::test
