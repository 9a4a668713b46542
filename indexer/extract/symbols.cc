// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/symbols.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "indexer/extract/ctags_child.h"
#include "indexer/extract/ctags_output.h"
#include "schema/base/parallel.h"

namespace kw::indexer {
namespace {

static_assert(CtagsChild::kPadding >= CtagsOutputParser::kPadding);

// A ctags that does not start three times in a row, or that fails on twenty texts in a row, is
// broken: it must not cost a process, or a deadline, for each file of a tree.
constexpr int kMaxStartFailures = 3;
constexpr int kMaxFailures = 20;

constexpr std::string_view kStarted = R"({"_type": "program")";
constexpr std::string_view kCompleted = R"({"_type": "completed")";

/// Names, lines, long kinds, scopes, types, and `extras` to tell anonymous names. No patterns: they
/// copy lines, for each definition on them. Kinds that are no definitions are switched off:
/// Python's imports, Go's, Java's and Protobuf's package clauses, here-documents.
std::vector<std::string> command_for(const std::string& program, bool sandbox) {
  return {program,
          "--options=NONE",
          "--fields=NnzsEt",
          "--kinds-Python=-Iix",
          "--kinds-Go=-pP",
          "--kinds-Java=-p",
          "--kinds-Protobuf=-p",
          "--kinds-Sh=-h",
          sandbox ? "--_interactive=sandbox" : "--_interactive"};
}

}  // namespace

struct SymbolExtractor::Impl {
  std::string program;
  std::chrono::milliseconds deadline;
  bool sandbox = true;
  std::string version;
  std::optional<CtagsChild> child;
  int failures = 0;        // in a row
  int start_failures = 0;  // in a row
  CtagsOutputParser parser;

  Result<void> spawn();
  Result<void> restart();
  Error fail(std::string_view why);
};

/// Starts a child and waits for its greeting.
Result<void> SymbolExtractor::Impl::spawn() {
  child.reset();
  CtagsChild spawned = KW_TRY(CtagsChild::spawn(command_for(program, sandbox)));
  const bool greeted =
      spawned.exchange({}, {}, kStarted, deadline) == CtagsChild::Outcome::Complete;
  const std::optional<std::string> said =
      greeted ? parser.version(spawned.reply()) : std::optional<std::string>();
  if (!said)
    return Error{ErrorCode::Failed,
                 fmt::format("'{}' is no universal-ctags with interactive mode and JSON", program),
                 "install the package universal-ctags"};
  version = *said;
  child = std::move(spawned);
  return {};
}

Result<void> SymbolExtractor::Impl::restart() {
  if (start_failures >= kMaxStartFailures || failures >= kMaxFailures)
    return Error{ErrorCode::Failed, fmt::format("'{}' failed too often and is off", program), {}};
  Result<void> spawned = spawn();
  if (spawned) {
    start_failures = 0;
  } else {
    ++start_failures;
  }
  return spawned;
}

Error SymbolExtractor::Impl::fail(std::string_view why) {
  child.reset();
  return Error{ErrorCode::Failed, fmt::format("'{}' {}", program, why), {}};
}

Result<SymbolExtractor> SymbolExtractor::start(const std::string& program,
                                               std::chrono::milliseconds deadline) {
  auto impl = std::make_unique<Impl>();
  impl->program = program;
  impl->deadline = deadline;
  Result<void> spawned = impl->spawn();
  if (!spawned && spawned.error().code != ErrorCode::NotFound) {
    impl->sandbox = false;  // not every kernel or container lets ctags build its sandbox
    spawned = impl->spawn();
  }
  if (!spawned) return spawned.error();
  return SymbolExtractor(std::move(impl));
}

SymbolExtractor::SymbolExtractor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SymbolExtractor::SymbolExtractor(SymbolExtractor&&) noexcept = default;
SymbolExtractor& SymbolExtractor::operator=(SymbolExtractor&&) noexcept = default;
SymbolExtractor::~SymbolExtractor() = default;

std::string SymbolExtractor::source(const std::string& program) {
  std::string found = program;
  const char* const path = std::getenv("PATH");
  for (std::string_view folders = path ? path : ""; !folders.empty();) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
    const std::string file = fmt::format("{}/{}", folder, program);
    struct stat st;
    if (::access(file.c_str(), X_OK) != 0 || ::stat(file.c_str(), &st) != 0) continue;
    found = fmt::format("{} {} {}.{}", file, st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
    break;
  }
  const auto gigabytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                             static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) >>
                         30;
  return fmt::format("{}, {} processors, {} GiB", found, core_count(), gigabytes);
}

const std::string& SymbolExtractor::version() const { return impl_->version; }

Result<std::vector<Definition>> SymbolExtractor::definitions(std::string_view text,
                                                             std::string_view extension) {
  if (text.empty()) return std::vector<Definition>();
  std::string without_zeros;
  if (text.find('\0') != std::string_view::npos) {  // ctags miscounts lines after one
    without_zeros = text;
    std::replace(without_zeros.begin(), without_zeros.end(), '\0', ' ');
    text = without_zeros;
  }
  if (!impl_->child) KW_TRY(impl_->restart());
  const std::string header =
      fmt::format("{{\"command\":\"generate-tags\",\"filename\":\"x.{}\",\"size\":{}}}\n",
                  extension, text.size());
  const auto deadline = impl_->deadline * (1 + (text.size() >> 20));
  ++impl_->failures;
  switch (impl_->child->exchange(header, text, kCompleted, deadline)) {
    case CtagsChild::Outcome::TimedOut:
      return impl_->fail("did not answer in time");
    case CtagsChild::Outcome::Died:
      return impl_->fail("died");
    case CtagsChild::Outcome::TooLarge:
      return impl_->fail("said too much");
    case CtagsChild::Outcome::Complete:
      break;
  }
  std::optional<std::vector<Definition>> definitions =
      impl_->parser.definitions(impl_->child->reply());
  if (!definitions) return impl_->fail("gave an answer that is no JSON");
  impl_->failures = 0;
  return std::move(*definitions);
}

}  // namespace kw::indexer
