// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/path_plan.h"

#include <algorithm>
#include <array>

#include "schema/index/terms.h"
#include "schema/text/splitter.h"
#include "schema/text/text.h"
#include "searcher/engine/path_match.h"

namespace kw::search {
namespace {

// Only paths are compared, which the first stage brings with it.
constexpr std::size_t kPathPool = 1000;

/// A page about a folder: its code stands before it.
bool is_manual(std::string_view path) { return fold(file_name_of(path)).starts_with("readme"); }

/// Orders by the names that agree; those in the same case first, then those nearest to the root.
class PathStage : public SecondStage {
 public:
  explicit PathStage(PathReference place) : place_(std::move(place)) {}

  Needs needs(const Candidate&) const override { return Needs::Path; }

  Judgement judge(const Candidate& candidate, const FileRecord&) const override {
    const Judgement a = judge_path(candidate.key), b = judge_path(candidate.path);
    if (a.is_result != b.is_result) return a.is_result ? a : b;
    return a.score >= b.score ? a : b;
  }

  std::vector<std::uint32_t> named_lines(const FileRecord& record,
                                         std::string_view key) const override {
    if (place_.line == 0) return {};
    const std::uint32_t line = stored_line(record, record.path != key, place_.line);
    std::vector<std::uint32_t> lines{line};
    if (const std::uint32_t around = enclosing_line(record, line); around && around != line)
      lines.push_back(around);
    return lines;
  }

 private:
  Judgement judge_path(std::string_view path) const {
    const PathAgreement found = agreement(place_.parts, path);
    const bool whole = found.parts == place_.parts.size();
    // One name alone says little of a path that has several, unless it is all of the file's.
    const bool enough =
        found.parts > 0 && (whole || (place_.is_certain && (found.parts > 1 || found.whole_path)));
    const auto depth = static_cast<double>(std::min<std::size_t>(path_parts(path).size(), 99));
    // Whole numbers order what agrees; the rest breaks ties.
    return {static_cast<double>(found.parts) * 8 + (found.exact ? 4 : 0) +
                (found.whole_path ? 2 : 0) + (found.main_file ? 0 : 1) - depth / 1000 +
                (is_manual(path) ? 0 : 0.5),
            enough};
  }

  const PathReference place_;
};

/// Words of a file name as the index cuts it, all in the path.
Xapian::Query path_words(std::string_view name) {
  Queries each;
  Tokenizer tokenizer(name);
  for (Token token; tokenizer.next_word(token);)
    each.emplace_back(make_term(Field::PathWord, fold(token.text)));
  return all_of(each);
}

std::string joined_from(const std::vector<std::string>& parts, std::size_t first) {
  std::string path;
  for (std::size_t i = first; i < parts.size(); ++i) path += (i > first ? "/" : "") + parts[i];
  return path;
}

/// The lines of the longest fenced block: its fence and the line behind its last.
std::pair<std::uint32_t, std::uint32_t> longest_block(std::string_view text) {
  const std::vector<std::size_t> starts = line_starts(text);
  std::pair<std::uint32_t, std::uint32_t> longest{0, 0};
  std::string fence;
  std::uint32_t begin = 0;
  for (std::uint32_t n = 1; n <= starts.size(); ++n) {
    const std::string_view line = line_at(text, starts, n);
    if (!line.starts_with("```") && !line.starts_with("~~~")) continue;
    const std::size_t length = std::min(line.find_first_not_of(line[0]), line.size());
    if (fence.empty()) {
      fence = line.substr(0, length);
      begin = n;
    } else if (line.starts_with(fence) && line.find_first_not_of(" \t\r", length) == line.npos) {
      if (n - begin > longest.second - longest.first) longest = {begin, n};
      fence.clear();
    }
  }
  return longest;
}

}  // namespace

Plan files_at(const PlanContext& context, const PathReference& place, ReadingKind kind) {
  Plan plan;
  plan.kind = kind;
  plan.root = context.tree({leaf_of(QueryNode::Kind::Literal, place.parts.back())});
  plan.pool = kPathPool;
  plan.keeps_rest = false;
  plan.only_best = place.is_certain;
  plan.second = std::make_unique<PathStage>(place);
  const std::vector<std::string>& parts = place.parts;
  Queries found;
  // The file of exactly this path, or of an end of it.
  const std::size_t longest = parts.size() > 16 ? parts.size() - 16 : 0;
  for (std::size_t i = longest; i < parts.size(); ++i)
    for (const Field field : {Field::Pair, Field::Path})
      found.push_back(constant_weight(static_cast<double>(100 * (parts.size() - i)),
                                      Xapian::Query(make_term(field, joined_from(parts, i)))));
  if (const Xapian::Query name = path_words(parts.back()); !name.empty())
    found.push_back(constant_weight(2, name));
  // Each folder that agrees brings a file nearer to the pool's head.
  Queries folders;
  for (std::size_t i = longest; i + 1 < parts.size(); ++i)
    if (const Xapian::Query words = path_words(parts[i]); !words.empty())
      folders.push_back(constant_weight(1, words));
  Xapian::Query query = any_of(found);
  if (!folders.empty()) query = Xapian::Query(Xapian::Query::OP_AND_MAYBE, query, any_of(folders));
  plan.compiled.query = context.with_origins(context.filtered(query), 0.1);
  return plan;
}

std::uint32_t stored_line(const FileRecord& record, bool is_page, std::uint32_t line) {
  if (!is_page) return line;
  const auto [begin, end] = longest_block(record.text);
  return begin + line < end ? begin + line : line;
}

std::uint32_t enclosing_line(const FileRecord& record, std::uint32_t line) {
  static constexpr std::array<std::string_view, 10> kKinds{
      "function", "method",      "member",     "class",     "struct",
      "func",     "constructor", "subroutine", "interface", "trait"};
  const std::vector<std::size_t> starts = line_starts(record.text);
  std::uint32_t found = 0;
  for (const Definition& d : record.definitions) {
    if (d.line > line) continue;
    if (std::find(kKinds.begin(), kKinds.end(), d.kind) == kKinds.end()) continue;
    // Members are methods in some languages and fields in others.
    if (d.kind == "member" &&
        line_at(record.text, starts, d.line).find('(') == std::string_view::npos)
      continue;
    found = std::max(found, d.line);
  }
  return found;
}

}  // namespace kw::search
