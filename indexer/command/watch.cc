// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/command/watch.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "schema/base/descriptor.h"
#include "schema/index/database_dir.h"

namespace kw::indexer {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A run waits until nothing has happened for this long: an editor saves in three steps, a checkout
// in thousands.
constexpr milliseconds kQuiet{200};
// But no longer than this after the first event: something may always be written to.
constexpr milliseconds kLongestWait{1000};
// Without a watch on every folder.
constexpr milliseconds kScanEvery{5'000};
// After a run that failed (a lock, a full disk, a root that is not there).
constexpr milliseconds kRetryAfter{2'000};

// What counts of a folder above the root, beside the names that lead to it.
constexpr std::array<std::string_view, 3> kIgnoreFiles{".gitignore", ".ignore", ".kwignore"};

constexpr std::uint32_t kEvents = IN_CREATE | IN_DELETE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB |
                                  IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF |
                                  IN_ONLYDIR | IN_EXCL_UNLINK;

// Above the root other people may be busy: entries that come and go, and files that were written.
constexpr std::uint32_t kEventsAbove =
    IN_CREATE | IN_DELETE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR;

/// Where the signal handler writes; one watch a process.
int stop_pipe = -1;

void request_stop(int signal) {
  const int error = errno;
  [[maybe_unused]] const ssize_t n = ::write(stop_pipe, "x", 1);
  ::signal(signal, SIG_DFL);  // the second one does not wait for the run
  errno = error;
}

/// Turns signals that end a process into something to poll, for as long as it lives.
class StopSignals {
 public:
  StopSignals() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
    read_ = Descriptor(ends[0]);
    write_ = Descriptor(ends[1]);
    stop_pipe = write_.get();
    struct sigaction action {};
    action.sa_handler = request_stop;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < kSignals.size(); ++i)
      if (::sigaction(kSignals[i], nullptr, &before_[i]) == 0 && before_[i].sa_handler != SIG_IGN)
        ::sigaction(kSignals[i], &action, nullptr);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i)
      ::sigaction(kSignals[i], &before_[i], nullptr);
    stop_pipe = -1;
  }

  int descriptor() const { return read_.get(); }
  bool requested() const {
    pollfd ready{read_.get(), POLLIN, 0};
    return ::poll(&ready, 1, 0) > 0;
  }

 private:
  static constexpr std::array<int, 3> kSignals{SIGTERM, SIGINT, SIGHUP};
  Descriptor read_, write_;
  std::array<struct sigaction, 3> before_{};
};

/// The folders of a tree, each with a watch as far as the system gives them.
class Watches {
 public:
  Watches() : inotify_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    if (!inotify_) lost_ = errno;
  }

  int descriptor() const { return inotify_.get(); }
  /// The errno of a watch that was not given; 0 if there are all.
  int lost() const { return lost_; }

  /// Makes these the folders that are watched. True if some were not before: what happened in them
  /// until now was not seen.
  /// `above`: folders above the root, each with the names that lead from it to the root.
  bool set(const std::string& root, const std::vector<std::string>& folders,
           const std::map<std::string, std::set<std::string>>& above) {
    if (!inotify_) return false;
    lost_ = 0;
    std::set<int> now;
    for (const std::string& folder : folders) add(root + "/" + folder, now);
    std::set<int> optional;  // rule files outside the folders that are walked
    const int lost = lost_;
    add(root + "/.git/info", optional);
    above_.clear();
    for (const auto& [folder, names] : above) {
      std::set<int> one;
      add(folder, one, kEventsAbove);
      for (const int watch : one)
        if (!now.contains(watch)) above_[watch].insert(names.begin(), names.end());
      optional.merge(one);
    }
    lost_ = lost;
    now.merge(optional);
    const bool grown = !std::includes(watched_.begin(), watched_.end(), now.begin(), now.end());
    for (const int watch : watched_)
      if (!now.contains(watch)) ::inotify_rm_watch(inotify_.get(), watch);
    watched_ = std::move(now);
    return grown;
  }

  struct Events {
    bool any = false;       ///< some that may matter
    bool overflow = false;  ///< the queue was too short for all
  };
  /// Takes all that wait.
  Events take() {
    Events events;
    alignas(inotify_event) char buffer[64 << 10];
    for (ssize_t n; (n = ::read(inotify_.get(), buffer, sizeof buffer)) > 0;)
      for (ssize_t at = 0; at < n;) {
        const auto* const event = reinterpret_cast<const inotify_event*>(buffer + at);
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
        events.overflow |= (event->mask & IN_Q_OVERFLOW) != 0;
        if (event->mask & IN_IGNORED) continue;
        const std::string_view name = event->len ? event->name : "";
        events.any |= matters(event->wd, name);
      }
    return events;
  }

 private:
  bool matters(int watch, std::string_view name) const {
    const auto above = above_.find(watch);
    if (above == above_.end()) return name != kDatabaseFolderName && name != ".git";
    return above->second.contains(std::string(name)) ||
           std::find(kIgnoreFiles.begin(), kIgnoreFiles.end(), name) != kIgnoreFiles.end();
  }

  void add(const std::string& folder, std::set<int>& now, std::uint32_t events = kEvents) {
    const int watch = ::inotify_add_watch(inotify_.get(), folder.c_str(), events);
    if (watch >= 0)
      now.insert(watch);
    else if (errno != ENOENT && errno != ENOTDIR && errno != EACCES)  // its parent will tell
      lost_ = errno;
  }

  Descriptor inotify_;
  std::set<int> watched_;
  std::map<int, std::set<std::string>> above_;  // of folders above the root: the names that count
  int lost_ = 0;
};

