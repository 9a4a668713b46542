// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/walk/tree_walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "indexer/walk/directory.h"
#include "schema/base/bounds.h"
#include "schema/index/database_dir.h"
#include "schema/index/manifest.h"
#include "schema/text/text.h"

namespace kw::indexer {
namespace {

/// Folders held open at once by the first thread and by each other one, however deep the tree:
/// those the walk will soon come back to. A descriptor costs, and a process may hold 1,024 of them;
/// a folder that was closed is opened again by its path.
constexpr std::size_t kOpenFolders = 32, kOpenFoldersOfOthers = 10;

/// Of a large tree, threads share the folders at this depth; those above are walked by each.
constexpr std::size_t kSharedDepth = 2;
/// So many files are found before there are more threads: about a millisecond's work.
constexpr std::size_t kFilesOfOneThread = 500;
/// Folders above the shared ones with larger ignore files are left to the first thread: parsed, the
/// rules take thirty times as much memory, and each thread would hold them.
constexpr std::uint64_t kMostRuleBytesOfOthers = 64u << 10;

constexpr std::uint64_t kProgressStep = 256;  // files: a few milliseconds

struct FileId {
  dev_t device = 0;
  ino_t inode = 0;

  bool operator==(const FileId&) const = default;
};
struct FileIdHash {
  std::size_t operator()(const FileId& id) const {
    return std::hash<std::uint64_t>()(id.inode * 0x9e3779b97f4a7c15ULL + id.device);
  }
};
FileId id_of(const struct stat& info) { return {info.st_dev, info.st_ino}; }

/// True for what stands for a thing that is not there: removed, or become something else, since its
/// folder was read.
bool is_gone(int error) { return error == ENOENT || error == ENOTDIR || error == ELOOP; }

Error root_error(const std::string& root, int error) {
  return {ErrorCode::NotFound,
          fmt::format("cannot read '{}': {}", printable(root), errno_text(error)),
          "name a folder that you may read: kwindex FOLDER"};
}

/// The size of a folder's ignore files.
std::uint64_t rule_bytes(int folder, const FolderList& list) {
  std::uint64_t bytes = 0;
  struct stat info;
  for (const ListedName& listed : list.entries) {
    const std::string_view name = list.name(listed);
    if (ignore_file(name) != kNoIgnoreFiles && ::fstatat(folder, name.data(), &info, 0) == 0)
      bytes += static_cast<std::uint64_t>(info.st_size);
  }
  return bytes;
}

/// What becomes of a name in a folder.
struct Entry {
  ListedName name;
  bool is_folder = false;
  bool is_link = false;
  std::optional<SkipReason> skip;
  FileId id;  ///< of files, and only where links are followed
  FileStat stamp;
};

/// A folder that the walk is in.
struct Frame {
  Descriptor folder;  ///< closed while the walk is far below
  FileId id;
  std::size_t path_length = 0;  ///< of Walk::path_ at this folder, with the slash
  std::string names;
  std::vector<Entry> entries;  ///< in order of the paths below
  std::size_t next = 0;
  bool has_rules = false;
  bool has_manifest = false;
};

/// The files that a manifest lists, and where.
struct ListedFiles {
  std::size_t path_length;
  std::set<std::string> files;
};

/// The walk of one thread: the first records what is above kSharedDepth, and each what it has taken
/// there.
class Walk {
 public:
  /// `start_others` is null for all but the first thread.
  Walk(const WalkOrder& order, WalkShares& shares, std::function<void()> start_others)
      : order_(order),
        options_(order.options),
        include_(order.include),
        exclude_(order.exclude),
        shares_(shares),
        start_others_(std::move(start_others)),
        is_first_(start_others_ != nullptr),
        records_(is_first_) {}

  Result<WalkResult> run();

 private:
  bool enter(Descriptor folder, const struct stat& info);
  void leave();
  void descend(Frame& frame, const Entry& entry);
  void open_below(Frame& frame, const Entry& entry);
  bool reopen();
  bool hold(Frame& frame, Descriptor folder);
  void close_shallow_folders();
  void visit(const Entry& entry);

  void load_rules(Frame& frame, const FolderList& list, std::vector<std::string_view>& unreadable);
  std::optional<Entry> judge(int folder, const ListedName& listed, std::string_view name);
  std::optional<Entry> judge_file(int folder, Entry entry, const char* name, struct stat* known);
  bool is_left_out(std::string_view name, bool is_folder) const;
  bool is_generated(std::string_view name) const;

