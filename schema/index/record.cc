// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/record.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#define ZSTD_STATIC_LINKING_ONLY  // for ZSTD_createDDict_byReference
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "schema/base/leb128.h"

namespace kw {
namespace {

// Compression level: on 132 MB of pages, level 3 gave 34 MB; 9 saved a tenth and took four times as
// long.
constexpr int kRecordZstdLevel = 5;

void put_text(std::string& out, std::string_view text) {
  put_leb128(out, text.size());
  out += text;
}

/// Reads what the functions above wrote; after the first fault every read gives nothing.
class Reader {
 public:
  explicit Reader(std::string_view data) : data_(data) {}

  std::uint64_t number() {
    const auto n = take_leb128(data_);
    if (!n) fail();
    return n.value_or(0);
  }

  std::uint32_t number32() {
    const std::uint64_t n = number();
    if (n > std::numeric_limits<std::uint32_t>::max()) fail();
    return failed_ ? 0 : static_cast<std::uint32_t>(n);
  }

  std::string_view text() {
    const std::uint64_t n = number();
    if (n > data_.size()) fail();
    if (failed_) return {};
    const std::string_view result = data_.substr(0, n);
    data_.remove_prefix(n);
    return result;
  }

  /// A count of things that take at least one byte each.
  std::uint64_t count() {
    const std::uint64_t n = number();
    if (n > data_.size()) fail();
    return failed_ ? 0 : n;
  }

  std::string_view rest() const { return data_; }
  bool failed() const { return failed_; }
  void fail() {
    failed_ = true;
    data_ = {};
  }

 private:
  std::string_view data_;
  bool failed_ = false;
};

/// Kinds and scopes repeat: each is stored once and named by number.
class StringTable {
 public:
  std::uint64_t add(const std::string& text) {
    const auto [it, added] = index_.try_emplace(text, strings_.size());
    if (added) strings_.push_back(&it->first);
    return it->second;
  }
  void put(std::string& out) const {
    put_leb128(out, strings_.size());
    for (const std::string* s : strings_) put_text(out, *s);
  }

 private:
  std::unordered_map<std::string, std::uint64_t> index_;
  std::vector<const std::string*> strings_;
};

Error damaged(const char* fact) {
  return {ErrorCode::Corrupt, std::string("a record of the index does not decode: ") + fact,
          "rebuild it with: kwindex --rebuild"};
}

struct ContextDeleter {
  void operator()(ZSTD_CCtx* c) const { ZSTD_freeCCtx(c); }
  void operator()(ZSTD_DCtx* c) const { ZSTD_freeDCtx(c); }
};

}  // namespace

std::uint64_t head_bytes(const FileRecord& record) {
  std::uint64_t bytes = record.path.size() + record.title.size() + record.description.size() +
                        record.language.size() + 100;
  for (const Section& s : record.sections)
    bytes += sizeof(Section) + s.title.size() + s.anchor.size();
  for (const Definition& d : record.definitions)
    bytes += sizeof(Definition) + d.name.size() + d.kind.size() + d.scope.size();
  return bytes;
}

std::uint64_t rendering_bytes(const FileRecord& record) {
  std::uint64_t bytes = record.code.size() * sizeof(LineRange);
  for (const TextEdit& edit : record.rendering) bytes += sizeof(TextEdit) + edit.inserted.size();
  return bytes;
}

EditedText rendered_text(const FileRecord& record) {
  return EditedText(record.text, record.rendering);
}

namespace {

ContentHash canonical(XXH128_hash_t hash) {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, hash);
  ContentHash out;
  std::copy(std::begin(bytes.digest), std::end(bytes.digest), out.begin());
  return out;
}

}  // namespace

ContentHash hash_content(std::string_view bytes) {
  return canonical(XXH3_128bits(bytes.data(), bytes.size()));
}

struct ContentHasher::State {
  XXH3_state_t xxh3;
};

ContentHasher::ContentHasher() : state_(std::make_unique<State>()) {
  XXH3_128bits_reset(&state_->xxh3);
}
ContentHasher::~ContentHasher() = default;

void ContentHasher::add(std::string_view bytes) {
  XXH3_128bits_update(&state_->xxh3, bytes.data(), bytes.size());
}

ContentHash ContentHasher::hash() const { return canonical(XXH3_128bits_digest(&state_->xxh3)); }

std::string to_hex(const ContentHash& hash) {
  std::string out;
  for (const std::uint8_t byte : hash) out += fmt::format("{:02x}", byte);
  return out;
}

