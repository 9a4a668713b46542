// SPDX-License-Identifier: GPL-2.0-or-later
// What is wrong with a site on disk, as far as its links tell. Reads tags by itself: kwexport's own
// pages are regular, and no parser is needed to see where they lead.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kw::test {

/// One line for each link to a file or an anchor that is not there, and for each anchor that a page
/// has twice.
std::vector<std::string> site_faults(const std::filesystem::path& site);

}  // namespace kw::test
