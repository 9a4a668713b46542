// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/base/heap.h"

#include <malloc.h>

namespace kw {

// Set, it stays: by default the first large block that is freed raises it to that block's size.
void return_large_blocks() { ::mallopt(M_MMAP_THRESHOLD, 1 << 20); }

void trim_heap() { ::malloc_trim(0); }

}  // namespace kw
