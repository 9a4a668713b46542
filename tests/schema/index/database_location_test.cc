// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/index/database_location.h"

#include <gmock/gmock.h>

#include "schema/base/bounds.h"
#include "schema/index/database_dir.h"
#include "tests/support/temp_dir.h"

namespace kw {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Stub, Lines) {
  const std::string text =
      "# parts of a tree\n"
      "\n"
      "auto parts/1\n"
      "  auto\t/srv/my parts/2  \r\n"
      "remote search-2.example:7700\n"
      "remote 10.0.0.1:1\n"
      "remote [::1]:65535";
  const auto places = parse_stub(text, "/etc/kw/all.stub");
  ASSERT_TRUE(places) << places.error().message;
  EXPECT_THAT(*places,
              ElementsAre(DatabaseLocation("/etc/kw/parts/1"), DatabaseLocation("/srv/my parts/2"),
                          DatabaseLocation("search-2.example", 7700),
                          DatabaseLocation("10.0.0.1", 1), DatabaseLocation("::1", 65535)));
  EXPECT_EQ((*places)[2].name(), "search-2.example:7700");
  EXPECT_EQ((*places)[4].name(), "[::1]:65535");
  EXPECT_EQ((*places)[0].name(), "/etc/kw/parts/1");
}

// Each is refused by its line, whatever good lines stand before it.
TEST(Stub, RefusedLines) {
  const struct {
    std::string line, said;
  } cases[] = {
      {"remote :xapian-progsrv /srv/x", "it names a program to run"},
      {"remote  :/bin/sh", "it names a program to run"},
      {"remote\t:sh -c id", "it names a program to run"},
      {"remote", "'' is no HOST:PORT"},
      {"remote host", "no HOST:PORT"},
      {"remote host:", "no HOST:PORT"},
      {"remote host:0", "no HOST:PORT"},
      {"remote host:65536", "no HOST:PORT"},
      {"remote host:-1", "no HOST:PORT"},
      {"remote host:+1", "no HOST:PORT"},
      {"remote host: 1", "no HOST:PORT"},
      {"remote host:1x", "no HOST:PORT"},
      {"remote ho st:1", "no HOST:PORT"},
      {"remote -host:1", "no HOST:PORT"},
      {"remote ho;st:1", "no HOST:PORT"},
      {"remote ::1:1", "it names a program to run"},
      {"remote []:1", "no HOST:PORT"},
      {"remote [a/b]:1", "no HOST:PORT"},
      {"remote ssh:host", "no HOST:PORT"},
      {"remote " + std::string(300, 'a') + ":1", "no HOST:PORT"},
      {"ssh host xapian-progsrv", "'ssh' is no kind of place"},
      {"inmemory", "'inmemory' is no kind of place"},
      {"glass parts/1", "'glass' is no kind of place"},
      {"/srv/parts/1", "'/srv/parts/1' is no kind of place"},
      {"AUTO parts/1", "'AUTO' is no kind of place"},
      {"auto", "the folder is missing"},
      {"auto  ", "the folder is missing"},
      {"auto a\x1b[2J", "a control character"},
      {std::string("auto a\0b", 8), "a control character"},
      {"\x7f"
       "ELF\x02",
       "a control character"},
  };
  for (const auto& c : cases) {
    const auto places = parse_stub("auto good\n\n# more\n" + c.line + "\nauto good\n", "x.stub");
    ASSERT_FALSE(places) << c.line;
    EXPECT_EQ(places.error().code, ErrorCode::Refused) << c.line;
    EXPECT_THAT(places.error().message,
                AllOf(HasSubstr("'x.stub': line 4: "), HasSubstr(c.said), Not(HasSubstr("\x1b"))))
        << c.line;
    EXPECT_LT(places.error().message.size(), 200u) << "however long the line is";
    EXPECT_THAT(places.error().hint, HasSubstr("remote HOST:PORT"));
  }
}

TEST(Stub, NothingInIt) {
  for (const char* text : {"", "\n\n", "# auto a\n", "   \r\n"}) {
    const auto places = parse_stub(text, "x.stub");
    ASSERT_FALSE(places) << text;
    EXPECT_THAT(places.error().message, HasSubstr("names no database"));
  }
}

// Bound: a list of databases
TEST(Stub, TooMany) {
  std::string text;
  for (std::size_t i = 0; i < kMaxPlaces; ++i) text += "auto " + std::to_string(i) + "\n";
  ASSERT_TRUE(parse_stub(text, "x.stub"));
  const auto places = parse_stub(text + "auto x\n", "x.stub");
  ASSERT_FALSE(places);
  EXPECT_THAT(places.error().message, HasSubstr("line 1001: more than 1000 databases"));
}

// Bound: a list of databases
TEST(Place, OfWhatAPersonNames) {
  const test::TempDir dir;
  test::write_file(dir / "tree/.kwsearch/XAPIANDB", "auto gen-1\n");
  test::write_file(dir / "all.stub", "auto tree\nremote h:1\n");
  test::write_file(dir / "nested.stub", "auto all.stub\n");
  const std::string large = "auto tree\n";
  test::write_file(dir / "large.stub", large + std::string(kMaxStubBytes - large.size(), '\n'));
  test::write_file(dir / "larger.stub", large + std::string(kMaxStubBytes, '\n'));
  const std::string database = (dir / "tree/.kwsearch").string();
  EXPECT_THAT(*places_of((dir / "tree").string()), ElementsAre(DatabaseLocation(database)));
  EXPECT_THAT(*places_of((dir / "nowhere").string()),
              ElementsAre(DatabaseLocation((dir / "nowhere").string())));
  EXPECT_THAT(*places_of((dir / "all.stub").string()),
              ElementsAre(DatabaseLocation(database), DatabaseLocation("h", 1)));
  const auto nested = places_of((dir / "nested.stub").string());
  ASSERT_FALSE(nested);
  EXPECT_THAT(nested.error().message, HasSubstr("line 1: it names a file; stub files do not nest"));
  EXPECT_TRUE(places_of((dir / "large.stub").string()));
  const auto larger = places_of((dir / "larger.stub").string());
  ASSERT_FALSE(larger);
  EXPECT_THAT(larger.error().message, HasSubstr("is larger than 1.0 MB"));
}

// A tree may bring them, and would say where to connect.
TEST(Stub, NotWhereATreeHasItsDatabase) {
  const test::TempDir dir;
  std::filesystem::create_directories(dir / "tree/.kwsearch");
  std::filesystem::create_directories(dir / "other");
  test::write_file(dir / "tree/.kwsearch/XAPIANDB", "remote h:1\n");
  test::write_file(dir / "other/.kwsearch", "remote h:1\n");
  std::filesystem::create_symlink(dir / "other/.kwsearch", dir / "link");
  std::filesystem::create_directories(dir / "third");
  test::write_file(dir / "list", "remote h:1\n");
  std::filesystem::create_symlink(dir / "list", dir / "third/.kwsearch");
  EXPECT_TRUE(places_of((dir / "list").string()));
  for (const char* name :
       {"tree/.kwsearch/XAPIANDB", "other/.kwsearch", "link", "third/.kwsearch"}) {
    const auto places = places_of((dir / name).string());
    ASSERT_FALSE(places) << name;
    EXPECT_EQ(places.error().code, ErrorCode::Refused) << name;
    EXPECT_EQ(places.error().hint, "give a list of databases another name") << name;
  }
}

}  // namespace
}  // namespace kw
