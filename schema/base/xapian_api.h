// SPDX-License-Identifier: GPL-2.0-or-later
// The only place that includes Xapian's header, so that its switches are the same everywhere.
#pragma once

#define XAPIAN_MOVE_SEMANTICS
#include <xapian.h>
