// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/extract.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "indexer/extract/declaration_scanner.h"
#include "indexer/extract/declarations.h"
#include "indexer/extract/definition_class.h"
#include "indexer/extract/markdown.h"
#include "indexer/extract/origin.h"
#include "indexer/extract/source_title.h"
#include "indexer/extract/term_builder.h"
#include "schema/index/group_key.h"
#include "schema/index/manifest.h"
#include "schema/text/front_matter.h"
#include "schema/text/language_table.h"
#include "schema/text/source_lexer.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::indexer {
namespace {

void append_utf8(std::string& out, std::uint32_t code_point) {
  utf8proc_uint8_t buffer[4];
  const auto n = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), buffer);
  out.append(reinterpret_cast<const char*>(buffer), static_cast<std::size_t>(n));
}

constexpr std::uint32_t kReplacement = 0xFFFD;

std::string from_utf16(std::string_view bytes, bool big_endian) {
  const auto unit = [&](std::size_t i) -> std::uint32_t {
    const auto a = static_cast<unsigned char>(bytes[i]),
               b = static_cast<unsigned char>(bytes[i + 1]);
    return big_endian ? a << 8 | b : b << 8 | a;
  };
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    std::uint32_t c = unit(i);
    if (c >= 0xD800 && c < 0xDC00 && i + 3 < bytes.size()) {
      const std::uint32_t low = unit(i + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        i += 2;
      }
    }
    append_utf8(out, c >= 0xD800 && c < 0xE000 ? kReplacement : c);  // half a pair
  }
  return out;
}

/// Sequences that are UTF-8 stay; each other byte is taken as Latin-1. A Latin-1 file comes out
/// right, and a UTF-8 file with one bad byte keeps the rest.
std::string from_mixed(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 8);
  for (std::size_t i = 0; i < bytes.size();) {
    utf8proc_int32_t c;
    const auto n = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()) + i,
                                    static_cast<utf8proc_ssize_t>(bytes.size() - i), &c);
    if (n > 0)
      out += bytes.substr(i, static_cast<std::size_t>(n));
    else
      append_utf8(out, static_cast<unsigned char>(bytes[i]));
    i += n > 0 ? static_cast<std::size_t>(n) : 1;
  }
  return out;
}

constexpr std::string_view kObjectiveCpp = "mm";  // as ctags knows it, by the extension

/// C, C++ and their dialects: a page's fence may call one by the name of another.
bool is_c_family(std::string_view language) {
  return language == "c" || language == "c++" || language == "cuda" || language == "objective-c";
}

}  // namespace

std::optional<std::string> decode_text(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE")) return from_utf16(bytes.substr(2), false);
  if (bytes.starts_with("\xFE\xFF")) return from_utf16(bytes.substr(2), true);
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  if (std::memchr(bytes.data(), 0, bytes.size())) return std::nullopt;
  return is_utf8(bytes) ? std::string(bytes) : from_mixed(bytes);
}

struct Extractor::Impl {
  const IndexOptions& options;
  SymbolExtractor* symbols;
  TermBuilder terms;
  std::uint64_t lost = 0;
  std::uint64_t truncated = 0;
  bool is_truncated = false;  ///< of the file at hand

  void take_definitions(std::string_view text, const Language& language, std::uint32_t first_line,
                        FileRecord& record) {
    if (!symbols || text.empty()) return;
    if (text.size() > kMaxSymbolBytes) {
      is_truncated |= has_definitions(language);
      return;
    }
    auto found = find_definitions(text, language);
    if (!found) {
      ++lost;
      return;
    }
    for (Definition& d : *found) {
      d.line += first_line - 1;
      record.definitions.push_back(std::move(d));
    }
  }

  Result<std::vector<Definition>> find_definitions(std::string_view text,
                                                   const Language& language) {
    if (auto scanned = scan_declarations(text, language)) {
      is_truncated |= scanned->size() >= kMaxDeclarations;
      return *std::move(scanned);
    }
    if (language.ctags_extension.empty()) return std::vector<Definition>();
    if (language.ctags_extension == kObjectiveCpp) return in_both_languages(text);
    // ctags takes the lines of a here-document for code.
    if ((language.lexis.features & kHereDocs) != 0)
      return symbols->definitions(mask_here_documents(text, language.lexis),
                                  language.ctags_extension);
    return symbols->definitions(text, language.ctags_extension);
  }

