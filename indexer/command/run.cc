// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/command/run.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>

#include "indexer/command/target_index.h"
#include "indexer/update/build.h"
#include "indexer/update/update.h"
#include "indexer/walk/walker.h"
#include "schema/base/fault_guard.h"
#include "schema/base/parallel.h"
#include "schema/index/glass_check.h"
#include "schema/index/group_key.h"
#include "schema/text/text.h"

namespace fs = std::filesystem;

namespace kw::indexer {
namespace {

// More changed files than both, and a new generation is made rather than a transaction. A
// transaction takes about 4 ms of work a changed file, a build 3.3 ms a file (9,747 pages), so on
// one core it would pay up to three quarters of a tree; but a build writes in all threads, and
// leaves no gaps to compact.
constexpr std::size_t kManyFiles = 1000;
constexpr std::size_t kMuchOfTheTree = 3;  // a third

std::int64_t now_ns() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
}

Result<void> check_folder(const std::string& root) {
  std::error_code error;
  const auto status = fs::status(root, error);
  if (fs::is_directory(status)) return {};
  return Error{
      ErrorCode::NotFound,
      fmt::format("cannot index '{}': {}", printable(root),
                  fs::exists(status) ? "not a folder" : errno_text(error ? error.value() : ENOENT)),
      "kwindex FOLDER, one that can be read"};
}

/// What only a rebuild can change: options that go into the entries themselves.
bool makes_other_entries(const IndexOptions& a, const IndexOptions& b) {
  return a.symbols != b.symbols || a.doc_suffixes != b.doc_suffixes || a.doc_root != b.doc_root;
}

/// Takes out what belongs to other partitions.
void keep_partition(WalkResult& tree, const Partition& partition, const IndexOptions& options) {
  if (partition.count == 1) return;
  const auto elsewhere = [&](const std::string& path) {
    return !partition_holds(partition, group_key(path, options.doc_suffixes, options.doc_root));
  };
  std::erase_if(tree.files, [&](const FoundFile& f) { return elsewhere(f.path); });
  // An unreadable folder may hold files of every partition.
  std::erase_if(tree.skipped, [&](const SkippedPath& s) {
    return s.reason != SkipReason::Unreadable && elsewhere(s.path);
  });
}

Error would_empty(const std::string& fact, const TargetIndex& index) {
  return {
      ErrorCode::Refused,
      fmt::format("{}; the index holds {} and stays as it is", fact, index.stored().frozen->files),
      "if that is meant, run it again with: --allow-empty"};
}

/// Whether a file of the index is still in the tree: a walk that finds none excludes it. An empty
/// directory, as of a disk that is not mounted, has none.
bool has_indexed_file(TargetIndex& index, const std::string& root) {
  if (!index.stored().reader) return false;
  const auto files = index.stored().reader->stored_files();
  std::error_code error;
  return files && std::any_of(files->begin(), files->end(), [&](const StoredFile& file) {
           return fs::is_regular_file(fs::path(root) / file.path, error);
         });
}

/// Walks the root. Refused: it is not there, or holds no file, while the index holds some; with
/// `allow_empty` that is a tree without files. Ignore rules and --exclude may leave none.
Result<WalkResult> walk_root(const EntrySettings& settings, TargetIndex& index, bool allow_empty,
                             const WalkProgress& progress, unsigned threads) {
  auto tree = walk(settings.root, index.folder().path(), settings.options, progress, threads);
  if (!index.holds_files()) return tree;
  if (!tree) {
    if (!allow_empty) return would_empty(tree.error().message, index);
    std::error_code error;
    tree = WalkResult{};
    if (fs::exists(settings.root, error) || error)
      tree->skipped.push_back({".", SkipReason::Unreadable});
  } else if (tree->files.empty() && !allow_empty) {
    const bool is_excluded =
        settings.options.include.empty() && has_indexed_file(index, settings.root);
    if (!is_excluded)
      return would_empty(fmt::format("'{}' holds no file to index", printable(settings.root)),
                         index);
  }
  return tree;
}

/// Why all is to be indexed anew; empty if it is not.
std::string reason_to_rebuild(const StoredIndex& stored, const EntrySettings& settings) {
  if (!stored.reader || !stored.rebuild_reason.empty()) return stored.rebuild_reason;
  const IndexInfo& before = stored.reader->info();
  if (makes_other_entries(before.options, settings.options))
    return "the options for definitions or documentation pages changed";
  if (!settings.ctags_version.empty() && before.ctags_version != settings.ctags_version)
    return fmt::format("ctags changed: {} -> {}",
                       before.ctags_version.empty() ? "none" : before.ctags_version,
                       settings.ctags_version);
  return {};
}

unsigned threads_of(const KwindexOptions& options) {
  return options.jobs ? options.jobs : core_count();
}

struct Ctags {
  std::string source;  ///< SymbolExtractor::source()
  std::string version;
};

Result<Ctags> start_ctags() {
  // Before the start: a program that is replaced meanwhile is another one to the next run.
  std::string source = SymbolExtractor::source();
  auto started = SymbolExtractor::start();
  if (!started) return started.error();
  return Ctags{std::move(source), started->version()};
}

/// The ctags of the last run, if its program is unchanged: its version is known without a start.
std::optional<Ctags> ctags_of_last_run(const StoredIndex& stored, const RunStatus& last) {
  if (!stored.reader || stored.reader->info().ctags_version.empty() ||
      last.symbol_source != SymbolExtractor::source())
    return std::nullopt;
  return Ctags{last.symbol_source, stored.reader->info().ctags_version};
}

bool reads_files(const ChangeSet& plan) {
  return std::any_of(plan.begin(), plan.end(),
                     [](const FileChange& file) { return file.must_be_read(); });
}

bool is_much_changed(const ChangeSet& plan) {
  const auto changes =
      static_cast<std::size_t>(std::count_if(plan.begin(), plan.end(), [](const FileChange& file) {
        return file.must_be_read() || file.kind == ChangeKind::Gone;
      }));
  return changes > kManyFiles && changes > plan.size() / kMuchOfTheTree;
}

/// How the summary names the root: as it is seen from the current folder, or in full where it lies
/// outside. Empty: it is the current folder.
std::string shown_root(const std::string& root, const std::string& current) {
  const std::string relative = fs::path(root).lexically_relative(current).string();
  if (relative == ".") return {};
  return relative.empty() || relative.starts_with("..") ? root : relative;
}

/// The index of a folder above, where ROOT gets one of its own.
std::optional<std::string> covering_database(const KwindexOptions& options,
                                             const DatabaseFolder& folder) {
  const fs::path root = fs::path(folder.path()).parent_path();
  if (!options.database.empty() || root == "/") return std::nullopt;
  return find_database_above(root.parent_path().string());
}

class Run {
 public:
  Run(const KwindexOptions& options, IndexRegistry& registry, DatabaseFolder folder,
      std::string current)
      : options_(options),
        index_(options, registry, std::move(folder)),
        current_(std::move(current)),
        started_ns_(now_ns()),
        progress_("walking", options.progress.value_or(cli::wants_progress(options.common))) {}