namespace {

/// All of a record but its text and what belongs to it.
std::string encode_head(const FileRecord& record) {
  std::string out;
  put_text(out, record.path);
  put_text(out, record.title);
  put_text(out, record.description);
  put_text(out, record.language);
  put_leb128(out, record.size);
  out.append(reinterpret_cast<const char*>(record.hash.data()), record.hash.size());

  put_leb128(out, record.sections.size());
  std::uint32_t line = 0;  // lines are stored as steps from the one before
  for (const Section& s : record.sections) {
    put_text(out, s.title);
    put_text(out, s.anchor);
    put_leb128(out, s.level);
    put_leb128(out, s.first_line - line);
    put_leb128(out, s.last_line - s.first_line);
    line = s.first_line;
  }

  StringTable strings;
  std::string definitions;
  put_leb128(definitions, record.definitions.size());
  line = 0;
  for (const Definition& d : record.definitions) {
    put_text(definitions, d.name);
    put_leb128(definitions, strings.add(d.kind));
    put_leb128(definitions, strings.add(d.scope));
    put_leb128(definitions, d.line - line);
    line = d.line;
  }
  strings.put(out);
  return out += definitions;
}

/// Memory that is still allowed. A scope is stored once and copied into each definition that has
/// it, so a small head may unfold to any size.
class Budget {
 public:
  /// False, for good, once more is taken than there is.
  bool take(std::uint64_t bytes) {
    fits_ &= bytes <= left_;
    if (fits_) left_ -= bytes;
    return fits_;
  }

 private:
  std::uint64_t left_ = kMaxHeadBytes;
  bool fits_ = true;
};

Result<FileRecord> decode_head(std::string_view data) {
  Reader in(data);
  Budget budget;
  FileRecord r;
  r.path = in.text();
  r.title = in.text();
  r.description = in.text();
  r.language = in.text();
  r.size = in.number();
  if (in.rest().size() < r.hash.size()) return damaged("it is cut short");
  std::copy_n(in.rest().begin(), r.hash.size(), reinterpret_cast<char*>(r.hash.data()));
  in = Reader(in.rest().substr(r.hash.size()));

  std::uint32_t line = 0;
  const std::uint64_t sections = in.count();
  if (!budget.take(sections * sizeof(Section))) return damaged("it has too many sections");
  r.sections.reserve(sections);
  for (std::uint64_t i = 0; i < sections && !in.failed(); ++i) {
    Section s;
    s.title = in.text();
    s.anchor = in.text();
    s.level = static_cast<std::uint8_t>(in.number());
    s.first_line = line + in.number32();
    s.last_line = s.first_line + in.number32();
    line = s.first_line;
    if (!budget.take(s.title.size() + s.anchor.size())) return damaged("its titles are too long");
    r.sections.push_back(std::move(s));
  }

  std::vector<std::string_view> strings;
  const std::uint64_t string_count = in.count();
  if (string_count * sizeof(std::string_view) > kMaxHeadBytes)
    return damaged("it has too many kinds and scopes");
  for (std::uint64_t i = 0; i < string_count && !in.failed(); ++i) strings.push_back(in.text());
  const std::uint64_t definitions = in.count();
  if (!budget.take(definitions * sizeof(Definition))) return damaged("it has too many definitions");
  r.definitions.reserve(definitions);
  line = 0;
  for (std::uint64_t i = 0; i < definitions && !in.failed(); ++i) {
    Definition d;
    d.name = in.text();
    const std::uint64_t kind = in.number(), scope = in.number();
    if (kind >= strings.size() || scope >= strings.size())
      return damaged("a definition names no string");
    if (!budget.take(d.name.size() + strings[kind].size() + strings[scope].size()))
      return damaged("its definitions are too long");
    d.kind = strings[kind];
    d.scope = strings[scope];
    d.line = line + in.number32();
    line = d.line;
    r.definitions.push_back(std::move(d));
  }
  if (in.failed() || !in.rest().empty()) return damaged("its head is of another size");
  return r;
}

/// The rendering and the blocks of code, as steps. Most edits only remove: the lowest bit tells.
std::string encode_rendering(const FileRecord& record) {
  std::string out;
  put_leb128(out, record.code.size());
  std::uint32_t line = 0;
  for (const LineRange& block : record.code) {
    put_leb128(out, block.first_line - line);
    put_leb128(out, block.last_line - block.first_line);
    line = block.last_line;
  }
  put_leb128(out, record.rendering.size());
  std::uint32_t at = 0;
  for (const TextEdit& edit : record.rendering) {
    put_leb128(out, edit.offset - at);
    put_leb128(out, std::uint64_t{edit.removed} << 1 | (edit.inserted.empty() ? 0 : 1));
    if (!edit.inserted.empty()) put_text(out, edit.inserted);
    at = edit.offset + edit.removed;
  }
  return out;
}

/// Into a record that has its text.
Result<void> decode_rendering(std::string_view data, FileRecord& record) {
  Reader in(data);
  Budget budget;
  const std::uint64_t blocks = in.count();
  if (!budget.take(blocks * sizeof(LineRange))) return damaged("it has too many blocks of code");
  std::uint32_t line = 0;
  for (std::uint64_t i = 0; i < blocks && !in.failed(); ++i) {
    LineRange block;
    block.first_line = line + in.number32();
    line = block.last_line = block.first_line + in.number32();
    record.code.push_back(block);
  }
  const std::uint64_t edits = in.count();
  if (!budget.take(edits * sizeof(TextEdit))) return damaged("it has too many edits");
  record.rendering.reserve(edits);
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < edits && !in.failed(); ++i) {
    TextEdit edit;
    const std::uint64_t offset = at + in.number32(), removed = in.number();
    at = offset + (removed >> 1);
    if (at > record.text.size()) return damaged("an edit lies outside of the text");
    edit.offset = static_cast<std::uint32_t>(offset);
    edit.removed = static_cast<std::uint32_t>(removed >> 1);
    if ((removed & 1) != 0) edit.inserted = in.text();
    record.rendering.push_back(std::move(edit));
  }
  if (in.failed() || !in.rest().empty()) return damaged("its rendering is of another size");
  return {};
}

