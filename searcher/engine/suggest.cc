// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/suggest.h"

#include <algorithm>

#include "schema/index/terms.h"

namespace kw::search {
namespace {

// Of a shorter name half the letters would be wrong.
constexpr std::size_t kShortestMisspelt = 4;

struct Near {
  std::size_t distance;
  Xapian::doccount files;
  std::string spelling;
};

/// All names within `limit` edits of a key, nearest first, then those that most files have.
std::vector<Near> names_within(Session& session, const std::string& key, std::size_t limit,
                               bool with_longer) {
  std::vector<Near> found;
  session.vocabulary().for_each(Field::Ident, {}, [&](const std::string& term) {
    // Most are of another length: that is seen before the name is read.
    const std::size_t size = term.find(' ') - prefix_of(Field::Ident).size();
    if (size + limit < key.size()) return true;
    if (size > key.size() + limit && !with_longer) return true;
    const auto name = parse_ident_term(term);
    if (!name || name->key.size() < 2) return true;
    std::size_t distance = edit_distance(key, name->key, limit);
    // A longer name that begins as asked is near, too.
    if (distance > limit && with_longer && name->key.starts_with(key)) distance = limit;
    if (distance > limit) return true;
    if (const Xapian::doccount files = session.terms().frequency(term))
      found.push_back({distance, files, std::string(name->spelling)});
    return true;
  });
  std::sort(found.begin(), found.end(), [](const Near& a, const Near& b) {
    if (a.distance != b.distance) return a.distance < b.distance;
    if (a.files != b.files) return a.files > b.files;
    return a.spelling < b.spelling;
  });
  return found;
}

}  // namespace

// Damerau-Levenshtein in its optimal string alignment form, three rows.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size() + limit || b.size() > a.size() + limit) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::vector<std::string> nearest_names(Session& session, const std::string& word,
                                       std::size_t most) {
  const std::string key = term_key(word);
  // A third of a short name's letters may be wrong, at most three.
  const std::size_t limit = std::min<std::size_t>(3, key.size() / 3);
  std::vector<std::string> names;
  for (Near& near : names_within(session, key, limit, key.size() >= kShortestMisspelt)) {
    if (names.size() == most) break;
    names.push_back(std::move(near.spelling));
  }
  return names;
}

std::string near_name(Session& session, const std::string& word) {
  const std::string key = term_key(word);
  if (key.size() < kShortestMisspelt) return {};
  const std::vector<Near> near = names_within(session, key, 1, false);
  return near.empty() ? std::string() : near[0].spelling;
}

}  // namespace kw::search