  Result<RunReport> run() {
    const auto begin = std::chrono::steady_clock::now();
    report_.database = index_.folder().path();
    KW_TRY(prepare());
    lift_limits();
    KW_TRY(walk_tree());
    find_ctags();
    rebuild_reason_ = reason_to_rebuild(index_.stored(), settings_);
    auto done = carry_out();
    lift_limits();
    progress_.clear();
    if (!done) return done.error();
    report_.summary = summarize(plan_, done->outcomes);
    report_.summary.dry_run = options_.dry_run;
    report_.summary.root = shown_root(settings_.root, current_);
    if (!options_.dry_run) {
      keep_record();
      KW_TRY(write_run_status(*done));
    }
    finish_report(*done);
    report_.summary.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(report_);
  }

 private:
  void note(std::string message, std::string hint = {}) {
    report_.notices.push_back({Notice::Kind::Note, std::move(message), std::move(hint)});
  }
  void warn(std::string message, std::string hint = {}) {
    report_.notices.push_back({Notice::Kind::Warning, std::move(message), std::move(hint)});
  }

  /// The lock, what is stored, and what is to be indexed.
  Result<void> prepare() {
    KW_TRY(open_index());
    const StoredIndex& stored = index_.stored();
    const std::string named_before = index_.named_root();
    auto root = KW_TRY(find_root(options_, index_.folder(), stored, named_before, current_));
    named_root_ = options_.root.empty() ? named_before : named_root(options_, current_);
    partition_ = KW_TRY(find_partition(options_, index_.folder(), stored));
    settings_.root = root;
    settings_.seen_ns = started_ns_;
    // Partitions know by it, on any machine, that they are of one tree.
    stored_root_ = partition_.count == 1 ? root_to_store(root, index_.folder()) : root;
    IndexOptions before;
    if (stored.frozen && !options_.reset)
      before = stored.frozen->info.stored.value_or(stored.frozen->info.options);
    settings_.options = options_.index.applied_to(before);
    to_store_ = options_.to_store.applied_to(std::move(before));
    const bool is_unknown = stored.frozen && !index_.has_record() && !options_.trust;
    if (!options_.rebuild && !is_unknown) last_ = read_status(index_.folder());
    return {};
  }

