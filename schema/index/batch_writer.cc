// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "schema/index/batch_files.h"
#include "schema/index/fields.h"
#include "schema/index/glass_packer.h"
#include "schema/index/guard.h"
#include "schema/index/index_facts.h"
#include "schema/index/index_writer.h"
#include "schema/index/interner.h"
#include "schema/index/metadata.h"
#include "schema/index/posting_runs.h"
#include "schema/index/spool.h"
#include "schema/index/terms.h"

namespace kw {
namespace {

/// Compresses what Xapian inflates, in one state for all. Xapian's own level (6) gains a thousandth
/// of the index; its tables are cleared for each list, and most have a few KB.
class Deflater {
 public:
  Deflater() {
    constexpr int kLevel = 4, kRawDeflate = -15, kMemory = 7;
    if (::deflateInit2(&stream_, kLevel, Z_DEFLATED, kRawDeflate, kMemory, Z_DEFAULT_STRATEGY) !=
        Z_OK)
      throw Xapian::DatabaseError("no memory to compress with");
  }
  ~Deflater() { ::deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  /// False: it would not be smaller.
  bool deflate(std::string_view text, std::string& out) {
    out.resize(text.size());
    ::deflateReset(&stream_);
    // zlib does not write to its input.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream_.avail_in = static_cast<uInt>(text.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size() - 1);
    if (::deflate(&stream_, Z_FINISH) != Z_STREAM_END) return false;
    out.resize(stream_.total_out);
    return true;
  }

 private:
  z_stream stream_{};
};

struct SortedTerm {
  std::uint64_t head;
  std::string_view term;
  std::uint32_t number;  // its wdf, or its number

  bool operator<(const SortedTerm& other) const {
    return head != other.head ? head < other.head : term < other.term;
  }
};

// Xapian tries no shorter ones.
constexpr std::size_t kDeflateFrom = 18;
constexpr std::uint32_t kManyOccurrences = 127;

std::size_t shared_bytes(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

/// A list of terms as the table of lists has it: see glass_terms.h.
void pack_terms(const std::vector<SortedTerm>& terms, std::uint32_t length, std::string& out) {
  out.clear();
  pack_number(out, length);
  pack_number(out, terms.size());
  std::string_view before;
  for (const SortedTerm& t : terms) {
    const std::size_t shared = shared_bytes(before, t.term), rest = t.term.size() - shared;
    // The number may have room in the byte of what is shared.
    std::size_t both = 0;
    if (!before.empty() && t.number < kManyOccurrences)
      both = (t.number + 1) * (before.size() + 1) + shared;
    const bool fits = both > 0 && both < 256;
    if (!before.empty()) out.push_back(static_cast<char>(fits ? both : shared));
    out.push_back(static_cast<char>(rest));
    out += t.term.substr(shared);
    if (!fits) pack_number(out, t.number);
    before = t.term;
  }
}

struct Occurrence {
  std::uint32_t term, document, wdf;
};

}  // namespace

struct BatchWriter::Impl {
  std::string path;
  RecordCodec codec;
  SpoolWriter documents, values;
  std::uint32_t count = 0;
  Interner terms;
  std::vector<Occurrence> occurrences;
  Deflater deflater;
  std::vector<SortedTerm> sorted;  // of the document at hand
  std::string list, packed;

  Impl(std::string where, RecordCodec with)
      : path(std::move(where)),
        codec(std::move(with)),
        documents(path + kBatchDocuments),
        values(path + kBatchValues) {}

  void add(const IndexEntry& entry) {
    ++count;
    const std::string id = make_term(Field::Path, entry.record.path),
                      pair = make_term(Field::Pair, entry.group_key);
    sorted.clear();
    sorted.push_back({head_of(id), id, 0});
    sorted.push_back({head_of(pair), pair, 0});
    for (const Posting& p : entry.postings) sorted.push_back({head_of(p.term), p.term, p.wdf});
    std::sort(sorted.begin(), sorted.end());
    std::uint32_t length = 0, most = 0;
    for (const SortedTerm& t : sorted) {
      length += t.number;
      most = std::max(most, t.number);
      occurrences.push_back({terms.intern(t.term).first, count, t.number});
    }
    pack_terms(sorted, length, list);
    documents.string(codec.encode(entry.record));
    const bool is_deflated = list.size() > kDeflateFrom && deflater.deflate(list, packed);
    documents.number(is_deflated ? 1 : 0);
    documents.string(is_deflated ? packed : list);
    values.number(length);
    values.number(most);
    values.string(entry.record.path);
    values.string(encode_stat(entry.stamp));
  }

  /// The occurrences by term; those of one stay in order of their documents.
  std::vector<std::uint32_t> begins_of_terms(std::vector<Occurrence>& by_term) const {
    std::vector<std::uint32_t> begins(terms.size() + 1, 0);
    for (const Occurrence& o : occurrences) ++begins[o.term + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    by_term.resize(occurrences.size());
    std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
    for (const Occurrence& o : occurrences) by_term[next[o.term]++] = o;
    return begins;
  }

  void write_postings() {
    std::vector<Occurrence> by_term;
    const std::vector<std::uint32_t> begins = begins_of_terms(by_term);
    occurrences = {};
    std::vector<SortedTerm> order;
    for (std::uint32_t i = 0; i < terms.size(); ++i)
      order.push_back({head_of(terms.text(i)), terms.text(i), i});
    std::sort(order.begin(), order.end());
    RunWriter out(path + kBatchPostings);
    for (const SortedTerm& t : order) {
      const std::size_t first = begins[t.number];
      const std::span<const Occurrence> of_term(&by_term[first], begins[t.number + 1] - first);
      list.clear();
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < of_term.size(); ++i) {
        if (i > 0) pack_number(list, of_term[i].document - of_term[i - 1].document - 1);
        pack_number(list, of_term[i].wdf);
        sum += of_term[i].wdf;
      }
      out.add(
          {t.term, of_term.size(), sum, of_term.front().document, of_term.back().document, list});
    }
    out.finish();
  }
};

BatchWriter::BatchWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BatchWriter::BatchWriter(BatchWriter&&) noexcept = default;
BatchWriter& BatchWriter::operator=(BatchWriter&&) noexcept = default;
BatchWriter::~BatchWriter() = default;

Result<BatchWriter> BatchWriter::create(const std::string& path, RecordCodec codec) {
  return guard(about_index("create", path), [&] {
    if (::mkdir(path.c_str(), 0777) != 0)
      throw Xapian::DatabaseError("cannot create a directory", errno);
    auto impl = std::make_unique<Impl>(path, std::move(codec));
    return BatchWriter(std::move(impl));
  });
}

Result<void> BatchWriter::add(const IndexEntry& entry) {
  return guard(about_index("write", impl_->path), [&] { impl_->add(entry); });
}

Result<void> BatchWriter::set_info(const IndexInfo& info) {
  return guard(about_index("write", impl_->path), [&] {
    SpoolWriter out(impl_->path + kBatchMetadata);
    const auto set = [&](Meta meta, const std::string& value) {
      out.string(key_of(meta));
      out.string(value);
    };
    for_each_fact(info, set);
    set(Meta::Dictionary, impl_->codec.dictionary());
    out.finish();
  });
}

Result<void> BatchWriter::finish() {
  return guard(about_index("write", impl_->path), [&] {
    impl_->documents.finish();
    impl_->values.finish();
    impl_->write_postings();
  });
}

}  // namespace kw
