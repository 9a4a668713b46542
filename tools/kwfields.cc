// SPDX-License-Identifier: GPL-2.0-or-later
// Prints the tables of schema/index/SCHEMA.md from the ones in the code: fields, then metadata.
#include <fmt/format.h>

#include <string>

#include "schema/cli/program.h"
#include "schema/index/fields.h"
#include "schema/index/metadata.h"

namespace {

using namespace kw;

const char* text_of(TermKind kind) {
  switch (kind) {
    case TermKind::None:
      return "none";
    case TermKind::Boolean:
      return "filter";
    case TermKind::Exact:
      return "name";
    case TermKind::Text:
      return "text";
  }
  return "";
}

std::string code(std::string_view text) { return text.empty() ? "" : fmt::format("`{}`", text); }

std::string field_table() {
  std::string out =
      "| field | prefix | terms | slot | in queries | meaning | example |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const FieldRow& row : kFields)
    out +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", row.name, code(row.prefix),
                    text_of(row.kind), row.slot == kNoSlot ? "" : fmt::format("{}", row.slot),
                    row.query ? fmt::format("`{}:`", row.name) : "", row.help, code(row.example));
  return out;
}

std::string metadata_table() {
  std::string out = "| key | frozen | meaning |\n| --- | --- | --- |\n";
  for (const MetaRow& row : kMetadata)
    out += fmt::format("| `{}` | {} | {} |\n", row.key, row.frozen ? "yes" : "no", row.help);
  return out;
}

}  // namespace

int main() { return cli::write_stdout(field_table() + "\n" + metadata_table()) ? 0 : 2; }
