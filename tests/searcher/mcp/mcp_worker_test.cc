// SPDX-License-Identifier: GPL-2.0-or-later
#include "searcher/mcp/mcp_worker.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

namespace kw::search {
namespace {

TEST(McpWorker, AMessageThatKillsTheChildCostsItsAnswerAlone) {
  McpWorker worker([] {
    int asked = 0;
    return [asked](std::string_view message) mutable {
      if (message == "die") ::kill(::getpid(), SIGKILL);
      return std::string(message) + " " + std::to_string(++asked);
    };
  });
  EXPECT_EQ(worker.ask("a"), "a 1");
  EXPECT_EQ(worker.ask("b"), "b 2");
  EXPECT_EQ(worker.ask("die"), std::nullopt);
  EXPECT_EQ(worker.ask("c"), "c 1") << "of a new child";
  EXPECT_EQ(worker.ask(std::string(1 << 20, 'x')), std::string(1 << 20, 'x') + " 2");
  EXPECT_EQ(worker.ask(""), " 3");
}

}  // namespace
}  // namespace kw::search
