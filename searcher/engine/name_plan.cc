// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/name_plan.h"

#include <algorithm>

#include "schema/index/terms.h"
#include "schema/text/splitter.h"
#include "searcher/engine/path_match.h"
#include "searcher/engine/word_expansion.h"

namespace kw::search {
namespace {

// Definitions of the last part in files that have some part before it, at most: what can be read
// in a few milliseconds.
constexpr std::size_t kNamePool = 100;

/// The grades of scope_agreement, each above all below it.
enum Grade : int { kNearest = 100, kInOrder = 200, kEnds = 300, kExact = 400, kWhole = 20 };

/// The name with its sign, where something is called so.
std::string name_in_index(const PlanContext& context, const QualifiedName& name) {
  if (name.sign.empty()) return name.name;
  const TermExpansion defined = context.terms.definitions_of(name.name + name.sign);
  const bool is_known = !defined.at(Tier::Definition).empty() || !defined.at(Tier::Ident).empty();
  return is_known ? name.name + name.sign : name.name;
}

bool same_name(std::string_view asked, std::string_view name) {
  return asked == name || has_name_key(name, name_key(asked));
}

class ScopeStage : public SecondStage {
 public:
  explicit ScopeStage(QualifiedName name)
      : name_(std::move(name)),
        key_(name_key(name_.name)),
        signed_key_(name_key(name_.name + name_.sign)) {}

  Needs needs(const Candidate&) const override { return Needs::Head; }

  Judgement judge(const Candidate& candidate, const FileRecord& record) const override {
    const auto [worth, definition] = best(record, candidate.key);
    return {worth, definition != nullptr};
  }

  std::vector<std::uint32_t> named_lines(const FileRecord& record,
                                         std::string_view key) const override {
    const auto [worth, definition] = best(record, key);
    if (!definition) return {};
    return {definition->line};
  }

 private:
  std::pair<double, const Definition*> best(const FileRecord& record, std::string_view key) const {
    std::pair<double, const Definition*> found{0, nullptr};
    const std::vector<std::string> module = module_of(key);
    for (const Definition& d : record.definitions) {
      if (!has_name_key(d.name, key_) && !has_name_key(d.name, signed_key_)) continue;
      std::vector<std::string> chain = module;
      const std::vector<std::string> scope = scope_parts(d.scope);
      chain.insert(chain.end(), scope.begin(), scope.end());
      const int grade = scope_agreement(name_.scope, chain, scope.size());
      if (grade == 0) continue;
      const double worth = grade + (d.name == name_.name ? 10 : 0) + kind_worth(d.kind);
      if (worth > found.first) found = {worth, &d};
    }
    return found;
  }

  const QualifiedName name_;
  const std::string key_, signed_key_;
};

}  // namespace

int kind_worth(std::string_view kind) {
  if (kind == "class" || kind == "struct" || kind == "interface" || kind == "trait") return 3;
  if (kind == "function" || kind == "method" || kind == "func" || kind == "macro") return 2;
  return kind == "prototype" || kind == "namespace" || kind == "variable" ? 0 : 1;
}

std::vector<std::string> scope_parts(std::string_view scope) {
  std::vector<std::string> parts;
  while (!scope.empty()) {
    const std::size_t end = std::min(scope.find_first_of(":.#/\\"), scope.size());
    std::string_view part = scope.substr(0, end);
    part = part.substr(0, part.find('<'));  // template arguments
    if (!part.empty() && part.find("__anon") != 0) parts.emplace_back(part);
    scope.remove_prefix(std::min(end + 1, scope.size()));
  }
  return parts;
}

int scope_agreement(const std::vector<std::string>& parts, const std::vector<std::string>& chain,
                    std::size_t scope) {
  if (parts.empty() || chain.empty()) return 0;
  // How many parts agree in a row, from the nearest, beginning `skip` names from the chain's end.
  const auto run = [&](std::size_t skip) {
    std::size_t n = 0;
    while (n < parts.size() && skip + n < chain.size() &&
           same_name(parts[parts.size() - 1 - n], chain[chain.size() - 1 - skip - n]))
      ++n;
    return n;
  };
  const std::size_t at_end = run(0);
  const int depth = static_cast<int>(std::min<std::size_t>(at_end, 50));
  // What agrees with all of a definition's module and scope means no other.
  if (at_end == chain.size()) return kExact + kWhole + depth;
  if (at_end == parts.size()) return (at_end >= scope ? kExact : kEnds) + depth;
  // A re-export (torch.nn.Linear in torch/nn/modules/linear.py): the parts in order, with others
  // between them. The outermost may be missing: a package has another name where it is installed.
  std::size_t found = 0, at = chain.size();
  bool nearest = false;
  for (std::size_t i = parts.size(); i > 0; --i) {
    std::size_t k = at;
    while (k > 0 && !same_name(parts[i - 1], chain[k - 1])) --k;
    if (k == 0) continue;
    nearest |= i == parts.size();
    ++found;
    at = k - 1;
  }
  if (found == 0) return 0;
  const int count = static_cast<int>(std::min<std::size_t>(found, 50));
  if (found == parts.size()) return kInOrder + count + depth;
  if (at_end > 0) return kInOrder + count + depth - 1;
  return nearest ? kNearest + count : 0;
}

Plan scoped_definitions(const PlanContext& context, const QualifiedName& name) {
  Plan plan;
  plan.kind = ReadingKind::QualifiedName;
  const std::string own = name_in_index(context, name);
  plan.root = context.tree({leaf_of(QueryNode::Kind::Word, own)});
  plan.second = std::make_unique<ScopeStage>(name);
  plan.pool = kNamePool;
  plan.keeps_rest = false;
  const TermExpansion defined = context.terms.definitions_of(own);
  Queries definitions = defined.at(Tier::Definition);
  const Queries& minor = defined.at(Tier::Ident);
  definitions.insert(definitions.end(), minor.begin(), minor.end());
  if (definitions.empty() || name.scope.empty()) return plan;
  Queries parts;
  double weight = 1;
  prepare_fields(context.terms.lookup(), name.scope);
  for (const std::string& part : name.scope) {
    const WordFields fields = fields_of(context.terms.lookup(), part);
    // A file that defines the part is the likeliest, then one whose path has it.
    const TermExpansion definers = context.terms.definitions_of(part);
    Queries defining = definers.at(Tier::Definition);
    const Queries& opening = definers.at(Tier::Ident);
    defining.insert(defining.end(), opening.begin(), opening.end());
    const std::pair<Xapian::Query, double> places[] = {
        {any_of(defining), 4}, {fields.path, 2}, {fields.name, 1}};
    for (const auto& [where, worth] : places)
      if (!where.empty()) parts.push_back(constant_weight(weight * worth, where));
    weight *= 2;  // the nearer to the name, the more it says
  }
  if (parts.empty()) return plan;
  plan.compiled.query = context.filtered(
      Xapian::Query(Xapian::Query::OP_AND, any_of(parts), constant_weight(1, any_of(definitions))));
  if (context.options.demote_copies)
    plan.compiled.query = context.with_origins(plan.compiled.query, 0.1);
  return plan;
}

Plan other_definitions(const PlanContext& context, const std::string& name) {
  Plan plan;
  plan.kind = ReadingKind::QualifiedName;
  plan.root = context.tree({leaf_of(QueryNode::Kind::Word, name)});
  const TermExpansion defined = context.terms.definitions_of(name);
  const Queries& definitions = defined.at(Tier::Definition);
  if (definitions.empty()) return plan;
  plan.compiled.query = context.with_origins(context.filtered(any_of(definitions)), kOriginStep);
  return plan;
}

}  // namespace kw::search