  /// The path that is looked at, from the root.
  std::string relative_path() const { return path_.substr(root_length_); }
  void skip(SkipReason reason) {
    if (records_) result_.skipped.push_back({relative_path(), reason});
  }

  const WalkOrder& order_;
  const IndexOptions& options_;
  const RuleList include_, exclude_;
  WalkShares& shares_;
  const std::function<void()> start_others_;
  const bool is_first_;
  const std::size_t open_folders_ = is_first_ ? kOpenFolders : kOpenFoldersOfOthers;
  bool records_;  ///< false: another thread records what is in this folder

  WalkResult result_;
  FileId database_;
  /// Absolute, without links above and in the root: ignore files above the root want it. One buffer
  /// for the whole walk; each frame, rule file and manifest knows how much of it is its folder's.
  std::string path_;
  std::size_t root_length_ = 0;
  std::vector<Frame> frames_;
  IgnoreStack ignore_;
  std::vector<ListedFiles> manifests_;
  std::unordered_set<FileId, FileIdHash> seen_;  ///< only where links are followed
};

Result<WalkResult> Walk::run() {
  const std::string& root = order_.root;
  Descriptor folder = open_at(AT_FDCWD, root, O_RDONLY | O_DIRECTORY);
  struct stat info;
  if (!folder || ::fstat(folder.get(), &info) != 0) return root_error(root, errno);
  struct stat database;
  if (::stat(order_.database_folder.c_str(), &database) == 0) database_ = id_of(database);
  if (database_ == id_of(info))
    return Error{ErrorCode::Usage,
                 fmt::format("cannot index '{}': it is the index itself", printable(root)),
                 "name another folder for the index: kwindex FOLDER --db OTHER"};

  std::error_code failed;
  path_ = std::filesystem::canonical(root, failed).string();
  if (failed) path_ = root;
  if (!path_.ends_with('/')) path_ += '/';
  root_length_ = path_.size();
  if (options_.use_ignore_files) ignore_.enter_above(path_);

  seen_.insert(id_of(info));
  if (!enter(std::move(folder), info)) return root_error(root, errno);
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (frame.next == frame.entries.size()) {
      leave();
      continue;
    }
    const Entry entry = frame.entries[frame.next++];
    path_.resize(frame.path_length);
    path_.append(frame.names, entry.name.begin, entry.name.length);
    if (entry.is_folder)
      descend(frame, entry);
    else
      visit(entry);
  }
  for (const std::string& file : ignore_.cut_files())
    result_.cut_ignore_files.push_back(
        file.starts_with(std::string_view(path_).substr(0, root_length_))
            ? file.substr(root_length_)
            : file);
  return std::move(result_);
}

/// Reads the open folder that path_ names, a slash at its end, and puts it on top. False if it
/// cannot be read; errno says why.
bool Walk::enter(Descriptor folder, const struct stat& info) {
  std::optional<FolderList> list = list_folder(folder.get());
  if (!list) return false;
  if (!records_ && rule_bytes(folder.get(), *list) > kMostRuleBytesOfOthers) return false;
  if (records_) result_.folders.push_back(relative_path());

  Frame frame;
  frame.id = id_of(info);
  frame.path_length = path_.size();
  frame.folder = std::move(folder);
  std::vector<std::string_view> unreadable;
  load_rules(frame, *list, unreadable);

  for (const ListedName& listed : list->entries) {
    const std::string_view name = list->name(listed);
    if (name == ".git" || name == kDatabaseFolderName) continue;
    path_.resize(frame.path_length);
    path_.append(name);
    if (std::find(unreadable.begin(), unreadable.end(), name) != unreadable.end()) {
      skip(SkipReason::Unreadable);
      continue;
    }
    std::optional<Entry> entry = judge(frame.folder.get(), listed, name);
    if (!entry) continue;
    frame.entries.push_back(std::move(*entry));
  }
  frame.names = std::move(list->names);

  // A folder's files have its name and a slash before theirs: with it they are in order of path.
  std::sort(frame.entries.begin(), frame.entries.end(), [&](const Entry& a, const Entry& b) {
    const std::size_t common = std::min(a.name.length, b.name.length);
    const char* left = frame.names.data() + a.name.begin;
    const char* right = frame.names.data() + b.name.begin;
    if (const int order = std::memcmp(left, right, common)) return order < 0;
    auto next = [common](const Entry& entry, const char* name) -> unsigned char {
      if (common < entry.name.length) return static_cast<unsigned char>(name[common]);
      return entry.is_folder ? '/' : '\0';
    };
    return next(a, left) < next(b, right);
  });
  frames_.push_back(std::move(frame));
  close_shallow_folders();
  return true;
}

void Walk::leave() {
  if (frames_.back().has_rules) ignore_.leave();
  if (frames_.back().has_manifest) manifests_.pop_back();
  const Frame left = std::move(frames_.back());
  frames_.pop_back();
  if (frames_.size() == kSharedDepth) records_ = is_first_;
  // The quick way back to a folder that was closed. By a link it leads elsewhere.
  if (!frames_.empty() && !frames_.back().folder && left.folder)
    hold(frames_.back(), open_at(left.folder.get(), "..", O_RDONLY | O_DIRECTORY));
}

/// Reads what the folder says of itself: ignore files and a manifest.
void Walk::load_rules(Frame& frame, const FolderList& list,
                      std::vector<std::string_view>& unreadable) {
  IgnoreFiles present = kNoIgnoreFiles;
  bool has_manifest = false;
  for (const ListedName& listed : list.entries) {
    const std::string_view name = list.name(listed);
    if (name.front() != '.') continue;
    present |= ignore_file(name);
    has_manifest |= name == kManifestName;
  }
  if (options_.use_ignore_files && present != kNoIgnoreFiles) {
    unreadable = ignore_.enter(frame.folder.get(), present, path_);
    frame.has_rules = true;
  }
  if (!has_manifest) return;
  const std::optional<std::string> text = read_file_at(
      frame.folder.get(), std::string(kManifestName), kMaxManifestBytes + 1, O_NOFOLLOW);
  if (!text || text->size() > kMaxManifestBytes) return;
  Result<Manifest> manifest = parse_manifest(*text);
  if (!manifest) return;  // it may come with the tree from anywhere; it counts as none
  manifests_.push_back({frame.path_length, std::move(manifest->files)});
  frame.has_manifest = true;
}

bool Walk::is_left_out(std::string_view name, bool is_folder) const {
  if (exclude_.verdict(std::string_view(path_).substr(root_length_), name, is_folder) ==
      Verdict::LeftOut)
    return true;
  switch (ignore_.verdict(path_, name, is_folder)) {
    case Verdict::LeftOut:
      return true;
    case Verdict::Kept:
      break;
    case Verdict::Unmatched:
      if (name.front() == '.' && !options_.hidden) return true;
      break;
  }
  return !is_folder && !include_.empty() &&
         include_.verdict(std::string_view(path_).substr(root_length_), name, false) !=
             Verdict::LeftOut;
}

bool Walk::is_generated(std::string_view name) const {
  if (name == kManifestName) return true;
  return std::any_of(manifests_.begin(), manifests_.end(), [this](const ListedFiles& manifest) {
    return manifest.files.contains(path_.substr(manifest.path_length));
  });
}

/// What becomes of the name that path_ ends in. Nothing if it does not count or is gone.
std::optional<Entry> Walk::judge(int folder, const ListedName& listed, std::string_view name) {
  Entry entry;
  entry.name = listed;
  struct stat info;
  bool known = false;
  unsigned char type = listed.type;
  if (type == DT_UNKNOWN) {
    if (::fstatat(folder, name.data(), &info, AT_SYMLINK_NOFOLLOW) == 0) {
      type = IFTODT(info.st_mode);
      known = true;
    } else if (is_gone(errno)) {
      return std::nullopt;
    } else {
      entry.skip = SkipReason::Unreadable;
    }
  }
  if (type == DT_LNK) {
    if (!options_.follow) return std::nullopt;
    entry.is_link = true;
    known = ::fstatat(folder, name.data(), &info, 0) == 0;
    if (known)
      type = IFTODT(info.st_mode);
    else
      entry.skip = SkipReason::Unreadable;  // it leads nowhere, or where we may not go
  }
  entry.is_folder = type == DT_DIR;
  if (!records_ && !entry.is_folder) return std::nullopt;
  if (is_left_out(name, entry.is_folder)) return std::nullopt;
  if (entry.is_folder || entry.skip) return entry;
  return judge_file(folder, std::move(entry), name.data(), known ? &info : nullptr);
}

std::optional<Entry> Walk::judge_file(int folder, Entry entry, const char* name,
                                      struct stat* known) {
  struct stat info;
  if (known) {
    info = *known;
  } else if (::fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
    if (is_gone(errno)) return std::nullopt;
    entry.skip = SkipReason::Unreadable;
    return entry;
  }
  // Something else by now than when the folder was read.
  if (S_ISDIR(info.st_mode) || S_ISLNK(info.st_mode)) return std::nullopt;
  entry.id = id_of(info);
  entry.stamp = stat_of(info);
  if (is_generated(std::string_view(name)))
    entry.skip = SkipReason::Generated;
  else if (!S_ISREG(info.st_mode))
    entry.skip = SkipReason::Special;
  else if (entry.stamp.size > options_.max_file_size)
    entry.skip = SkipReason::TooLarge;
  return entry;
}

/// Records the file that path_ names.
void Walk::visit(const Entry& entry) {
  if (!records_) return;
  // What could not be looked at has no id to be known again by.
  if (options_.follow && entry.id != FileId{} && !seen_.insert(entry.id).second) return;
  if (entry.skip) {
    skip(*entry.skip);
    return;
  }
  result_.files.push_back({relative_path(), entry.stamp});
  if (is_first_ && result_.files.size() == kFilesOfOneThread) start_others_();
  if (result_.files.size() % kProgressStep != 0) return;
  const std::uint64_t found = shares_.files += kProgressStep;
  if (is_first_ && order_.progress) order_.progress(found);
}

/// Goes into the folder that path_ names, an entry of `frame`, which is on top, unless another
/// thread has.
void Walk::descend(Frame& frame, const Entry& entry) {
  const bool is_shared = frames_.size() == kSharedDepth;
  if (is_shared && !shares_.take(relative_path())) return;
  if (is_shared) records_ = true;
  open_below(frame, entry);
  if (frames_.size() == kSharedDepth) records_ = is_first_;  // it was not to be entered
}

void Walk::open_below(Frame& frame, const Entry& entry) {
  if (path_.size() - root_length_ > kMaxTreePathBytes) {
    skip(SkipReason::TooDeep);
    return;
  }
  if (!frame.folder && !reopen()) {
    if (!is_gone(errno)) skip(SkipReason::Unreadable);
    return;
  }
  const char* name = frame.names.data() + entry.name.begin;
  Descriptor folder =
      open_at(frame.folder.get(), name, O_RDONLY | O_DIRECTORY | (entry.is_link ? 0 : O_NOFOLLOW));
  struct stat info;
  if (!folder || ::fstat(folder.get(), &info) != 0) {
    if (!is_gone(errno)) skip(SkipReason::Unreadable);
    return;
  }
  if (id_of(info) == database_) return;
  if (options_.follow && !seen_.insert(id_of(info)).second) return;
  path_ += '/';
  const std::size_t length = path_.size();
  if (!enter(std::move(folder), info)) {
    path_.resize(length - 1);
    skip(SkipReason::Unreadable);
  }
}

/// Opens the folder on top, which was closed on the way down. False if it is not there any more;
/// errno says why. From the root name by name, as one call takes neither so long a path nor so many
/// links; the last folders on the way are kept, so that it is not gone again for each of them.
bool Walk::reopen() {
  Descriptor passed;
  int parent = frames_.front().folder.get();
  for (std::size_t i = 1; i < frames_.size(); ++i) {
    const std::size_t begin = frames_[i - 1].path_length;
    const std::string name = path_.substr(begin, frames_[i].path_length - 1 - begin);
    Descriptor folder = open_at(parent, name, O_RDONLY | O_DIRECTORY);
    if (!folder) return false;
    parent = folder.get();
    if (i + open_folders_ < frames_.size())
      passed = std::move(folder);
    else if (!hold(frames_[i], std::move(folder)))
      return false;
  }
  return true;
}

/// Keeps `folder` open for `frame`, if it is the same as before.
bool Walk::hold(Frame& frame, Descriptor folder) {
  struct stat info;
  if (!folder || ::fstat(folder.get(), &info) != 0) return false;
  if (id_of(info) != frame.id) {
    errno = ENOENT;  // another folder has its name now
    return false;
  }
  frame.folder = std::move(folder);
  return true;
}

/// Called with one folder more on top. The root stays open: the way to all others begins there.
void Walk::close_shallow_folders() {
  if (frames_.size() > open_folders_ + 1)
    frames_[frames_.size() - 1 - open_folders_].folder = Descriptor();
}

}  // namespace

Result<WalkResult> walk_first(const WalkOrder& order, WalkShares& shares,
                              const std::function<void()>& start_others) {
  return Walk(order, shares, start_others).run();
}

Result<WalkResult> walk_along(const WalkOrder& order, WalkShares& shares) {
  return Walk(order, shares, nullptr).run();
}

}  // namespace kw::indexer
