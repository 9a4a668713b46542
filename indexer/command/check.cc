// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/command/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "indexer/command/target.h"
#include "indexer/extract/extract.h"
#include "schema/base/fault_guard.h"
#include "schema/index/fields.h"
#include "schema/index/glass_check.h"
#include "schema/index/guard.h"
#include "schema/index/index_reader.h"
#include "schema/index/terms.h"
#include "schema/text/text.h"

namespace fs = std::filesystem;

namespace kw::indexer {
namespace {

/// True if `text` is what was hashed. Text that was transcoded (it is of another size than the
/// file) has no way back to its bytes; its terms tell.
bool hash_fits(const FileRecord& record) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (record.size == record.text.size()) return hash_content(record.text) == record.hash;
  if (record.size == record.text.size() + kMark.size())
    return hash_content(std::string(kMark) + record.text) == record.hash ||
           record.text.find("\xEF\xBF\xBD") != std::string::npos;  // of UTF-16, by chance so long
  return true;
}

class Check {
 public:
  Check(IndexReader& index, cli::ProgressBar& progress)
      : index_(index), progress_(progress), extractor_(index.info().options, nullptr) {}

  CheckReport run() {
    auto files = index_.stored_files();
    if (!files) {
      add({}, files.error().message);
      return std::move(report_);
    }
    if (files->size() != index_.document_count())
      add({}, fmt::format("{} of its {} documents have a path", files->size(),
                          index_.document_count()));
    for (std::size_t i = 0; i < files->size(); ++i) {
      if (i > 0 && (*files)[i].path == (*files)[i - 1].path)
        add((*files)[i].path, "is there twice");
      check_file((*files)[i]);
      progress_.update(++report_.files, files->size(), "files");
    }
    check_postings();
    return std::move(report_);
  }

 private:
  void add(const std::string& path, std::string what) {
    ++report_.faults;
    if (report_.first.size() < kMaxFaults) report_.first.push_back({path, std::move(what)});
  }

  /// Terms to documents must say what documents to terms say.
  void check_postings() {
    const Xapian::Database& database = index_.database();
    std::uint64_t read = 0;
    const auto walked = guard("its terms cannot be read", [&] {
      for (auto term = database.allterms_begin(); term != database.allterms_end(); ++term) {
        std::uint64_t documents = 0;
        for (auto at = database.postlist_begin(*term); at != database.postlist_end(*term); ++at)
          ++documents;
        if (documents != term.get_termfreq())
          add({}, fmt::format("term '{}' has {} documents and claims {}", printable(*term),
                              documents, term.get_termfreq()));
        read += documents;
      }
    });
    if (!walked)
      add({}, walked.error().message);
    else if (report_.faults == 0 && read != postings_)
      add({}, fmt::format("it has {} postings, its documents {}", read, postings_));
  }

  void check_file(const StoredFile& file) {
    auto stored = index_.entry(file.docid);
    if (!stored) {
      add(file.path, stored.error().message);
      return;
    }
    postings_ += stored->postings.size();
    const FileRecord& record = stored->record;
    allow_time_for(record.text.size());
    if (record.path != file.path) add(file.path, "its record is of another path: " + record.path);
    if (!hash_fits(record)) add(file.path, "its text is not what was hashed");
    const IndexEntry made = extractor_.derive(record);
    if (made.record.sections != record.sections || made.record.title != record.title ||
        made.record.language != record.language)
      add(file.path, "its sections do not fit its text");
    check_terms(file.path, made, std::move(stored->postings));
  }

  void check_terms(const std::string& path, const IndexEntry& made, std::vector<Posting> stored) {
    std::vector<Posting> expected = made.postings;
    expected.push_back({make_term(Field::Path, made.record.path), 0});
    expected.push_back({make_term(Field::Pair, made.group_key), 0});
    const auto by_term = [](const Posting& a, const Posting& b) { return a.term < b.term; };
    std::sort(expected.begin(), expected.end(), by_term);
    std::sort(stored.begin(), stored.end(), by_term);
    if (stored == expected) return;
    const auto [has, wants] =
        std::mismatch(stored.begin(), stored.end(), expected.begin(), expected.end());
    const auto name = [](const auto& at, const auto& end) {
      return at == end ? std::string("nothing") : fmt::format("'{}'", printable(at->term));
    };
    add(path, fmt::format("its terms do not fit its record: {} for {}", name(has, stored.end()),
                          name(wants, expected.end())));
  }

  IndexReader& index_;
  cli::ProgressBar& progress_;
  Extractor extractor_;
  std::uint64_t postings_ = 0;  ///< that documents list
  CheckReport report_;
};

}  // namespace

Result<CheckReport> check_index(const KwindexOptions& options) {
  std::error_code error;
  const auto folder = KW_TRY(find_database(options, fs::current_path(error).string()));
  limit_reading(folder.live_bytes());
  auto index = KW_TRY(IndexReader::open(folder, Reading::Whole));
  KW_TRY(check_tables(index.path(), TableScope::TermLists));
  cli::ProgressBar progress("checking",
                            options.progress.value_or(cli::wants_progress(options.common)));
  return Check(index, progress).run();
}

std::string to_json(const CheckReport& report) {
  auto faults = nlohmann::ordered_json::array();
  for (const Fault& fault : report.first)
    faults.push_back({{"path", to_valid_utf8(fault.path)}, {"fault", to_valid_utf8(fault.what)}});
  return nlohmann::ordered_json{
             {"files", report.files}, {"faults", report.faults}, {"first", std::move(faults)}}
             .dump() +
         "\n";
}

std::string to_text(const CheckReport& report) {
  std::string text;
  for (const Fault& fault : report.first)
    text += fmt::format("{}: {}\n", fault.path.empty() ? "index" : printable(fault.path),
                        printable(fault.what));
  const std::string count = report.faults == 0   ? "no fault"
                            : report.faults == 1 ? "1 fault"
                                                 : with_thousands(report.faults) + " faults";
  return text + fmt::format("checked {} {}: {}\n", with_thousands(report.files),
                            report.files == 1 ? "file" : "files", count);
}

}  // namespace kw::indexer
