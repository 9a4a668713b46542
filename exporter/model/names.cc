// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/names.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "exporter/model/code_style.h"
#include "schema/text/source_lexer.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"

namespace kw::exporter {
namespace {

constexpr std::string_view kBlanks = " \t\r>";  // `>`: a fence may stand in a quote

/// The fence that a line opens or closes: its length, and what stands behind it.
struct Fence {
  char mark = 0;
  std::size_t length = 0;
  std::size_t indent = 0;
  std::string_view info;
};

Fence fence_of(std::string_view line) {
  Fence fence;
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos || (line[begin] != '`' && line[begin] != '~')) return fence;
  const std::size_t end = std::min(line.find_first_not_of(line[begin], begin), line.size());
  std::string_view info = line.substr(end);
  info.remove_prefix(std::min(info.find_first_not_of(kBlanks), info.size()));
  while (!info.empty() && kBlanks.find(info.back()) != std::string_view::npos)
    info.remove_suffix(1);
  // Backticks behind backticks: a code span that begins its line.
  if (end - begin < 3 || (line[begin] == '`' && info.find('`') != std::string_view::npos))
    return fence;
  return {line[begin], end - begin, begin, info};
}

/// A fence four columns further to the right than the one that opened the block is a line of it.
bool closes(const Fence& fence, const Fence& open) {
  return fence.mark == open.mark && fence.length >= open.length && fence.info.empty() &&
         fence.indent < open.indent + 4;
}

std::string_view first_word(std::string_view info) {
  while (!info.empty() && (info.front() == '{' || info.front() == '.')) info.remove_prefix(1);
  return info.substr(0, info.find_first_of(" \t,{}"));
}

/// How the words of a stretch of text are taken.
enum class Context {
  Code,    ///< each name counts, and is one of the code
  Span,    ///< each name counts
  Quoted,  ///< what looks like a name counts
};

class NameFinder {
 public:
  NameFinder(const FileRecord& record, const EditedText& rendered, bool about_source)
      : record_(record),
        rendered_(rendered),
        text_(rendered.view()),
        starts_(line_starts(text_)),
        about_source_(about_source) {}

  std::vector<NameUse> run() {
    if (record_.language == "markdown")
      add_page();
    else
      add_code(text_, code_style(record_.language));
    const bool any_code =
        std::any_of(uses_.begin(), uses_.end(), [](const NameUse& use) { return use.in_code; });
    if (any_code && about_source_)
      std::erase_if(uses_, [](const NameUse& use) { return !use.in_code; });
    return std::move(uses_);
  }

 private:
  static std::uint32_t length_of(const CodeLines::Block& block) {
    return block.last_line + 1 - block.first_line;
  }

  std::size_t offset(std::uint32_t line) const {
    return line - 1 < starts_.size() ? starts_[line - 1] : text_.size();
  }

  void add_page() {
    const CodeLines lines(record_);
    // A page about a source quotes it; its examples of use name things that are not in it.
    const CodeLines::Block* source = nullptr;
    if (about_source_)
      for (const CodeLines::Block& block : lines.blocks())
        if (code_style(block.language) && (!source || length_of(block) > length_of(*source)))
          source = &block;
    const std::vector<std::size_t> stored_starts = line_starts(record_.text);
    std::uint32_t line = 1;
    for (const CodeLines::Block& block : lines.blocks()) {
      for (; line < block.first_line; ++line) add_prose(stored_starts, line);
      code_context_ = !source || source == &block ? Context::Code : Context::Span;
      const std::size_t begin = offset(block.first_line), end = offset(block.last_line + 1);
      add_code(text_.substr(begin, end - begin), code_style(block.language));
      line = block.last_line + 1;
    }
    for (; line <= starts_.size(); ++line) add_prose(stored_starts, line);
  }

  void add_code(std::string_view code, const CodeStyle* style) {
    if (!style) return add_words(code, Context::Quoted, nullptr);
    import_depth_ = 0;
    for (const CodePiece& piece : code_pieces(code, *style))
      add_words(piece.text, piece.quoted ? Context::Quoted : code_context_, style);
    importing_ = false;
  }

  /// A line of prose: its names are those of the rendered line, its code spans stand between the
  /// backticks of the stored one.
  void add_prose(const std::vector<std::size_t>& stored_starts, std::uint32_t line) {
    const std::string_view shown = line_at(text_, starts_, line);
    const std::vector<ByteRange> spans = code_spans(line_at(record_.text, stored_starts, line));
    if (spans.empty()) return add_words(shown, Context::Quoted, nullptr);
    Tokenizer tokenizer(shown);
    for (Token token; tokenizer.next(token);) {
      const auto at = static_cast<std::size_t>(token.text.data() - text_.data());
      const std::size_t stored = rendered_.in_original(at, at).begin - stored_starts[line - 1];
      const bool in_span = std::any_of(spans.begin(), spans.end(), [&](const ByteRange& span) {
        return span.begin <= stored && stored < span.end;
      });
      add_words(token.text, in_span ? Context::Span : Context::Quoted, nullptr);
    }
  }

