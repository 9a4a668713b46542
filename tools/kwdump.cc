// SPDX-License-Identifier: GPL-2.0-or-later
// Prints an index as stable text, for goldens and for comparing two of them: what its documents
// hold and nothing of how they came there. No document ids, no stat data, no root: a copy of a
// tree, indexed elsewhere, by another number of threads, or bit by bit, prints the same.
#include <fmt/format.h>

#include <string>

#include "schema/cli/program.h"
#include "schema/index/database_dir.h"
#include "schema/index/index_reader.h"
#include "schema/index/metadata.h"
#include "schema/index/version.h"
#include "schema/text/text.h"

namespace {

using namespace kw;

std::string hex(const ContentHash& hash) {
  std::string text;
  for (const std::uint8_t byte : hash) text += fmt::format("{:02x}", byte);
  return text;
}

std::string head(const IndexReader& index) {
  const IndexInfo& info = index.info();
  std::string text;
  const auto add = [&text](Meta meta, const std::string& value) {
    text += fmt::format("{} {}\n", key_of(meta), printable(value));
  };
  add(Meta::Version, fmt::format("{}", kSchemaVersion));  // both were compared when it was opened
  add(Meta::Fingerprint, fmt::format("{:016x}", schema_fingerprint()));
  add(Meta::Partition, info.shard);
  add(Meta::Options, to_json(info.options));
  add(Meta::Ctags, info.ctags_version);
  return text + fmt::format("files {}\n", index.document_count());
}

std::string dump(const IndexEntry& entry) {
  const FileRecord& r = entry.record;
  std::string text = fmt::format("\nfile {}\n", printable(r.path));
  const auto add = [&text](const char* what, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} {}\n", what, value);
  };
  add("pair", printable(entry.group_key));
  add("title", printable(r.title));
  add("description", printable(r.description));
  add("language", printable(r.language));
  add("size", fmt::format("{}", r.size));
  add("hash", hex(r.hash));
  add("text", fmt::format("{} {}", r.text.size(), hex(hash_content(r.text))));
  for (const TextEdit& edit : r.rendering)
    add("rendered", fmt::format("{}+{} '{}'", edit.offset, edit.removed, printable(edit.inserted)));
  for (const LineRange& block : r.code)
    add("code", fmt::format("{}-{}", block.first_line, block.last_line));
  for (const Section& s : r.sections)
    add("section", fmt::format("{}-{} level {} #{} {}", s.first_line, s.last_line, s.level,
                               printable(s.anchor), printable(s.title)));
  for (const Definition& d : r.definitions)
    add("definition", fmt::format("{} {} {}{}", d.line, printable(d.kind), printable(d.name),
                                  d.scope.empty() ? "" : " in " + printable(d.scope)));
  for (const Posting& p : entry.postings)
    add("term", fmt::format("{} {}", printable(p.term), p.wdf));
  return text;
}

Result<void> print(const std::string& path) {
  auto index = KW_TRY(IndexReader::open(DatabaseFolder(resolve_database_path(path))));
  auto docids = KW_TRY(index.docids_by_path());
  cli::write_stdout(head(index));
  for (const std::uint32_t docid : docids) {
    auto entry = KW_TRY(index.entry(docid));
    if (!cli::write_stdout(dump(entry))) return Error{ErrorCode::Failed, "cannot write", ""};
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    cli::print_error("kwdump",
                     {ErrorCode::Usage, "it takes one argument: an index, or a tree that holds one",
                      "kwdump .kwsearch"});
    return static_cast<int>(ExitCode::Fatal);
  }
  const auto printed = print(argv[1]);
  if (printed) return static_cast<int>(ExitCode::Done);
  cli::print_error("kwdump", printed.error());
  return static_cast<int>(cli::exit_code_of(printed.error()));
}
