// SPDX-License-Identifier: GPL-2.0-or-later
// Pieces of raw HTML in a page: where a tag ends, what an attribute says, what a character
// reference stands for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kw::indexer {

/// Whether `piece`, which is in small letters, stands in `text` at `at`, ASCII case aside.
bool has_at(std::string_view text, std::size_t at, std::string_view piece);

/// One past the tag or comment that begins at `at`: quotes may hold `>`. The text's end if it never
/// ends.
std::size_t tag_end(std::string_view html, std::size_t at);

/// The value of an attribute of a tag, or nothing.
std::string_view attribute_of(std::string_view tag, std::string_view name);

/// Whether a tag is one that a word runs through (`<b>`), not one that separates words (`<br>`).
bool is_inside_words(std::string_view tag);

/// The character reference that begins at `at`, which is a `&`: up to its `;`. Empty if there is
/// none.
std::string_view entity_at(std::string_view text, std::size_t at);

/// What a character reference stands for; itself if it stands for nothing.
std::string decode_entity(std::string_view entity);

/// A text with all its character references decoded.
std::string decode_entities(std::string_view text);

}  // namespace kw::indexer