  /// Of Objective-C++, of which ctags knows each half: its C++ takes variables in methods for those
  /// of the file, which begin their line.
  Result<std::vector<Definition>> in_both_languages(std::string_view text) const {
    auto found = KW_TRY(symbols->definitions(text, kObjectiveCpp));
    auto in_cpp = KW_TRY(symbols->definitions(text, "cc"));
    const std::vector<std::size_t> starts = line_starts(text);
    std::set<std::pair<std::uint32_t, std::string>> known;
    for (Definition& d : found) {
      known.emplace(d.line, d.name);
      if (d.kind == "class") d.kind = "method";  // so ctags calls those of classes, `+ (id)new`
    }
    for (Definition& d : in_cpp) {
      const std::string_view line = line_at(text, starts, d.line);
      const bool is_local = d.kind == "variable" &&
                            (line.empty() || is_blank(line[0]) || line[0] == '+' || line[0] == '-');
      if (!is_local && known.emplace(d.line, d.name).second) found.push_back(std::move(d));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Definition& a, const Definition& b) { return a.line < b.line; });
    return found;
  }

  void add_code(std::string_view text, const std::vector<ByteRange>& comments) {
    std::size_t at = 0;
    for (const ByteRange& comment : comments) {
      terms.add_text(text.substr(at, comment.begin - at), Context::Code);
      terms.add_text(text.substr(comment.begin, comment.end - comment.begin), Context::Prose);
      at = comment.end;
    }
    terms.add_text(text.substr(at), Context::Code);
  }

  /// Bytes [begin, end) of a rendered page, with the code spans in it. `spans` are in order; those
  /// that were passed are taken off.
  void add_prose(std::string_view page, std::size_t begin, std::size_t end,
                 std::span<const ByteRange>& spans) {
    while (!spans.empty() && spans.front().begin < end) {
      const ByteRange span = spans.front();
      terms.add_text(page.substr(begin, span.begin - begin), Context::Prose);
      terms.add_text(page.substr(span.begin, span.end - span.begin), Context::Code);
      begin = span.end;
      spans = spans.subspan(1);
    }
    terms.add_text(page.substr(begin, end - begin), Context::Prose);
  }

  /// What the stored lines of a page hold and the rendered ones do not.
  void add_unseen(const FileRecord& record, const std::vector<std::size_t>& starts) {
    const std::string_view text = record.text;
    std::size_t done = 0;  // up to here
    for (const TextEdit& edit : record.rendering) {
      const std::size_t last = std::max<std::size_t>(edit.offset + edit.removed, 1) - 1;
      if (last < done) continue;
      const auto line = std::prev(std::upper_bound(starts.begin(), starts.end(), edit.offset));
      const std::size_t begin = std::max(*line, done);
      done = std::min(text.find('\n', last), text.size());
      terms.add_unseen(text.substr(begin, done - begin));
    }
  }

  const Language& language_of_code(const CodeBlock& block, std::string_view page_path) {
    static const Language kPlainCode{"", FileKind::Source, "", {}};
    const Language* const fence = language_of_fence(block.info);
    if (!fence) return kPlainCode;
    const Language& subject =
        language_of_path(without_doc_suffixes(page_path, options.doc_suffixes));
    return is_c_family(fence->name) && is_c_family(subject.name) ? subject : *fence;
  }

  void add_source(FileRecord& record, const Language& language) {
    const std::vector<ByteRange> comments = find_comments(record.text, language.lexis);
    add_code(record.text, comments);
    if (language.kind == FileKind::Source)
      record.title = source_title(record.text, comments, file_name_of(record.path));
    take_definitions(record.text, language, 1, record);
  }

  /// The start of the source that a page quotes first, or of the text itself, for marks in it.
  std::string_view subject_text = {};

  void add_markdown(FileRecord& record) {
    MarkdownPage page = parse_markdown(record.text);
    is_truncated |= page.is_truncated;
    record.title = std::move(page.metadata.title);
    record.description = std::move(page.metadata.description);
    record.sections = std::move(page.sections);
    record.rendering = std::move(page.rendering.edits);
    for (const CodeBlock& block : page.code) record.code.push_back(block.with_fences);
    if (rendering_bytes(record) > kMaxHeadBytes) {
      is_truncated = true;
      record.rendering.clear();
      page.rendering.code_spans.clear();
    }
    if (record.title.empty() && !record.sections.empty())
      record.title = record.sections.front().title;
    for (const Section& s : record.sections) terms.add_words(Field::Section, s.title);
    terms.add_words(Field::Description, record.description);
    for (const std::string& keyword : page.metadata.keywords)
      terms.add_words(Field::Description, keyword);

    const EditedText rendered = rendered_text(record);
    const std::string_view text = rendered.view();
    const std::vector<std::size_t> starts = line_starts(text);
    const auto offset = [&](std::uint32_t line) {
      return line - 1 < starts.size() ? starts[line - 1] : text.size();
    };
    const FrontMatter front = front_matter_of(record.text);
    terms.add_text(text.substr(0, front.bytes), Context::Hidden);
    std::span<const ByteRange> spans = page.rendering.code_spans;
    std::size_t at = front.bytes;
    for (const CodeBlock& block : page.code) {
      const Language& language = language_of_code(block, record.path);
      if (!language.name.empty()) terms.add_filter(Field::Language, language.name);
      if (block.last_line < block.first_line) continue;
      const std::size_t begin = std::max(at, offset(block.first_line)),
                        end = std::max(begin, offset(block.last_line + 1));
      add_prose(text, at, begin, spans);
      // The raw lines, not the block's content: what is stored is what is found.
      const std::string_view code = text.substr(begin, end - begin);
      if (at == front.bytes)  // it is stored as it is seen
        subject_text = std::string_view(record.text)
                           .substr(rendered.in_original(begin, begin).begin, code.size());
      if (language.kind == FileKind::Prose || language.kind == FileKind::Markdown)
        terms.add_text(code, Context::Prose);
      else
        add_code(code, find_comments(code, language.lexis));
      take_definitions(block.content, language, block.first_line, record);
      at = end;
    }
    add_prose(text, at, text.size(), spans);
    add_unseen(record, line_starts(record.text));
  }
};

