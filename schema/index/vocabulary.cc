// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/vocabulary.h"

#include <zstd.h>

#include <algorithm>

#include "schema/base/bounds.h"
#include "schema/index/metadata.h"

namespace kw {
namespace {

// Higher levels take four times as long for a tenth less.
constexpr int kVocabularyZstdLevel = 3;

/// A stored text: for each field its terms without the prefix, one a line, then an empty line.
std::string compress(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t n =
      ZSTD_compress(out.data(), out.size(), text.data(), text.size(), kVocabularyZstdLevel);
  if (ZSTD_isError(n)) throw Xapian::DatabaseError("no memory for the vocabulary");
  out.resize(n);
  return out;
}

/// Compresses a text that comes in pieces, whose size is known before. Holds no more of it than
/// zstd does, while a large tree has a hundred megabytes.
class Compressor {
 public:
  explicit Compressor(std::uint64_t size) : context_(ZSTD_createCCtx(), &ZSTD_freeCCtx) {
    if (!context_) throw Xapian::DatabaseError("no memory for the vocabulary");
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kVocabularyZstdLevel);
    ZSTD_CCtx_setPledgedSrcSize(context_.get(), size);
  }

  void add(std::string_view piece) {
    pending_ += piece;
    if (pending_.size() >= kPieceBytes) compress(ZSTD_e_continue);
  }

  std::string finish() {
    compress(ZSTD_e_end);
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kPieceBytes = 128 << 10;

  void compress(ZSTD_EndDirective mode) {
    ZSTD_inBuffer in{pending_.data(), pending_.size(), 0};
    for (std::size_t left = 1; left > 0 && (mode == ZSTD_e_end || in.pos < in.size);) {
      const std::size_t before = out_.size();
      out_.resize(before + kPieceBytes);
      ZSTD_outBuffer out{out_.data(), out_.size(), before};
      left = ZSTD_compressStream2(context_.get(), &out, &in, mode);
      if (ZSTD_isError(left)) throw Xapian::DatabaseError("no memory for the vocabulary");
      out_.resize(out.pos);
    }
    pending_.clear();
  }

  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
  std::string pending_, out_;
};

std::string decompress(const std::string& stored, std::size_t most) {
  const unsigned long long size = ZSTD_getFrameContentSize(stored.data(), stored.size());
  if (size > most) throw Xapian::DatabaseCorruptError("the vocabulary is damaged");
  std::string text(size, '\0');
  if (ZSTD_decompress(text.data(), text.size(), stored.data(), stored.size()) != size)
    throw Xapian::DatabaseCorruptError("the vocabulary does not decompress");
  return text;
}

/// Calls `f` with each term of a field in the database.
template <class F>
void for_each_term(const Xapian::Database& database, Field field, const F& f) {
  const std::string prefix(prefix_of(field));
  const auto walk = [&](const std::string& start) {
    for (auto it = database.allterms_begin(start), end = database.allterms_end(start); it != end;
         ++it)
      f(*it);
  };
  if (!prefix.empty()) return walk(prefix);
  // Words have no prefix, and no capital in front.
  for (int c = 1; c < 0x100; c = c == 'A' - 1 ? 'Z' + 1 : c + 1)
    walk(std::string(1, static_cast<char>(c)));
}

bool is_of(Field field, std::string_view term) {
  const std::string_view prefix = prefix_of(field);
  return prefix.empty() ? !term.empty() && (term[0] < 'A' || term[0] > 'Z')
                        : term.starts_with(prefix);
}

/// The lines of a text that hold a piece, one after the other. Terms are not empty, so no line is.
class LinesHolding {
 public:
  LinesHolding(std::string_view lines, std::string_view piece) : lines_(lines), piece_(piece) {
    next();
  }

  /// Empty behind the last.
  std::string_view line() const { return line_; }

  void next() {
    const std::size_t found = lines_.find(piece_, at_);
    if (found >= lines_.size()) {
      line_ = {};
      at_ = lines_.size();
      return;
    }
    const std::size_t before = found == 0 ? lines_.npos : lines_.rfind('\n', found - 1);
    const std::size_t begin = before == lines_.npos ? 0 : before + 1;
    at_ = lines_.find('\n', found) + 1;  // each line ends in one
    line_ = lines_.substr(begin, at_ - 1 - begin);
  }

