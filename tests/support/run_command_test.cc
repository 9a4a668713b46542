// SPDX-License-Identifier: GPL-2.0-or-later
// What a program is started with must not depend on what started the tests.
#include "tests/support/run_command.h"

#include <gmock/gmock.h>
#include <signal.h>

namespace kw::test {
namespace {

TEST(RunCommand, AChildIgnoresNoSignalOfOurs) {
  for (const int signal : {SIGINT, SIGQUIT, SIGPIPE}) {
    const auto before = ::signal(signal, SIG_IGN);
    const std::string line = "kill -" + std::to_string(signal) + " $$";
    EXPECT_EQ(run_command({"sh", "-c", line}).exit_code, 128 + signal) << line;
    ::signal(signal, before);
  }
}

}  // namespace
}  // namespace kw::test
