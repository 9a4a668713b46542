// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/spill_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "tests/support/temp_dir.h"

namespace kw::exporter {
namespace {

/// A value of the environment while it lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    const char* before = std::getenv(name);
    if (before) before_ = before;
    had_ = before != nullptr;
    ::setenv(name, value.c_str(), 1);
  }
  ~Environment() { had_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::string before_;
  bool had_ = false;
};

TEST(SpillFile, GivesBackWhatWasAppendedAnywhere) {
  SpillFile spill = *SpillFile::create();
  std::vector<std::pair<std::uint64_t, std::string>> pieces;
  for (int i = 0; i < 3000; ++i) {
    pieces.emplace_back(spill.size(), std::string(static_cast<std::size_t>(i % 700),
                                                  static_cast<char>('a' + i % 26)));
    ASSERT_TRUE(spill.append(pieces.back().second));
  }
  ASSERT_TRUE(spill.flush());
  SpillReader reader(spill);
  for (std::size_t i = 0; i < pieces.size(); i += i % 7 + 1) {
    const auto& [begin, bytes] = pieces[i];
    EXPECT_EQ(*spill.read(begin, bytes.size()), bytes);
    EXPECT_EQ(*reader.read(begin, bytes.size()), bytes);
  }
  EXPECT_EQ(*reader.read(pieces[1].first, 1), pieces[1].second) << "backwards, too";
}

TEST(SpillFile, LiesInTheFolderForTemporaryFilesAndLeavesNothingThere) {
  const test::TempDir tmp;
  const Environment folder("TMPDIR", tmp.path().string());
  SpillFile spill = *SpillFile::create();
  ASSERT_TRUE(spill.append("text"));
  ASSERT_TRUE(spill.flush());
  EXPECT_TRUE(std::filesystem::is_empty(tmp.path()));
}

TEST(SpillFile, SaysThatThereIsNoPlaceForIt) {
  const test::TempDir tmp;
  const Environment folder("TMPDIR", (tmp.path() / "missing").string());
  const auto spill = SpillFile::create();
  ASSERT_FALSE(spill);
  EXPECT_EQ(spill.error().message,
            "cannot keep parts of the pages in a temporary file: no such file or directory");
  EXPECT_EQ(spill.error().hint, "see that TMPDIR or /tmp has room");
}

}  // namespace
}  // namespace kw::exporter
