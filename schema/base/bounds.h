// SPDX-License-Identifier: GPL-2.0-or-later
// How much of each input is taken: files of a tree, of an index and of a configuration may come
// from anybody, and none may cost more than 10 s or 500 MB. One row an input; what is over its
// bound is told, and never a reason to stop without a word. Work that no row bounds (a query, a
// record) ends with the time and memory of fault_guard.h, seconds_to_read() and limit_search().
//
//   input                            bound                over it
//   .kwexport, in a tree             kMaxManifest...      counts as none; kwexport refuses it
//   status.json                      kMaxStatusBytes      counts as none; kwindex cuts its lists
//   kw.vocabulary                    kMaxVocabularyBytes  the index is damaged
//   kw.vocabulary.added              kMaxAddedBytes       the index is damaged
//   --include, --exclude             kMaxGlobs            usage error
//   one glob                         kMaxGlobBytes (glob.h)             usage error; no rule
//   ignore files at one place        kMaxIgnore... (ignore.h)           no rules; told
//   .kwsearch.toml                   kMaxConfigBytes      refused
//   a list of databases              kMaxStubBytes, kMaxPlaces (database_location.h)  refused
//   a file of the tree               kMaxFileSizeLimit (index_options.h)  left out, told
//   the path of a folder             kMaxTreePathBytes    left out with what is in it, told
//   a word of a text                 kMaxWordBytes (splitter.h)         several words
//   a record's text                  kMaxTextBytes (record.h)           the record is damaged
//   the rest of a record             kMaxHeadBytes (record.h), twice    the record is damaged
//   kwindex's record of an index     kMaxIndexRecordBytes counts as none
//   a query                          kMaxQueryBytes, kMaxLeaves (query.h)  cut; told
//   a message of the server          kMaxMessageBytes (mcp_server.h)    answered with an error
//   ctags' answer to one file        kMaxCtagsReplyBytes  no definitions
//   the memory of each ctags         kMaxCtagsMemory      no definitions
//   the path of a file, for a page   kMaxPagePathBytes    kwexport names it, and ends with 3
//   what a server sends for a search kServerBytesASecond  the server is left out, or an error
//
// Each row has tests, at its bound and over it: those below a line "// Bound: INPUT", which
// tools/check_rules.sh looks for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kw {

// A line may be two bytes long, and a name in memory takes a hundred.
inline constexpr std::size_t kMaxManifestBytes = 64u << 20;
inline constexpr std::size_t kMaxManifestNames = 1'500'000;

// JSON takes some twenty times its size in memory. 16 MiB name 150,000 skipped files.
inline constexpr std::size_t kMaxStatusBytes = 16u << 20;

// 92 MB of index have 6 MB of it.
inline constexpr std::size_t kMaxVocabularyBytes = 256u << 20;
// What updates add is merged into the other when it is over half of this.
inline constexpr std::size_t kMaxAddedBytes = 2u << 20;

// Each is compared with each path: 1,000 take half a second for 3,000 files.
inline constexpr std::size_t kMaxGlobs = 1000;

// A file that people write by hand; more is a mistake, or malice.
inline constexpr std::uint64_t kMaxConfigBytes = 64u << 10;

// 1,000 places by name take some 40 KiB.
inline constexpr std::uint64_t kMaxStubBytes = 1u << 20;

// In the user's own state folder. It holds the options of a command line, which the system bounds,
// as JSON: six bytes for one, at worst.
inline constexpr std::uint64_t kMaxIndexRecordBytes = 64u << 20;

// An answer is about 80 bytes a definition: this is some 200,000 of them, and no file by people has
// those.
inline constexpr std::size_t kMaxCtagsReplyBytes = 16u << 20;
// ctags needs some 45 MB of addresses, and 230 MB for 300,000 definitions, which are no answer any
// more. Brackets that are nested deep may take gigabytes, in each child at once.
inline constexpr std::uint64_t kMaxCtagsMemory = 256u << 20;

// What the system takes (PATH_MAX). Longer ones exist, and are found; but all folders of a path are
// held at once, each with its own.
inline constexpr std::size_t kMaxPagePathBytes = 4096;

// From the root. Each folder above is a term of the index, and all folders have their paths in
// memory: those of 15,000 folders in each other, with names of 250 bytes, would be 28 GB.
inline constexpr std::size_t kMaxTreePathBytes = 16u << 10;

// Of a server, for each second of --timeout. A search takes some MB, one that reads every record
// as much as they have.
inline constexpr std::uint64_t kServerBytesASecond = 32u << 20;

}  // namespace kw