Extractor::Extractor(const IndexOptions& options, SymbolExtractor* symbols)
    : impl_(new Impl{options, symbols, {}}) {}
Extractor::~Extractor() = default;

std::uint64_t Extractor::symbols_lost() const { return impl_->lost; }
std::uint64_t Extractor::truncated() const { return impl_->truncated; }

Extracted Extractor::extract(const std::string& path, std::string_view bytes) {
  if (path.ends_with("_kw.md") && bytes.starts_with(kGeneratedMark)) return SkipReason::Generated;
  std::optional<std::string> text = decode_text(bytes);
  if (!text) return SkipReason::Binary;
  if (text->size() > kMaxTextBytes) return SkipReason::TooLarge;

  IndexEntry entry;
  FileRecord& record = entry.record;
  record.path = path;
  record.size = bytes.size();
  record.hash = hash_content(bytes);
  record.text = *std::move(text);
  complete(entry);
  return entry;
}

IndexEntry Extractor::derive(FileRecord kept) {
  IndexEntry entry;
  entry.record = std::move(kept);
  entry.record.title.clear();
  entry.record.description.clear();
  entry.record.sections.clear();
  entry.record.rendering.clear();
  entry.record.code.clear();
  complete(entry);
  return entry;
}

/// What follows from path, size, hash and text, and from definitions that are there already.
void Extractor::complete(IndexEntry& entry) {
  FileRecord& record = entry.record;
  const std::string& path = record.path;
  const Language& language = language_of_file(path, record.text);
  record.language = language.name;

  TermBuilder& terms = impl_->terms;
  impl_->subject_text = record.text;
  impl_->is_truncated = false;
  switch (language.kind) {
    case FileKind::Markdown:
      impl_->add_markdown(record);
      break;
    case FileKind::Source:
    case FileKind::Data:
      impl_->add_source(record, language);
      break;
    case FileKind::Prose:
      terms.add_text(record.text, Context::Prose);
      break;
  }
  std::stable_sort(record.definitions.begin(), record.definitions.end(),
                   [](const Definition& a, const Definition& b) { return a.line < b.line; });
  if (head_bytes(record) > kMaxHeadBytes) {  // made by a program, or to harm
    impl_->is_truncated = true;
    record.definitions.clear();
    if (head_bytes(record) > kMaxHeadBytes) record.sections.clear();
  }
  impl_->truncated += impl_->is_truncated;
  const std::string_view subject = without_doc_suffixes(path, impl_->options.doc_suffixes);
  const std::vector<DefinitionClass> ranks = rank_definitions(record, subject);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    terms.add_definition(record.definitions[i].name, ranks[i]);

  terms.add_words(Field::Title, record.title);
  terms.add_path(path);
  for (std::string_view folder = folder_of(path); !folder.empty(); folder = folder_of(folder))
    terms.add_filter(Field::Folder, folder);
  if (const std::string extension = extension_of(path); !extension.empty())
    terms.add_filter(Field::Extension, extension);
  if (!language.name.empty()) terms.add_filter(Field::Language, language.name);
  terms.add_filter(Field::Origin, origin_of(subject, impl_->subject_text));

  entry.group_key = group_key(path, impl_->options.doc_suffixes, impl_->options.doc_root);
  entry.postings = terms.take();
}

}  // namespace kw::indexer
