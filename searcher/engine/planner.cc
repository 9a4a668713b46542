// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/planner.h"

#include <fmt/format.h>

#include <algorithm>

#include "schema/text/splitter.h"
#include "searcher/engine/name_plan.h"
#include "searcher/engine/path_plan.h"
#include "searcher/engine/sentence_plan.h"
#include "searcher/engine/subword_plan.h"
#include "searcher/engine/suggest.h"

namespace kw::search {
namespace {

std::vector<QueryNode> filters_of(const QueryNode& root) {
  std::vector<QueryNode> filters;
  for (const QueryNode& child : root.children)
    if (child.is_filter()) filters.push_back(child);
  return filters;
}

/// Words at the top that could be given up one by one.
std::size_t count_words(const QueryNode& root) {
  return static_cast<std::size_t>(
      std::count_if(root.children.begin(), root.children.end(),
                    [](const QueryNode& c) { return !c.is_filter_only(); }));
}

std::string folded_blanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (!blank)
      out.push_back(c);
    else if (!out.empty() && out.back() != ' ')
      out.push_back(' ');
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace

std::vector<Reading> Planner::readings(const ParsedQuery& query, const SearchOptions& options) {
  if (query.plain.empty() || options.case_sensitive) return {};
  return readings_of(query.plain, options.read_as);
}

Planner::Planner(Session& session, const ParsedQuery& query, const SearchOptions& options)
    : query_(query),
      readings_(readings(query, options)),
      terms_(
          session.terms(), [&session]() -> const Vocabulary& { return session.vocabulary(); },
          options.case_sensitive),
      context_{session, options, terms_, filters_of(query.root)} {}
Planner::~Planner() = default;

std::vector<PlanStep> Planner::steps() {
  if (readings_.empty()) add_syntax();
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    add(readings_[i]);
    // What mentions a path follows the file itself, unless a qualified name looks for that text.
    const bool is_place =
        readings_[i].kind == ReadingKind::Path && !readings_[i].places[0].is_certain;
    const bool is_last = i + 1 == readings_.size() || readings_[i + 1].kind == ReadingKind::Words;
    if (is_place && is_last) add_text(query_.plain, ReadingKind::Path, false);
  }
  return std::move(steps_);
}

/// A tree of the query language. `empty?` is a pattern, but also a name that ends so, and a word
/// with a question mark behind it.
void Planner::add_syntax() {
  const QueryNode* asked = nullptr;
  for (const QueryNode& child : query_.root.children)
    if (!child.is_filter()) asked = asked ? nullptr : &child;
  const bool is_one = count_words(query_.root) == 1 && asked && !asked->field &&
                      asked->kind == QueryNode::Kind::Pattern && asked->text.size() > 1 &&
                      asked->text.find_first_of("*?") == asked->text.size() - 1 &&
                      asked->text.ends_with('?') && !context_.options.case_sensitive;
  if (is_one)
    steps_.push_back({false, [this, asked] { return other_definitions(context_, asked->text); }});
  add_tree(query_.root, ReadingKind::Text, false, true);
  if (is_one)
    steps_.push_back({true, [this, asked] {
                        const std::string word = asked->text.substr(0, asked->text.size() - 1);
                        return make_words_plan(context_, word, false);
                      }});
}

void Planner::add(const Reading& reading) {
  const bool is_first = steps_.empty();
  switch (reading.kind) {
    case ReadingKind::Name:
      return add_name(reading);
    case ReadingKind::QualifiedName:
      return add_qualified(reading);
    case ReadingKind::Path:
    case ReadingKind::Traceback:
      return add_places(reading);
    case ReadingKind::Message:  // or the words of a name, a number among them
      steps_.push_back(
          {false, [this, &reading] { return make_compound_plan(context_, reading.text); }});
      steps_.push_back(
          {false, [this, &reading] { return make_message_plan(context_, reading.text); }});
      return;
    case ReadingKind::Text:
      return add_text(reading.text, ReadingKind::Text, false);
    case ReadingKind::Compound:
    case ReadingKind::Words:
      // Behind another reading words are what is left where it found nothing.
      steps_.push_back({!is_first, [this, &reading] {
                          return make_subwords_plan(context_, reading.text, true);
                        }});
      steps_.push_back(
          {true, [this, &reading] { return make_words_plan(context_, reading.text, false); }});
      steps_.push_back(
          {true, [this, &reading] { return make_subwords_plan(context_, reading.text, false); }});
      steps_.push_back(
          {true, [this, &reading] { return make_words_plan(context_, reading.text, true); }});
      return;
  }
}

/// A tree of the query language: all of its words, then, where no file has all, any.
void Planner::add_tree(const QueryNode& root, ReadingKind kind, bool only_if_nothing,
                       bool with_any) {
  compilers_.push_back(std::make_unique<QueryCompiler>(
      root, context_.session.terms(),
      [&session = context_.session]() -> const Vocabulary& { return session.vocabulary(); },
      CompileOptions{context_.options.case_sensitive, context_.options.demote_copies}));
  for (const bool any : {false, true}) {
    if (any && (!with_any || count_words(root) < 2)) break;
    steps_.push_back({only_if_nothing || any, [&root, kind, any, c = compilers_.back().get()] {
                        Plan plan;
                        plan.kind = kind;
                        plan.root = std::make_unique<QueryNode>(root);
                        plan.match_any = plan.is_relaxed = any;
                        plan.compiled = c->compile(any);
                        return plan;
                      }});
  }
}

void Planner::add_name(const Reading& reading) {
  // The word of a call or a decorator; else the query as it stands.
  const bool is_whole = !reading.name && context_.options.read_as != ReadAs::Name;
  if (is_whole)
    add_tree(query_.root, ReadingKind::Name, false, false);
  else {
    std::vector<QueryNode> leaves;
    Tokenizer tokenizer(reading.text);
    for (Token token; tokenizer.next_word(token);)
      leaves.push_back(leaf_of(QueryNode::Kind::Word, token.text));
    if (leaves.empty()) leaves.push_back(leaf_of(QueryNode::Kind::Literal, reading.text));
    trees_.push_back(context_.tree(std::move(leaves)));
    add_tree(*trees_.back(), ReadingKind::Name, false, true);
  }
  if (is_whole)
    steps_.push_back(
        {false, [this, &reading] { return make_subword_plan(context_, reading.text); }});
  // Nothing has it: without the signs at its ends, then the next spelling.
  steps_.push_back(
      {true, [this, &reading] { return make_words_plan(context_, reading.text, false); }});
  if (!context_.options.near_names) return;
  steps_.push_back({true, [this, &reading]() -> Plan {
                      Plan plan;
                      const std::string near = near_name(context_.session, reading.text);
                      plan.instead = near;
                      if (near.empty()) return plan;
                      plan.kind = ReadingKind::Name;
                      plan.root = context_.tree({leaf_of(QueryNode::Kind::Word, near)});
                      compilers_.push_back(std::make_unique<QueryCompiler>(
                          *plan.root, context_.session.terms(),
                          [&s = context_.session]() -> const Vocabulary& { return s.vocabulary(); },
                          CompileOptions{false, context_.options.demote_copies}));
                      plan.compiled = compilers_.back()->compile(false);
                      return plan;
                    }});
}

void Planner::add_qualified(const Reading& reading) {
  const QualifiedName& name = *reading.name;
  steps_.push_back({false, [this, &name] { return scoped_definitions(context_, name); }});
  add_text(name.text, ReadingKind::QualifiedName, false);
  steps_.push_back({false, [this, &name] { return other_definitions(context_, name.name); }});
  // Nothing is called so (Orchard.constructor, a method that a macro made): what it belongs to.
  if (!name.scope.empty())
    steps_.push_back(
        {true, [this, &name] { return other_definitions(context_, name.scope.back()); }});
}

void Planner::add_places(const Reading& reading) {
  for (const PathReference& place : reading.places)
    steps_.push_back(
        {false, [this, &place, kind = reading.kind] { return files_at(context_, place, kind); }});
}

/// Files that hold a text; where none does, those that hold each of its words.
void Planner::add_text(const std::string& text, ReadingKind kind, bool only_if_nothing) {
  trees_.push_back(context_.tree({leaf_of(QueryNode::Kind::Literal, folded_blanks(text))}));
  const QueryNode& whole = *trees_.back();
  add_tree(whole, kind, only_if_nothing, false);
  if (kind == ReadingKind::Text && count_words(query_.root) > 1)
    add_tree(query_.root, kind, true, true);
}

}  // namespace kw::search
