// SPDX-License-Identifier: GPL-2.0-or-later
// What a server may send, to the byte. How searches end where a server sends more, or none of it in
// time: tests/integration/shards_test.cc.
#include "searcher/engine/server_watch.h"

#include <gmock/gmock.h>

#include "tests/support/index_builder.h"
#include "tests/support/run_command.h"
#include "tests/support/served_index.h"
#include "tests/support/temp_dir.h"

namespace kw::search {
namespace {

using test::BreakingProxy;

// Bound: what a server sends for a search
TEST(ServerWatch, WhatAServerSendsHasABound) {
  if (test::run_command({"sh", "-c", "command -v xapian-tcpsrv"}).exit_code != 0)
    GTEST_SKIP() << "xapian-tcpsrv (Debian package xapian-tools) is missing";
  const test::TempDir dir;
  test::build_index(dir / "index", {{"a.md", "# A plan\n\nwords\n"}});
  const test::ServedIndex server((dir / "index").string());
  std::size_t sent = 0;
  const auto fault_with = [&](std::uint64_t most) {
    BreakingProxy proxy(server.port(), std::size_t{1} << 30, BreakingProxy::Then::Close);
    const DatabaseLocation place("127.0.0.1", proxy.port());
    ServerWatch watch(60, most);
    const auto reader = watch.open(place);
    watch.blame_greatest();  // which looks at the connections; it has not sent much
    sent = proxy.passed();
    return watch.fault_of(place);
  };
  EXPECT_FALSE(fault_with(1 << 20));
  ASSERT_GT(sent, 100u);
  EXPECT_FALSE(fault_with(sent));
  const auto over = fault_with(sent - 1);
  ASSERT_TRUE(over);
  EXPECT_THAT(over->message, testing::HasSubstr("it sends too much"));
}

}  // namespace
}  // namespace kw::search
