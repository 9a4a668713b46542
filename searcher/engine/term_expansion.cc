// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/engine/term_expansion.h"

#include "schema/text/language_table.h"
#include "schema/text/splitter.h"

namespace kw::search {

Queries WordFields::all() const {
  Queries queries;
  for (const Xapian::Query* query :
       {&title, &description, &heading, &path, &definition, &name, &body})
    if (!query->empty()) queries.push_back(*query);
  return queries;
}

std::string filter_term(const QueryNode& filter) {
  std::string text = *filter.field == Field::Folder ? filter.text : fold(filter.text);
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  // What people call a language: `cpp`, `py`.
  if (*filter.field == Field::Language)
    if (const std::string_view name = language_name(text); !name.empty()) text = name;
  return make_term(*filter.field, text);
}

}  // namespace kw::search
