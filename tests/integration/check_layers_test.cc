// SPDX-License-Identifier: GPL-2.0-or-later
// tools/check_layers: the libraries of this build include what they depend on and nothing else, and
// each kind of fault is found in a project made for it, built by the real ninja.
#include <gmock/gmock.h>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kTool = KW_SOURCE_DIR "/tools/check_layers";

TEST(CheckLayers, ThisBuildKeepsThem) {
  const CommandResult result = run_command({kTool, KW_BINARY_DIR, KW_SOURCE_DIR});
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(CheckLayers, FindsEachKindOfFault) {
  const std::string libraries =
      "kw_library(kw_base DEPENDS Threads SOURCES base/a.cc)\n"
      "kw_library(kw_top DEPENDS kw_base SOURCES top/b.cc)\n";
  const std::string circle =
      "kw_library(kw_base DEPENDS kw_top SOURCES base/a.cc)\n"
      "kw_library(kw_top DEPENDS kw_base SOURCES top/b.cc)\n";
  const struct {
    const char* name;
    std::string libraries, base, top, expected;
  } cases[] = {
      {"downwards", libraries, "", "#include \"schema/base/a.h\"\n", ""},
      {"upwards", libraries, "#include \"schema/top/b.h\"\n", "",
       "schema/base/a.cc:1: kw_base does not depend on kw_top (schema/top/b.h)"},
      {"a circle", circle, "", "", "circle: kw_base -> kw_top -> kw_base"},
      {"a circle in a library", libraries, "#include \"schema/base/c.h\"\n", "",
       "a circle of includes: schema/base/a <- schema/base/c <- schema/base/a"},
      {"one name, two classes", libraries, "namespace kw { struct X { int a; }; }\n",
       "namespace kw { struct X { char a; }; }\n",
       "kw::X is defined in schema/base/a.cc:1 and schema/top/b.cc:1"},
      {"a name of its own in each file", libraries, "namespace { struct X { int a; }; }\n",
       "namespace { struct X { char a; }; }\n", ""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    TempDir dir;
    make_tree(dir.path(),
              {{"schema/CMakeLists.txt", c.libraries},
               {"schema/base/a.h", "#pragma once\n"},
               {"schema/base/c.h", "#pragma once\n#include \"schema/base/a.h\"\n"},
               {"schema/top/b.h", "#pragma once\n"},
               {"schema/base/a.cc", c.base + "#include \"schema/base/a.h\"\n"},
               {"schema/top/b.cc", c.top + "#include \"schema/top/b.h\"\n"},
               {"build/build.ninja",
                "rule cc\n command = c++ -I.. -fsyntax-only -MMD -MF $out.d $in && touch $out\n"
                " deps = gcc\n depfile = $out.d\n"
                "build a.o: cc ../schema/base/a.cc\nbuild b.o: cc ../schema/top/b.cc\n"}});
    ASSERT_EQ(run_command({"ninja", "-C", dir.str() + "/build"}).exit_code, 0);
    const CommandResult result = run_command({kTool, dir.str() + "/build", dir.str()});
    EXPECT_EQ(result.out, c.expected.empty() ? "" : c.expected + "\n") << result.err;
    EXPECT_EQ(result.exit_code, c.expected.empty() ? 0 : 1);
  }
}

TEST(CheckLayers, AFolderThatIsNoBuildIsSaid) {
  TempDir dir;
  make_tree(dir.path(), {{"schema/CMakeLists.txt", ""}, {"build/build.ninja", ""}});
  const CommandResult result = run_command({kTool, dir.str() + "/build", dir.str()});
  EXPECT_THAT(result.out, HasSubstr("no include was found"));
  EXPECT_EQ(result.exit_code, 1);
}

}  // namespace
}  // namespace kw::test
