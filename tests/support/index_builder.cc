// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/index_builder.h"

#include <algorithm>
#include <stdexcept>
#include <variant>

#include "indexer/extract/definition_class.h"
#include "indexer/extract/extract.h"
#include "indexer/extract/term_builder.h"
#include "schema/index/group_key.h"

namespace kw::test {
using namespace indexer;

namespace {

template <class T>
void must(const Result<T>& result) {
  if (!result) throw std::runtime_error(result.error().message);
}

}  // namespace

IndexEntry make_entry(const IndexedFile& file, const IndexOptions& options) {
  Extracted extracted = Extractor(options, nullptr).extract(file.path, file.text);
  if (!std::holds_alternative<IndexEntry>(extracted))
    throw std::runtime_error("left out by the indexer: " + file.path);
  IndexEntry entry = std::get<IndexEntry>(std::move(extracted));
  entry.record.definitions = file.definitions;
  TermBuilder terms;
  const auto subject = without_doc_suffixes(file.path, options.doc_suffixes);
  const auto ranks = rank_definitions(entry.record, subject);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    terms.add_definition(file.definitions[i].name, ranks[i]);
  for (Posting& p : terms.take()) entry.postings.push_back(std::move(p));
  return entry;
}

IndexInfo info_inside_root() {
  IndexInfo info;
  info.root = "..";
  return info;
}

DatabaseFolder build_index(const std::filesystem::path& database, std::vector<IndexedFile> files,
                           const IndexInfo& info) {
  const DatabaseFolder folder(database.string());
  must(folder.create(false));
  std::uint32_t number = 0;
  for (const std::uint32_t n : folder.generations()) number = std::max(number, n);
  ++number;
  std::sort(files.begin(), files.end(),
            [](const IndexedFile& a, const IndexedFile& b) { return a.path < b.path; });
  const std::string batch = folder.unfinished_generation(number);
  auto writer = BatchWriter::create(batch);
  must(writer);
  for (const IndexedFile& file : files) must(writer->add(make_entry(file, info.options)));
  must(writer->set_info(info));
  must(writer->finish());
  must(merge_databases({batch}, folder.generation(number), 1));
  must(folder.switch_to(number));
  return folder;
}

}  // namespace kw::test