// One context a thread: making one costs more than compressing a page.
ZSTD_CCtx* compression_context() {
  thread_local const std::unique_ptr<ZSTD_CCtx, ContextDeleter> context(ZSTD_createCCtx());
  return context.get();
}
ZSTD_DCtx* decompression_context() {
  thread_local const std::unique_ptr<ZSTD_DCtx, ContextDeleter> context(ZSTD_createDCtx());
  return context.get();
}

// zstd decodes blocks of up to 128 KiB whole. The head of a larger record has a block of its own:
// it is often read without its text. A block costs some hundred bytes.
constexpr std::size_t kLargeRecord = 16 << 10, kBlockHeader = 3;

/// The first `size` bytes of a zstd frame; fewer where it ends or is damaged. `whole`: that is all
/// of it. `dictionary` may be null.
std::string decompress(std::string_view frame, std::uint64_t size, bool whole,
                       const ZSTD_DDict* dictionary) {
  std::string out(size, '\0');
  ZSTD_DCtx* const context = decompression_context();
  ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
  ZSTD_DCtx_refDDict(context, dictionary);
  // Of a part it gets what it asks for, a block at a time: it decodes all that it has.
  constexpr std::size_t kFrameHeader = 6;  // at least; it has a content size
  ZSTD_inBuffer in{frame.data(), whole ? frame.size() : std::min(frame.size(), kFrameHeader), 0};
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  while (to.pos < to.size) {
    const std::size_t before = to.pos + in.pos, left = ZSTD_decompressStream(context, &to, &in);
    if (ZSTD_isError(left) || left == 0 || to.pos + in.pos == before) break;
    if (!whole) in.size = std::min(frame.size(), in.pos + left);
  }
  out.resize(to.pos);
  return out;
}

struct DictionaryDeleter {
  void operator()(ZSTD_CDict* d) const { ZSTD_freeCDict(d); }
  void operator()(ZSTD_DDict* d) const { ZSTD_freeDDict(d); }
};

}  // namespace

struct RecordCodec::Impl {
  std::string dictionary;
  // Each is made by the first who needs it: a search never compresses.
  mutable std::once_flag once_for_writing, once_for_reading;
  mutable std::unique_ptr<ZSTD_CDict, DictionaryDeleter> for_writing;
  mutable std::unique_ptr<ZSTD_DDict, DictionaryDeleter> for_reading;

  const ZSTD_CDict* writing() const {
    if (dictionary.empty()) return nullptr;
    std::call_once(once_for_writing, [this] {
      for_writing.reset(ZSTD_createCDict(dictionary.data(), dictionary.size(), kRecordZstdLevel));
    });
    return for_writing.get();
  }
  const ZSTD_DDict* reading() const {
    if (dictionary.empty()) return nullptr;
    std::call_once(once_for_reading, [this] {
      // By reference: `dictionary` lives as long as this object.
      for_reading.reset(ZSTD_createDDict_byReference(dictionary.data(), dictionary.size()));
    });
    return for_reading.get();
  }
};

