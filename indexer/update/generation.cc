// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/update/generation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <vector>

#include "schema/text/text.h"

namespace fs = std::filesystem;

namespace kw::indexer {

NewGeneration::NewGeneration(const DatabaseFolder& folder, std::uint32_t number)
    : folder_(folder), number_(number), unfinished_(folder.unfinished_generation(number)) {}

namespace {

bool is_older_one_read(const DatabaseFolder& folder) {
  const auto live = folder.live_generation();
  const auto generations = folder.generations();
  return std::any_of(generations.begin(), generations.end(), [&](std::uint32_t n) {
    return !(live && *live == n) && ReaderLock::is_shared(folder.generation(n));
  });
}

}  // namespace

Result<NewGeneration> NewGeneration::begin(const DatabaseFolder& folder, double wait_seconds) {
  const auto from = std::chrono::steady_clock::now();
  while (is_older_one_read(folder)) {
    if (std::chrono::steady_clock::now() - from >= std::chrono::duration<double>(wait_seconds))
      return Error{ErrorCode::Locked,
                   fmt::format("an older state of index '{}' is still being exported or checked",
                               printable(folder.path())),
                   "wait for it, or use --wait SECONDS"};
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // flock(2) has no deadline
  }
  if (const auto live = folder.live_generation()) folder.remove_leftovers({*live});
  std::uint32_t last = 0;
  for (const std::uint32_t n : folder.generations()) last = std::max(last, n);
  const NewGeneration made(folder, last + 1);
  std::error_code error;
  if (!fs::create_directory(made.unfinished_, error))
    return Error{ErrorCode::Failed,
                 fmt::format("cannot create '{}': {}", printable(made.unfinished_),
                             errno_text(error.value())),
                 ""};
  return made;
}

std::string NewGeneration::batch(std::size_t number) const {
  return fmt::format("{}/batch-{}", unfinished_, number);
}

Result<std::uint64_t> NewGeneration::publish() const {
  KW_TRY(sync_tree(database()));
  const auto live = folder_.live_generation();
  const std::string finished = folder_.generation(number_);
  std::error_code error;
  fs::rename(database(), finished, error);
  if (error)
    return Error{
        ErrorCode::Failed,
        fmt::format("cannot create '{}': {}", printable(finished), errno_text(error.value())), ""};
  KW_TRY(folder_.switch_to(number_));
  std::vector<std::uint32_t> keep{number_};
  if (live) keep.push_back(*live);
  folder_.remove_leftovers(keep);
  return folder_bytes(finished);
}

void NewGeneration::abandon() const {
  std::error_code ignored;  // the next run tries again
  fs::remove_all(unfinished_, ignored);
}

}  // namespace kw::indexer
