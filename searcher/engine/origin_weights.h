// SPDX-License-Identifier: GPL-2.0-or-later
// Originals before tests, vendored and generated files: a weight for each origin.
#pragma once

#include "schema/base/xapian_api.h"

namespace kw::search {

/// Gives an original 3 x `step`, a test 2, a vendored file 1, a generated one nothing.
/// `on_servers`: part of the index is on servers. The query then has only operators that servers
/// know, and takes longer.
Xapian::Query origin_weights(double step, bool on_servers);

}  // namespace kw::search