RecordCodec::RecordCodec(std::string dictionary) {
  auto impl = std::make_shared<Impl>();
  impl->dictionary = std::move(dictionary);
  impl_ = std::move(impl);
}

const std::string& RecordCodec::dictionary() const { return impl_->dictionary; }

std::string RecordCodec::encode(const FileRecord& record) const {
  // Head and text are one frame: titles and names stand in the text again and cost next to nothing.
  std::string plain = encode_head(record);
  const std::size_t head_size = plain.size();
  std::string out;
  put_leb128(out, head_size);
  put_leb128(out, record.text.size());
  plain += record.text;
  const std::string rendering = encode_rendering(record);
  put_leb128(out, rendering.size());
  plain += rendering;
  const std::size_t start = out.size();
  out.resize(start + ZSTD_compressBound(plain.size()) + kBlockHeader);
  ZSTD_CCtx* const context = compression_context();
  ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kRecordZstdLevel);
  ZSTD_CCtx_setParameter(context, ZSTD_c_dictIDFlag, 0);  // an index has one
  ZSTD_CCtx_refCDict(context, impl_->writing());
  ZSTD_CCtx_setPledgedSrcSize(context, plain.size());
  ZSTD_inBuffer in{plain.data(), plain.size(), 0};
  ZSTD_outBuffer to{out.data(), out.size(), start};
  const bool has_own_block = plain.size() >= kLargeRecord;
  if (has_own_block) in.size = head_size;
  bool done = !has_own_block || ZSTD_compressStream2(context, &to, &in, ZSTD_e_flush) == 0;
  in.size = plain.size();
  done = done && ZSTD_compressStream2(context, &to, &in, ZSTD_e_end) == 0;
  out.resize(done ? to.pos : start);  // fails only without memory; it will not decode then
  return out;
}

Result<FileRecord> RecordCodec::decode(std::string_view data, RecordParts parts) const {
  Reader in(data);
  const std::uint64_t head_size = in.number(), text_size = in.number(),
                      rendering_size = in.number();
  if (in.failed()) return damaged("it is cut short");
  // Sizes are checked before memory is taken: a record from elsewhere may be a bomb.
  if (text_size > kMaxTextBytes || head_size > kMaxHeadBytes || rendering_size > kMaxHeadBytes)
    return damaged("its text is too large");
  const std::uint64_t body_size = text_size + rendering_size;
  if (ZSTD_getFrameContentSize(in.rest().data(), in.rest().size()) != head_size + body_size)
    return damaged("its text is of another size");
  const std::uint64_t wanted = head_size + (parts == RecordParts::All ? body_size : 0);
  std::string plain =
      decompress(in.rest(), wanted, wanted == head_size + body_size, impl_->reading());
  if (plain.size() != wanted) return damaged("its text does not decompress");
  auto record = decode_head(std::string_view(plain).substr(0, head_size));
  if (!record || parts == RecordParts::WithoutText) return record;
  const std::string rendering = plain.substr(head_size + text_size);
  plain.resize(head_size + text_size);
  record->text = std::move(plain.erase(0, head_size));
  KW_TRY(decode_rendering(rendering, *record));
  return record;
}

std::uint64_t RecordCodec::decoded_size(std::string_view data) {
  Reader in(data);
  std::uint64_t size = 0;
  for (int part = 0; part < 3; ++part) size += std::min(in.number(), kMaxTextBytes);
  return in.failed() ? 0 : size;
}

std::string encode_stat(const FileStat& stamp) {
  std::string out;
  put_leb128(out, stamp.size);
  put_leb128(out, static_cast<std::uint64_t>(stamp.mtime_ns));
  put_leb128(out, static_cast<std::uint64_t>(stamp.ctime_ns));
  put_leb128(out, stamp.inode);
  put_leb128(out, static_cast<std::uint64_t>(stamp.seen_ns));
  put_leb128(out, static_cast<std::uint64_t>(stamp.loss));
  return out;
}

Result<FileStat> decode_stat(std::string_view data) {
  Reader in(data);
  FileStat stamp;
  stamp.size = in.number();
  stamp.mtime_ns = static_cast<std::int64_t>(in.number());
  stamp.ctime_ns = static_cast<std::int64_t>(in.number());
  stamp.inode = in.number();
  stamp.seen_ns = static_cast<std::int64_t>(in.number());
  const std::uint64_t loss = in.number();
  if (loss > static_cast<std::uint64_t>(SymbolLoss::Limit)) in.fail();
  stamp.loss = static_cast<SymbolLoss>(in.failed() ? 0 : loss);
  if (in.failed()) return damaged("its stat data is cut short");
  return stamp;
}

}  // namespace kw
