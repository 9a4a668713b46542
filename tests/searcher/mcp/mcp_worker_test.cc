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

TEST(McpWorker, AMessageIsGivenUp) {
  McpWorker worker([] {
    return [](std::string_view message) {
      while (message == "for ever") ::pause();
      return std::string(message);
    };
  });
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  int reads = 0;
  const Interrupt interrupt{ends[0], [&] {
                              char byte = 0;
                              EXPECT_EQ(::read(ends[0], &byte, 1), 1);
                              ++reads;
                              return byte == '!' ? Interrupt::Then::GiveUp : Interrupt::Then::GoOn;
                            }};
  EXPECT_EQ(worker.ask("a", interrupt), "a");
  ASSERT_EQ(::write(ends[1], "..!", 3), 3);
  EXPECT_EQ(worker.ask("for ever", interrupt), std::nullopt);
  EXPECT_EQ(reads, 3);
  EXPECT_EQ(worker.ask("b", interrupt), "b");
  ::close(ends[1]);  // the end can always be read
  const Interrupt at_end{ends[0], [&] {
                           ++reads;
                           return Interrupt::Then::WatchNoMore;
                         }};
  for (int i = 0; i < 20; ++i) EXPECT_EQ(worker.ask("c", at_end), "c");
  ::close(ends[0]);
}

}  // namespace
}  // namespace kw::search
