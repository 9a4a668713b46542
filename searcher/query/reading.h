// SPDX-License-Identifier: GPL-2.0-or-later
// What a query may be: a name, a qualified name, a path, a traceback, a message, exact text, words.
// Pure text. A query may have several readings: the index decides between them, in their order
// (engine/planner.h). What the user wrote as syntax (quotes, fields, wildcards, NOT) has none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "searcher/query/path_reference.h"
#include "searcher/query/qualified_name.h"

namespace kw::search {

enum class ReadingKind { Name, Compound, QualifiedName, Path, Traceback, Message, Text, Words };

/// As --explain and JSON name it.
std::string_view name_of(ReadingKind kind);

struct Reading {
  ReadingKind kind = ReadingKind::Words;
  std::string reason;                 ///< for --explain: by what it was recognised
  std::vector<PathReference> places;  ///< of Path: one; of Traceback: deepest first
  std::optional<QualifiedName> name;  ///< of QualifiedName
  std::string text;                   ///< of the others: what is looked for
};

/// What --as forces.
enum class ReadAs { Name, Path, Text, Words };

/// The readings of a query in the order of their precedence; at least one. Filters are taken off
/// already. The last one is always Words or Name, so that something is found if any word is
/// anywhere.
std::vector<Reading> readings_of(std::string_view query, std::optional<ReadAs> as = {});

/// Whether the query is read as a place, a traceback, a message or code whatever signs of the query
/// language it holds.
bool is_pasted(std::string_view query);

}  // namespace kw::search