 private:
  std::string_view lines_, piece_, line_;
  std::size_t at_ = 0;
};

std::string metadata(const Xapian::Database& database, Meta meta) {
  return database.get_metadata(std::string(key_of(meta)));
}

}  // namespace

void Vocabulary::add(const std::string& stored, std::size_t most) {
  if (stored.empty()) return;
  auto text = std::make_unique<Text>();
  text->bytes = decompress(stored, most);
  std::string_view rest = text->bytes;
  for (std::string_view& lines : text->lines) {
    // "\n\n" ends a field's lines, "\n" a field without any.
    std::size_t end = rest.starts_with('\n') ? 0 : rest.find("\n\n");
    if (end == rest.npos || rest.empty())
      throw Xapian::DatabaseCorruptError("the vocabulary is damaged");
    if (end > 0) ++end;
    lines = rest.substr(0, end);
    rest.remove_prefix(end + 1);
  }
  texts_.push_back(std::move(text));
}

Vocabulary::Stored Vocabulary::read(const Xapian::Database& database) {
  return {metadata(database, Meta::Vocabulary), metadata(database, Meta::AddedVocabulary)};
}

void Vocabulary::load(const Stored& stored) {
  add(stored.terms, kMaxVocabularyBytes);
  exact_ &= stored.added.empty();
  add(stored.added, kMaxAddedBytes);
}

void Vocabulary::for_each(Field field, std::string_view piece, const Take& take) const {
  const auto index = static_cast<std::size_t>(
      std::find(kVocabularyFields.begin(), kVocabularyFields.end(), field) -
      kVocabularyFields.begin());
  std::vector<LinesHolding> all;
  for (const auto& text : texts_) all.emplace_back(text->lines[index], piece);
  const std::string_view prefix = prefix_of(field);
  std::string term(prefix);
  // Each is in order; so is the merge.
  for (;;) {
    std::string_view least;
    for (const LinesHolding& lines : all)
      if (!lines.line().empty() && (least.empty() || lines.line() < least)) least = lines.line();
    term.resize(prefix.size());
    if (least.empty() || !take(term.append(least))) return;
    for (LinesHolding& lines : all)
      if (lines.line() == least) lines.next();
  }
}

void write_vocabulary(Xapian::WritableDatabase& database, std::size_t held_bytes) {
  // Most texts are small and are held. Of a larger one the terms are gone through twice, for its
  // size must be known before it is compressed.
  const auto for_pieces = [&](const auto& take) {
    std::string line;
    for (const Field field : kVocabularyFields) {
      const std::size_t prefix = prefix_of(field).size();
      for_each_term(database, field, [&](const std::string& term) {
        line.assign(term, prefix).append(1, '\n');
        take(line);
      });
      take(line.assign(1, '\n'));
    }
  };
  std::string text;
  std::uint64_t size = 0;
  for_pieces([&](const std::string& piece) {
    size += piece.size();
    if (size <= held_bytes)
      text += piece;
    else if (!text.empty())
      text = std::string();
  });
  std::string stored;
  if (size > held_bytes) {
    Compressor compressor(size);
    for_pieces([&](const std::string& piece) { compressor.add(piece); });
    stored = compressor.finish();
  } else {
    stored = compress(text);
  }
  database.set_metadata(std::string(key_of(Meta::Vocabulary)), stored);
  database.set_metadata(std::string(key_of(Meta::AddedVocabulary)), "");
}

// Additions over half of their bound are worth writing the whole anew.
void add_to_vocabulary(Xapian::WritableDatabase& database, const std::set<std::string>& terms) {
  Vocabulary added;
  const std::string stored = metadata(database, Meta::AddedVocabulary);
  if (!stored.empty()) added.add(stored, kMaxAddedBytes);
  std::string text;
  for (const Field field : kVocabularyFields) {
    std::set<std::string> of_field;
    if (!stored.empty())
      added.for_each(field, "", [&](const std::string& t) { return of_field.insert(t), true; });
    for (const std::string& term : terms)
      if (is_of(field, term)) of_field.insert(term);
    for (const std::string& term : of_field)
      text.append(term, prefix_of(field).size()).append(1, '\n');
    text += '\n';
  }
  if (text.size() > kMaxAddedBytes / 2) return write_vocabulary(database);
  database.set_metadata(std::string(key_of(Meta::AddedVocabulary)), compress(text));
}

}  // namespace kw
