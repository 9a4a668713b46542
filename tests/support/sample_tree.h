// SPDX-License-Identifier: GPL-2.0-or-later
// A copy of the sample tree with an index of it, and this build's programs in the PATH.
#pragma once

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {

class SampleTree : public testing::Test {
 protected:
  SampleTree() {
    std::filesystem::copy(std::filesystem::path(KW_SOURCE_DIR) / "tools/sample", tree(),
                          std::filesystem::copy_options::recursive);
    const CommandResult indexed = run({"kwindex", "-q", tree().string()});
    EXPECT_EQ(indexed.exit_code, 0) << indexed.err;
  }

  std::filesystem::path tree() const { return dir_ / "skein"; }

  /// In the tree, where it is there.
  CommandResult run(const std::vector<std::string>& words, const std::string& input = {},
                    double timeout_seconds = 60) const {
    CommandOptions options;
    options.folder = tree().string();
    options.environment = {std::string("PATH=") + KW_BINARY_DIR + "/bin:" + std::getenv("PATH"),
                           "KWSEARCH_DB=", "TERM=dumb", "HOME=" + dir_.str()};
    options.input = input;
    options.timeout_seconds = timeout_seconds;
    return run_command(words, options);
  }

  bool is_installed(const std::string& program) const {
    return run({"sh", "-c", "command -v " + program}).exit_code == 0;
  }

  TempDir dir_;
};

}  // namespace kw::test