  /// Nothing is created for a folder that is not there, and nothing touched of what is not ours.
  Result<void> open_index() {
    const DatabaseFolder& folder = index_.folder();
    std::error_code error;
    if (fs::exists(folder.path(), error)) {
      KW_TRY(index_.find());
    } else {
      const fs::path root = (fs::path(current_) / options_.root).lexically_normal();
      KW_TRY(check_folder(root.string()));
      if (const auto above = covering_database(options_, folder))
        note(fmt::format("'{}' gets an index of its own, though '{}' covers it",
                         printable(folder_of(folder.path())), printable(*above)));
    }
    if (options_.dry_run) return {};
    KW_TRY(index_.lock());
    return index_.find();  // another run may have changed it
  }

  /// What the next run goes by: written before the index that it is of becomes the live one, so
  /// that no kill leaves an index without it.
  void keep_record() {
    if (auto kept = index_.keep_record(stored_root_, named_root_, partition_, to_store_); !kept)
      note("no record of this index could be kept: " + kept.error().message +
               "; the next run rebuilds it",
           "set XDG_STATE_HOME to a folder of your own, or give --trust each time");
  }

  Result<void> walk_tree() {
    auto tree = KW_TRY(walk_root(
        settings_, index_, options_.allow_empty,
        [this](std::uint64_t n) { progress_.update(n, 0, "files"); }, threads_of(options_)));
    keep_partition(tree, partition_, settings_.options);
    report_.root = settings_.root;
    report_.folders = std::move(tree.folders);
    cut_ignore_files_ = std::move(tree.cut_ignore_files);
    tree_ = std::move(tree);
    return {};
  }

  void find_ctags() {
    if (settings_.options.symbols == Symbols::None) return;
    assumed_ctags_ = ctags_of_last_run(index_.stored(), last_);
    use_ctags(assumed_ctags_ ? Result<Ctags>(*assumed_ctags_) : start_ctags());
  }

  /// Starts ctags if it was only assumed and files will be read.
  void confirm_ctags() {
    if (!assumed_ctags_ || (rebuild_reason_.empty() && !reads_files(plan_))) return;
    settings_.ctags_version.clear();
    symbol_source_.clear();
    use_ctags(start_ctags());
    rebuild_reason_ = reason_to_rebuild(index_.stored(), settings_);
  }

  void use_ctags(Result<Ctags> ctags) {
    if (!ctags) {
      warn("no definitions are taken: " + ctags.error().message,
           "install universal-ctags, or ask for none with: --symbols none");
      return;
    }
    settings_.ctags_version = std::move(ctags->version);
    symbol_source_ = std::move(ctags->source);
  }

  /// Xapian does not defend itself against a damaged index: where more of it is read than its
  /// list of files, or it is written to, its tables are checked first.
  Result<void> check_stored() {
    const bool is_used = std::any_of(plan_.begin(), plan_.end(), [](const FileChange& file) {
      return file.must_be_read() || file.kind == ChangeKind::Gone;
    });
    if (!index_.stored().reader || !rebuild_reason_.empty() || !is_used) return {};
    return check_tables(index_.stored().reader->path());
  }

  /// Where nothing is read but the tree.
  static void lift_limits() { limit_work(0, 0); }

  Result<WorkDone> carry_out() {
    StoredIndex& stored = index_.stored();
    std::vector<StoredFile> files;
    if (stored.reader) {
      index_.limit_time(0);
      files = KW_TRY(stored.reader->stored_files());
    }
    plan_ = build_change_set(std::move(files), std::move(tree_), last_, started_ns_,
                             !symbol_source_.empty() && symbol_source_ != last_.symbol_source);
    confirm_ctags();
    KW_TRY(check_stored());
    index_.limit_time(plan_.size());
    const IndexWork work{index_.folder(),
                         settings_,
                         {stored_root_, to_string(partition_), settings_.options,
                          to_store_ == settings_.options ? std::nullopt : std::optional(to_store_),
                          settings_.ctags_version, index_.id()},
                         threads_of(options_),
                         options_.wait_seconds,
                         [this] { keep_record(); },
                         progress_};
    const bool all_anew = !stored.reader || !rebuild_reason_.empty();
    progress_.set_label(options_.dry_run ? "reading" : "indexing");
    if (stored.frozen && !rebuild_reason_.empty() && rebuild_reason_ != "--rebuild")
      note(fmt::format("the index {} rebuilt: {}", options_.dry_run ? "would be" : "is",
                       rebuild_reason_),
           stored.rebuild_hint);
    if (options_.dry_run) {
      settings_.ctags_version.clear();  // what is skipped does not depend on definitions
      return try_update(work, plan_, stored.reader ? &*stored.reader : nullptr, all_anew);
    }
    if (all_anew) lift_limits();
    if (all_anew) return build_index(work, plan_, {});
    if (!is_much_changed(plan_))
      return update_index(work, plan_, *stored.reader, last_.compacted_bytes);
    if (options_.common.verbose) note("much of the tree changed: a new generation is built");
    auto known = KW_TRY(known_contents(plan_, *stored.reader));
    return build_index(work, plan_, known);
  }