  /// What stands between equal runs of backticks; a span that runs over a line is not seen.
  static std::vector<ByteRange> code_spans(std::string_view line) {
    std::vector<ByteRange> spans;
    for (std::size_t at = 0; (at = line.find('`', at)) != std::string_view::npos;) {
      const std::size_t begin = std::min(line.find_first_not_of('`', at), line.size());
      const std::string_view ticks = line.substr(at, begin - at);
      const std::size_t close = line.find(ticks, begin);
      if (close == std::string_view::npos) break;
      spans.push_back({begin, close});
      at = close + ticks.size();
    }
    return spans;
  }

  void add_words(std::string_view text, Context context, const CodeStyle* style) {
    Tokenizer tokenizer(text);
    Token token;
    while (tokenizer.next(token)) {
      if (token.kind != TokenKind::Name) continue;
      move_to(token.text.data());
      if (context == Context::Code) {
        watch_imports(token.text);
        if (is_reserved(*style, token.text)) continue;
      } else if (style && is_reserved(*style, token.text)) {
        continue;
      } else if (context == Context::Quoted && !is_code_like(token.text)) {
        continue;
      }
      add(token.text, context == Context::Code);
    }
  }

  /// Keeps line and section in step; pieces come in the order of the text.
  void move_to(const char* to) {
    const char* at = text_.data() + at_;
    while (const void* newline = std::memchr(at, '\n', static_cast<std::size_t>(to - at))) {
      at = static_cast<const char*>(newline) + 1;
      ++line_;
      end_import(at);
    }
    at_ = static_cast<std::size_t>(to - text_.data());
    const auto& sections = record_.sections;
    while (next_section_ < sections.size() && sections[next_section_].first_line <= line_)
      ++next_section_;
  }

  /// An import ends with its line, unless a bracket is open.
  void end_import(const char* line) {
    if (!importing_) return;
    for (const char* c = import_seen_; c < line; ++c) {
      if (*c == '(' || *c == '{') ++import_depth_;
      if ((*c == ')' || *c == '}') && import_depth_ > 0) --import_depth_;
    }
    import_seen_ = line;
    if (import_depth_ == 0) importing_ = false;
  }

  void watch_imports(std::string_view word) {
    if (importing_ || (word != "import" && word != "from" && word != "use" && word != "using"))
      return;
    const char* const begin = text_.data() + offset(line_);
    const std::string_view before(begin, static_cast<std::size_t>(word.data() - begin));
    if (before.find_first_not_of(" \t") != std::string_view::npos) return;
    importing_ = true;
    import_seen_ = begin;
    import_depth_ = 0;
  }

  void add(std::string_view name, bool in_code) {
    const auto [it, is_new] = ids_.try_emplace(name, uses_.size());
    if (is_new) {
      uses_.push_back({});
      uses_.back().name = name;
      uses_.back().first_line = line_;
    }
    NameUse& use = uses_[it->second];
    if (in_code && !use.in_code) {  // where the code has it first is the better place
      use.in_code = true;
      use.imported = importing_;
      use.first_line = line_;
    }
    ++use.count;
    const std::uint32_t section =
        next_section_ == 0 ? kNoSection : static_cast<std::uint32_t>(next_section_ - 1);
    if (use.sections.empty() || use.sections.back().section != section)
      use.sections.push_back({section, 0});
    ++use.sections.back().count;
  }

  const FileRecord& record_;
  const EditedText& rendered_;
  const std::string_view text_;  ///< rendered
  std::vector<std::size_t> starts_;
  bool about_source_;
  std::unordered_map<std::string_view, std::size_t> ids_;
  std::vector<NameUse> uses_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::size_t next_section_ = 0;
  Context code_context_ = Context::Code;  ///< of the code under way
  bool importing_ = false;
  const char* import_seen_ = nullptr;
  int import_depth_ = 0;
};

}  // namespace

CodeLines::CodeLines(const FileRecord& record) {
  const auto line_count = [&record] {
    return static_cast<std::uint32_t>(line_starts(record.text).size());
  };
  if (record.language != "markdown") {
    if (!record.language.empty()) blocks_.push_back({1, line_count(), record.language});
    return;
  }
  const std::string_view text = record.text;
  Fence open;
  std::uint32_t line = 1, first = 0;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const Fence fence = fence_of(text.substr(at, end - at));
    at = end + 1;
    if (fence.length == 0) continue;
    if (open.length == 0) {
      open = fence;
      first = line + 1;
    } else if (closes(fence, open)) {
      blocks_.push_back({first, line - 1, first_word(open.info)});
      open = {};
    }
  }
  if (open.length > 0) blocks_.push_back({first, line - 1, first_word(open.info)});
}

std::string_view CodeLines::language_at(std::uint32_t line) const {
  const auto after = std::upper_bound(
      blocks_.begin(), blocks_.end(), line,
      [](std::uint32_t value, const Block& block) { return value < block.first_line; });
  if (after != blocks_.begin() && line <= std::prev(after)->last_line)
    return std::prev(after)->language;
  return {};
}

std::vector<NameUse> find_names(const FileRecord& record, const EditedText& rendered,
                                bool about_source) {
  return NameFinder(record, rendered, about_source).run();
}

}  // namespace kw::exporter
