// SPDX-License-Identifier: GPL-2.0-or-later
// tools/fetch_xapian and tools/fetch_gfm_spec beside an apt-get, a dpkg-query and source packages
// of our own: no network.
#include <gmock/gmock.h>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class FetchXapian : public testing::Test {
 protected:
  void SetUp() override {
    if (run_command({"sh", "-c", "command -v apt-config dpkg-architecture make"}).exit_code != 0)
      GTEST_SKIP() << "this is no Debian, or there is no dpkg-dev";
    program("dpkg-query", "echo installed 9.9-1");
    // Keeps what it is given, and has a source package if the folder `archive` is there.
    program("apt-get",
            "here=" + dir_.str() +
                "\necho run >>$here/runs\n"
                "[ $3 = update ] && exec cp -r $(dirname $2)/sources $(dirname $2)/apt.conf $here\n"
                "[ $4 = cmark-gfm ] && exec cp -r $here/gfm cmark-gfm-0.29\n"
                "[ $4 = xapian-core=9.9-1 ] && cp -r $here/archive xapian-core-9.9");
    write_file(dir_ / "etc/apt.conf", "Dir::Etc::sourcelist \"" + (dir_ / "etc/sources").string() +
                                          "\";\nDir::Etc::sourceparts \"" +
                                          (dir_ / "etc/parts").string() + "\";\n");
    write_file(dir_ / "etc/sources", "");
    fs::create_directories(dir_ / "etc/parts");
  }

  void program(const std::string& name, const std::string& script) const {
    executable(dir_ / "bin" / name, script);
  }

  static void executable(const fs::path& path, const std::string& script) {
    write_file(path, "#!/bin/sh\n" + script + "\n");
    fs::permissions(path, fs::perms::owner_all);
  }

  /// A source package whose library is the word `made`.
  void have_source(const std::string& recipe) const {
    executable(dir_ / "archive/configure",
               "printf 'libxapian.la:\\n\\tmkdir .libs; " + recipe + "\\n' >Makefile");
    write_file(dir_ / "archive/debian/copyright", "theirs\n");
  }

  CommandResult fetch(std::vector<std::string> words = {},
                      const std::string& tool = "fetch_xapian") const {
    words.insert(words.begin(), KW_SOURCE_DIR "/tools/" + tool);
    return run_command(words, {.folder = dir_.str(),
                               .environment = {"PATH=" + (dir_ / "bin:").string() + getenv("PATH"),
                                               "APT_CONFIG=" + (dir_ / "etc/apt.conf").string(),
                                               "XDG_CACHE_HOME=" + (dir_ / "cache").string()}});
  }

  /// Where the library belongs, as CMake asks.
  fs::path place() const {
    const std::string out = fetch({"--where"}).out;
    return out.substr(0, out.find('\n'));
  }

  TempDir dir_;
};

TEST_F(FetchXapian, BuildsOnceAndKeepsTheLibrary) {
  have_source("echo made >.libs/libxapian.a");
  EXPECT_EQ(fetch({"--where"}).out, place().string() + "\n9.9-1\n");
  EXPECT_EQ(place().parent_path(), dir_ / "cache/kwsearch");
  EXPECT_FALSE(fs::exists(dir_ / "cache")) << "asking writes nothing";

  const CommandResult first = fetch();
  EXPECT_EQ(first.exit_code, 0) << first.out << first.err;
  EXPECT_THAT(first.out, HasSubstr("building xapian-core 9.9-1"));
  EXPECT_EQ(read_text(place() / "libxapian.a"), "made\n");

  const std::string runs = read_text(dir_ / "runs");
  const CommandResult second = fetch();
  EXPECT_EQ(second.exit_code, 0);
  EXPECT_EQ(second.out, "    xapian-core 9.9-1, static, is in " + place().string() + "\n");
  EXPECT_EQ(read_text(dir_ / "runs"), runs) << "nothing is downloaded again";
}

TEST_F(FetchXapian, AnotherVersionOrCompilerHasAPlaceOfItsOwn) {
  const fs::path first = place();
  program("dpkg-query", "echo installed 9.9-2");
  const fs::path newer = place();
  program("c++", "[ $1 = --version ] && echo c++ 77 || echo some-machine");
  EXPECT_NE(first, newer);
  EXPECT_NE(newer, place());
}

TEST_F(FetchXapian, SaysInOneLineWhyTheSharedLibraryIsUsed) {
  const auto expect_reason = [&](const std::string& reason) {
    const CommandResult result = fetch();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.out, HasSubstr("    the shared library of Xapian is used: " + reason));
    EXPECT_FALSE(fs::exists(place()));
  };
  expect_reason("the source of xapian-core 9.9-1 is not at hand");
  have_source("false");
  expect_reason("xapian-core 9.9-1 does not build here");
  program("dpkg-query", "exit 1");
  const CommandResult result = fetch();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out,
            "    the shared library of Xapian is used: libxapian-dev is not installed\n");
}

TEST_F(FetchXapian, TakesTheSourcesOfTheMachine) {
  write_file(dir_ / "etc/sources",
             "# a comment\n"
             "deb [arch=amd64 signed-by=/k.gpg] http://a.invalid/debian stable main contrib\n"
             "deb-src [arch=amd64 signed-by=/k.gpg] http://a.invalid/debian stable main contrib\n"
             "deb cdrom:[Disc 1]/ stable main\n"
             "# deb http://b.invalid/debian old main\n");
  write_file(dir_ / "etc/parts/security.list",
             "deb http://s.invalid/security stable-security main\n");
  write_file(dir_ / "etc/parts/c.sources",
             "Types: deb deb-src\nURIs: http://c.invalid/debian\nSuites: stable\nComponents: main\n"
             "Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n");
  write_file(dir_ / "etc/parts/off.list.disabled", "deb http://d.invalid/debian stable main\n");
  fetch();
  EXPECT_EQ(read_text(dir_ / "sources/all.list"),
            "deb-src [arch=amd64 signed-by=/k.gpg] http://a.invalid/debian stable main contrib\n"
            "deb-src http://s.invalid/security stable-security main\n");
  EXPECT_EQ(read_text(dir_ / "sources/c.sources"),
            "Types: deb-src\nURIs: http://c.invalid/debian\nSuites: stable\nComponents: main\n"
            "Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n");
  // The lists of the system stay as they are.
  EXPECT_THAT(read_text(dir_ / "apt.conf"), HasSubstr("Dir::State::lists \""));
  EXPECT_THAT(read_text(dir_ / "apt.conf"), Not(HasSubstr("\"/var")));
}

TEST_F(FetchXapian, TheSpecificationOfMarkdownLikewise) {
  const CommandResult without = fetch({}, "fetch_gfm_spec");
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_EQ(without.out, "    the source of cmark-gfm is not at hand (no apt, or no network)\n");
  write_file(dir_ / "gfm/test/spec.txt", "theirs\n");
  const fs::path spec = dir_ / "cache/kwsearch/gfm-spec.txt";
  const CommandResult first = fetch({}, "fetch_gfm_spec");
  EXPECT_EQ(first.exit_code, 0) << first.out << first.err;
  EXPECT_EQ(read_text(spec), "theirs\n");
  const std::string runs = read_text(dir_ / "runs");
  EXPECT_EQ(fetch({}, "fetch_gfm_spec").out, "    " + spec.string() + " is there\n");
  EXPECT_EQ(read_text(dir_ / "runs"), runs) << "nothing is downloaded again";
}

}  // namespace
}  // namespace kw::test