  Result<void> write_run_status(const WorkDone& done) {
    RunStatus status = remember(plan_, done.outcomes, last_);
    status.cut_ignore_files = cut_ignore_files_;
    status.started_ns = started_ns_;
    status.finished_ns = now_ns();
    status.files = report_.summary.files;
    status.bytes = report_.summary.bytes;
    status.indexed = report_.summary.indexed();
    status.removed = report_.summary.removed;
    status.then_due =
        last_.then_due || last_.started_ns == 0 || status.indexed + status.removed > 0;
    report_.then_due = status.then_due;
    status.symbol_source = symbol_source_.empty() ? last_.symbol_source : symbol_source_;
    status.compacted_bytes = done.compacted_bytes ? done.compacted_bytes : last_.compacted_bytes;
    if (status.compacted_bytes == 0 &&
        index_.stored().reader)  // status.json was lost: begin to measure here
      status.compacted_bytes = folder_bytes(index_.stored().reader->path());
    return write_status(index_.folder(), status);
  }

  void finish_report(const WorkDone& done) {
    const RunSummary& summary = report_.summary;
    if (summary.skipped.contains(SkipReason::Unreadable)) report_.code = ExitCode::Incomplete;
    if (const auto n = done.symbols_lost + done.symbols_missing; n > 0)
      warn(fmt::format("ctags failed on {} {}: indexed without definitions", n,
                       n == 1 ? "file" : "files"),
           "the next run tries each once more; see them with: kwindex --skipped");
    if (!cut_ignore_files_.empty())
      warn(fmt::format("'{}'{} more rules than are taken: files that the rest exclude are indexed",
                       printable(cut_ignore_files_.front()),
                       cut_ignore_files_.size() == 1 ? " has"
                                                     : fmt::format(" and {} more ignore files have",
                                                                   cut_ignore_files_.size() - 1)),
           "names and paths without '*' and '?' are not counted; see: kwindex --skipped");
    if (done.compaction_failed)
      warn(
          "the index is up to date, but could not be compacted: " + done.compaction_failed->message,
          done.compaction_failed->hint);
    if (done.training_failed)
      warn("the records are compressed without a dictionary, which makes the index larger: " +
           done.training_failed->message);
    if (!options_.explain) return;
    report_.explanation = explain(plan_, done.outcomes, [this](const std::string& path) {
      struct stat st;
      return ::lstat((settings_.root + "/" + path).c_str(), &st) == 0;
    });
  }

  const KwindexOptions& options_;
  TargetIndex index_;
  const std::string current_;
  const std::int64_t started_ns_;
  cli::ProgressBar progress_;
  std::string stored_root_;
  std::string named_root_;  ///< ROOT, where it leads through a link
  Partition partition_;
  EntrySettings settings_;
  std::string symbol_source_;           ///< empty: no ctags
  std::optional<Ctags> assumed_ctags_;  ///< that of the last run, not started by this one
  IndexOptions to_store_;
  RunStatus last_;
  std::string rebuild_reason_;
  WalkResult tree_;
  std::vector<std::string> cut_ignore_files_;
  ChangeSet plan_;
  RunReport report_;
};

}  // namespace

Result<RunReport> run_kwindex(const KwindexOptions& options, IndexRegistry& registry) {
  std::error_code error;
  const std::string current = fs::current_path(error).string();
  if (error)
    return Error{ErrorCode::NotFound, "the current folder is gone: " + errno_text(error.value()),
                 "change to another folder"};
  auto folder = KW_TRY(find_database(options, current));
  return Run(options, registry, folder, current).run();
}

}  // namespace kw::indexer