class Watcher {
 public:
  Watcher(KwindexOptions options, const Reread& reread, const AfterRun& after_run)
      : options_(std::move(options)), reread_(reread), after_run_(after_run) {}

  Result<void> run() {
    bool first = true;
    while (!stop_.requested()) {
      if (!first)
        if (auto options = reread_()) options_ = *std::move(options);
      auto done = run_kwindex(options_, registry_);
      if (!done && first) return done.error();
      first = false;
      bool again = false;
      if (done) {
        again = watches_.set(done->root, done->folders, folders_above(*done));
        add_notes(*done);
      }
      failed_ = !done;
      tell(done);
      if (!again) wait();
    }
    return {};
  }

 private:
  /// Of the root, and of the path that it was named by, which may lead through links.
  std::map<std::string, std::set<std::string>> folders_above(const RunReport& done) const {
    std::map<std::string, std::set<std::string>> above;
    std::error_code error;
    for (const std::string& path : {done.root, options_.root}) {
      if (path.empty()) continue;
      namespace fs = std::filesystem;
      fs::path at = fs::absolute(path, error).lexically_normal();
      if (!at.has_filename()) at = at.parent_path();
      for (; !error && at.has_relative_path(); at = at.parent_path())
        above[at.parent_path().string()].insert(at.filename().string());
    }
    return above;
  }

  void add_notes(RunReport& done) {
    if (watches_.lost())
      done.notices.push_back(
          {Notice::Kind::Warning,
           "not every folder can be watched (" + errno_text(watches_.lost()) +
               "): the tree is scanned every 5 seconds, too",
           watches_.lost() == ENOSPC ? "raise fs.inotify.max_user_watches" : ""});
    if (overflow_)
      done.notices.push_back({Notice::Kind::Note,
                              "changes came faster than the system can tell; the whole tree was "
                              "scanned",
                              {}});
    std::erase_if(done.notices,
                  [this](const Notice& n) { return !said_.insert(n.message).second; });
  }

  /// A failure is told when it begins, not at each try.
  void tell(const Result<RunReport>& done) {
    const std::string failure = done ? "" : done.error().message;
    if (done || failure != failure_) after_run_(done);
    failure_ = failure;
  }

  /// Until there is a reason to run: the tree changed and is quiet, it is time, or the end.
  void wait() {
    const auto usual = std::chrono::duration_cast<milliseconds>(
        std::chrono::duration<double>(options_.scan_seconds));
    const milliseconds longest = failed_ ? kRetryAfter : watches_.lost() ? kScanEvery : usual;
    const bool scans = longest.count() > 0;
    steady_clock::time_point first_event;
    bool changed = false;
    while (!stop_.requested()) {
      milliseconds timeout{-1};
      if (changed) {
        const auto left =
            std::chrono::ceil<milliseconds>(first_event + kLongestWait - steady_clock::now());
        if (left.count() <= 0) return;
        timeout = std::min(kQuiet, left);
      } else if (scans) {
        timeout = longest;
      }
      pollfd ready[] = {{stop_.descriptor(), POLLIN, 0}, {watches_.descriptor(), POLLIN, 0}};
      const int n = ::poll(ready, 2, static_cast<int>(timeout.count()));
      if (n == 0) return;  // quiet, or time for a scan
      if (n < 0 || !ready[1].revents) continue;
      const Watches::Events events = watches_.take();
      overflow_ |= events.overflow;
      if (!events.any || changed) continue;
      changed = true;
      first_event = steady_clock::now();
    }
  }

  KwindexOptions options_;
  const Reread& reread_;
  const AfterRun& after_run_;
  IndexRegistry registry_ = IndexRegistry::of_this_user();
  StopSignals stop_;
  Watches watches_;
  bool failed_ = false;
  bool overflow_ = false;
  std::string failure_;
  std::set<std::string> said_;
};

}  // namespace

Result<void> watch_tree(const KwindexOptions& options, const Reread& reread,
                        const AfterRun& after_run) {
  return Watcher(options, reread, after_run).run();
}

}  // namespace kw::indexer
