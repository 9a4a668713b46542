// SPDX-License-Identifier: GPL-2.0-or-later
// FileRecord: all that pages and result lists show of one indexed file, and its coding as the data
// of a Xapian document. The text and what is known of its parts come last, so that the rest can be
// read without them. It holds no clock and no absolute path: the same tree gives the same bytes.
// Stat data: FileStat, a value slot of its own.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"
#include "schema/text/edited_text.h"

namespace kw {

/// A heading of a page and the lines up to the next heading of any level.
struct Section {
  std::string title;             ///< plain text of the heading
  std::uint8_t level = 1;        ///< 1 to 6
  std::uint32_t first_line = 1;  ///< of the heading itself, counted from 1
  std::uint32_t last_line = 1;   ///< the last line before the next heading
  std::string anchor;            ///< as GitHub makes it: unique within the page

  bool operator==(const Section&) const = default;
};

struct Definition {
  std::string name;
  std::string kind;        ///< in ctags' words: class, function, member, macro ...
  std::uint32_t line = 1;  ///< in the stored text, counted from 1
  std::string scope;       ///< "Outer::Inner" or empty

  bool operator==(const Definition&) const = default;
};

/// Lines of the stored text, counted from 1, both included.
struct LineRange {
  std::uint32_t first_line = 1;
  std::uint32_t last_line = 1;

  bool operator==(const LineRange&) const = default;
};

using ContentHash = std::array<std::uint8_t, 16>;

/// XXH3, 128 bits, big-endian, of a file's bytes as they are on disk.
ContentHash hash_content(std::string_view bytes);

/// The same of bytes that come in pieces.
class ContentHasher {
 public:
  ContentHasher();
  ~ContentHasher();
  ContentHasher(const ContentHasher&) = delete;
  ContentHasher& operator=(const ContentHasher&) = delete;

  void add(std::string_view bytes);
  ContentHash hash() const;  ///< of all so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Two digits a byte, small letters.
std::string to_hex(const ContentHash& hash);

struct FileRecord {
  std::string path;  ///< from the root, with `/`
  /// Of front matter, else the first heading of a page, else the first line of the comment or
  /// docstring that a source begins with; or empty.
  std::string title;
  std::string description;  ///< of front matter, or empty
  std::string language;     ///< "markdown", "python" ...; empty if unknown
  std::uint64_t size = 0;   ///< bytes on disk; the text may be of another size after transcoding
  ContentHash hash{};
  std::vector<Section> sections;        ///< by line
  std::vector<Definition> definitions;  ///< by line
  std::string text;                     ///< UTF-8 as far as the file was; lines end as in the file

  /// Of a page of Markdown: what makes of `text` what a reader sees, in order. It touches no line
  /// end, so that both have the same lines, and neither blocks of code nor front matter.
  std::vector<TextEdit> rendering;
  std::vector<LineRange> code;  ///< of a page: its blocks of code with their fences, by line

  bool operator==(const FileRecord&) const = default;
};

/// Text of at most this many bytes is stored; what claims more is damaged (64 MiB): a record of a
/// few kilobytes may unfold to this, and each program that reads it must go on.
inline constexpr std::uint64_t kMaxTextBytes = 64ull << 20;

/// Memory that sections and definitions may take, and bytes of all that is stored before the text.
/// It is twice what the worst page of 8 MiB was seen to need.
inline constexpr std::uint64_t kMaxHeadBytes = 128ull << 20;

/// What counts against kMaxHeadBytes: sections, definitions and the like; and, with a bound of the
/// same size, the rendering. A record over either must not be encoded.
std::uint64_t head_bytes(const FileRecord& record);
std::uint64_t rendering_bytes(const FileRecord& record);

/// What a reader sees of the record's text: that text itself, but for pages of Markdown. The record
/// must outlive it.
EditedText rendered_text(const FileRecord& record);

enum class RecordParts {
  WithoutText,  ///< nor `rendering` and `code`
  All
};

/// Codes records as zstd frames, with a dictionary of what the files of a tree have in common:
/// pages of one form, licences, imports. Cheap to copy; copies may be used by several threads.
class RecordCodec {
 public:
  /// `dictionary` as indexer/update/dictionary.h trains it; empty for none.
  explicit RecordCodec(std::string dictionary = {});

  /// `record.text` must not be over kMaxTextBytes, head_bytes() and rendering_bytes() not over
  /// kMaxHeadBytes.
  std::string encode(const FileRecord& record) const;

  /// The inverse. Any bytes are safe: what does not decode is an Error{Corrupt}.
  Result<FileRecord> decode(std::string_view data, RecordParts parts = RecordParts::All) const;

  /// Bytes that decode() takes for all parts, as the data says; 0 for data that is cut short.
  static std::uint64_t decoded_size(std::string_view data);

  const std::string& dictionary() const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// What the entry of a file lacks, and why. ctags failed on it, and it has no definitions, or not
/// all: once may be the machine's fault, and the next run tries again; after twice it is left alone
/// until ctags or the machine is another. Limit: the file is larger than kwindex takes definitions
/// or headings from (extract.h), and no run gives more.
enum class SymbolLoss : std::uint8_t { None, Once, Twice, Limit };

constexpr bool is_ctags_failure(SymbolLoss loss) {
  return loss == SymbolLoss::Once || loss == SymbolLoss::Twice;
}

/// When and what a file was when it was read. Times are nanoseconds since 1970.
struct FileStat {
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::uint64_t inode = 0;
  /// Start of the run that read the file: a file changed at or after it may have changed again
  /// unseen.
  std::int64_t seen_ns = 0;
  SymbolLoss loss = SymbolLoss::None;

  /// True if stat data is the same; the rest does not count.
  bool same_file(const FileStat& other) const {
    return size == other.size && mtime_ns == other.mtime_ns && ctime_ns == other.ctime_ns &&
           inode == other.inode;
  }
  bool operator==(const FileStat&) const = default;
};

std::string encode_stat(const FileStat& stamp);
Result<FileStat> decode_stat(std::string_view data);

}  // namespace kw
