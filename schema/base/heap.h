// SPDX-License-Identifier: GPL-2.0-or-later
// What the C library does with freed memory: by itself it keeps most of it for the next request,
// which a program that works in phases may never make.
#pragma once

namespace kw {

/// Blocks of a megabyte and more come from the system and go back to it when they are freed. Called
/// once, by main.
void return_large_blocks();

/// Gives back what is free, of small blocks too. Takes milliseconds: for the end of a phase.
void trim_heap();

}  // namespace kw
