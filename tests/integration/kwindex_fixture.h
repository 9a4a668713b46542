// SPDX-License-Identifier: GPL-2.0-or-later
// A folder with a tree to index, and the real kwindex to do it.
#pragma once

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {

namespace fs = std::filesystem;

class KwindexTest : public testing::Test {
 protected:
  const fs::path& root() const { return root_; }
  fs::path database() const { return root_ / ".kwsearch"; }

  CommandResult run(std::vector<std::string> words, CommandOptions options = {}) const {
    words.insert(words.begin(), "kwindex");
    if (options.folder.empty()) options.folder = dir_.str();
    return run_command(words, options);
  }

  /// `kwindex tree --json WORDS`: it must succeed.
  nlohmann::json index(std::vector<std::string> words = {}, int code = 0) const {
    words.insert(words.begin(), {"tree", "--json"});
    const CommandResult result = run(words);
    EXPECT_EQ(result.exit_code, code) << result.err;
    const auto json = nlohmann::json::parse(result.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << result.out;
    return json;
  }

  static std::string dump(const fs::path& database) {
    const CommandResult result = run_command({"kwdump", database.string()});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  /// The dump of an index that is made of the tree as it is now, beside it.
  std::string fresh_dump(std::vector<std::string> words = {}) const {
    fs::remove_all(dir_ / "fresh");
    words.insert(words.begin(), {"tree", "--db", "fresh"});
    const CommandResult result = run(words);
    EXPECT_THAT(result.exit_code, testing::AnyOf(0, 3)) << result.err;
    return dump(dir_ / "fresh");
  }

  /// Puts a copy of the index away, and the copy back into the same folder: another folder would be
  /// another index, of which kwindex has no record.
  void save_index() const {
    fs::remove_all(dir_ / "saved");
    fs::copy(database(), dir_ / "saved", fs::copy_options::recursive);
  }
  void restore_index() const {
    for (const auto& entry : fs::directory_iterator(database())) fs::remove_all(entry.path());
    fs::copy(dir_ / "saved", database(), fs::copy_options::recursive);
  }

  /// Name, size, times and inode of every file of the index but status.json and the lock.
  std::map<std::string, std::vector<std::int64_t>> index_files() const {
    std::map<std::string, std::vector<std::int64_t>> files;
    for (const auto& entry : fs::recursive_directory_iterator(database())) {
      const std::string name = entry.path().lexically_relative(database()).string();
      struct stat st;
      if (name == "status.json" || name == "lock" || ::lstat(entry.path().c_str(), &st) != 0)
        continue;
      files[name] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
                     static_cast<std::int64_t>(st.st_ino)};
    }
    return files;
  }

  TempDir dir_;
  fs::path root_ = dir_ / "tree";
};

}  // namespace kw::test
