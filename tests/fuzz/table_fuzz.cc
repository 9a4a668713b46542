// SPDX-License-Identifier: GPL-2.0-or-later
// A small index whose files were changed in some places: checking it returns, and what was found
// sound may be read by Xapian, which ends with an answer or an exception of its own. The input is a
// list of edits: which file (1 byte), where (2 bytes, and 1 for the block), what (1 byte).
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

#include "schema/base/xapian_api.h"
#include "schema/index/glass_check.h"
#include "tests/fuzz/expect.h"
#include "tests/support/temp_dir.h"

namespace {

namespace fs = std::filesystem;

/// Tables of some blocks each, with two levels.
void make_index(const std::string& path) {
  Xapian::WritableDatabase db(path, Xapian::DB_CREATE_OR_OVERWRITE | Xapian::DB_BACKEND_GLASS,
                              2048);
  for (unsigned i = 0; i < 60; ++i) {
    Xapian::Document document;
    for (unsigned k = 0; k < 40; ++k) document.add_posting("t" + std::to_string(i * k % 977), k);
    document.set_data(std::string(200, static_cast<char>('a' + i % 26)));
    document.add_value(1, std::to_string(i));
    db.add_document(document);
  }
  db.set_metadata("key", std::string(3000, 'm'));
  db.commit();
}

void read_all(const std::string& path) {
  try {
    const Xapian::Database db(path, Xapian::DB_BACKEND_GLASS);
    for (auto t = db.allterms_begin(); t != db.allterms_end(); ++t)
      for (auto p = db.postlist_begin(*t); p != db.postlist_end(*t); ++p) (void)p.get_wdf();
    for (Xapian::docid id = 1; id <= db.get_lastdocid() && id < 1000; ++id) try {
        const Xapian::Document document = db.get_document(id);
        (void)document.get_data();
        (void)document.get_value(1);
      } catch (const Xapian::DocNotFoundError&) {
        continue;
      }
    (void)db.get_metadata("key");
  } catch (const Xapian::Error&) {  // what the check cannot know: the contents of items
    return;
  }
}

/// The lists of terms, which Xapian reads beyond their ends where they are not sound.
void read_term_lists(const std::string& path) {
  try {
    const Xapian::Database db(path, Xapian::DB_BACKEND_GLASS);
    for (Xapian::docid id = 1; id <= db.get_lastdocid() && id < 1000; ++id) try {
        std::size_t terms = 0;
        for (auto t = db.termlist_begin(id); t != db.termlist_end(id); ++t) ++terms;
        kw::test::expect(terms <= 2048 * 60, "a list ends");
      } catch (const Xapian::DocNotFoundError&) {
        continue;
      }
  } catch (const Xapian::Error&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kw;
  static const test::TempDir dir;
  static const std::string path = dir / "gen-1";
  static const std::map<std::string, std::string> files = [] {
    make_index(path);
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(path))
      if (entry.path().filename() != "flintlock")
        all.emplace(entry.path().string(), test::read_text(entry.path()));
    return all;
  }();
  static std::map<std::string, std::string> on_disk = files;
  std::map<std::string, std::string> edited = files;
  constexpr std::size_t kEdit = 5, kBlock = 2048;
  for (std::size_t i = 0; i + kEdit <= std::min(size, 16 * kEdit); i += kEdit) {
    std::string& bytes = std::next(edited.begin(), data[i] % edited.size())->second;
    if (bytes.empty()) continue;
    const std::size_t block = data[i + 1] % (bytes.size() / kBlock + 1);
    const std::size_t at = block * kBlock + (data[i + 2] << 8 | data[i + 3]) % kBlock;
    if (at < bytes.size()) bytes[at] = static_cast<char>(data[i + 4]);
  }
  for (const auto& [file, bytes] : edited)
    if (on_disk[file] != bytes) test::write_file(file, on_disk[file] = bytes);
  const bool has_roots = static_cast<bool>(check_roots(path));
  const bool is_sound = static_cast<bool>(check_tables(path));
  test::expect(has_roots || !is_sound, "what is sound has sound roots");
  if (is_sound) read_all(path);
  if (check_tables(path, TableScope::TermLists)) read_term_lists(path);
  return 0;
}
