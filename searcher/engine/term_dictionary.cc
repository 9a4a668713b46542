// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/term_dictionary.h"

#include <algorithm>
#include <iterator>

namespace kw::search {
namespace {

using Listed = std::vector<std::pair<std::string, Xapian::doccount>>;

Listed list(const Xapian::Database& part, const std::string& range) {
  Listed terms;
  for (auto it = part.allterms_begin(range), end = part.allterms_end(range); it != end; ++it)
    terms.emplace_back(*it, it.get_termfreq());
  return terms;
}

}  // namespace

bool TermDictionary::exists(const std::string& term) {
  return asks_servers() ? frequency(term) > 0 : all_.term_exists(term);
}

Xapian::doccount TermDictionary::frequency(const std::string& term) {
  if (!asks_servers()) return all_.get_termfreq(term);
  prepare({&term, 1});
  return frequencies_.at(term);
}

void TermDictionary::prepare(std::span<const std::string> terms,
                             std::span<const std::string> ranges) {
  if (!asks_servers()) return;
  std::vector<std::string> unknown;
  std::copy_if(ranges.begin(), ranges.end(), std::back_inserter(unknown),
               [&](const std::string& range) { return ranges_.try_emplace(range).second; });
  if (!unknown.empty()) {
    std::vector<std::vector<Listed>> lists(parts_.size());
    pool_->run(parts_.size(), [&](std::size_t part) {
      for (const std::string& range : unknown) lists[part].push_back(list(parts_[part], range));
    });
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      std::map<std::string, Xapian::doccount> merged;
      for (const auto& of_part : lists)
        for (const auto& [term, files] : of_part[i]) merged[term] += files;
      for (const auto& [term, files] : merged) {
        ranges_[unknown[i]].push_back(term);
        frequencies_[term] = files;
      }
    }
  }

  // A query whose results nobody wants: its statistics are how many files have each of its terms.
  std::vector<Xapian::Query> asked;
  for (const std::string& term : terms)
    if (frequencies_.try_emplace(term, 0).second) asked.emplace_back(term);
  if (asked.empty()) return;
  Xapian::Enquire e(all_);
  e.set_query(Xapian::Query(Xapian::Query::OP_OR, asked.begin(), asked.end()));
  const Xapian::MSet statistics = e.get_mset(0, 0);
  for (const Xapian::Query& query : asked) {
    const std::string term = *query.get_terms_begin();
    frequencies_[term] = statistics.get_termfreq(term);
  }
}

const std::vector<std::string>& TermDictionary::listed(const std::string& range) {
  prepare({}, {&range, 1});
  return ranges_.at(range);
}

void TermDictionary::forget() {
  frequencies_.clear();
  ranges_.clear();
}

}  // namespace kw::search
