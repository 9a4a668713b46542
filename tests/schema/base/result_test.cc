// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/base/result.h"

#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <string>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw {
namespace {

using testing::HasSubstr;

Result<int> number(bool good) {
  if (good) return 3;
  return Error{ErrorCode::NotFound, "no number", "try again"};
}

Result<void> nothing(bool good) {
  if (good) return {};
  return Error{ErrorCode::Locked, "not now", ""};
}

Result<std::unique_ptr<int>> twice(bool first, bool second) {
  KW_TRY(nothing(first));
  auto value = std::make_unique<int>(KW_TRY(number(second)) * 2);
  return value;
}

TEST(Result, ErrorsArePropagated) {
  EXPECT_EQ(**twice(true, true), 6) << "what can only be moved, too";
  EXPECT_EQ(twice(false, true).error().code, ErrorCode::Locked);
  EXPECT_EQ(twice(true, false).error().message, "no number");
  EXPECT_EQ(twice(true, false).error().hint, "try again");
  EXPECT_TRUE(nothing(true));
  EXPECT_FALSE(Result<bool>(Error{}));
  EXPECT_FALSE(**Result<std::optional<bool>>(false)) << "a value, which holds one";
}

TEST(Result, TryEvaluatesOnce) {
  int calls = 0;
  const auto count = [&]() -> Result<int> { return ++calls; };
  const auto run = [&]() -> Result<int> { return KW_TRY(count()); };
  EXPECT_EQ(*run(), 1);
}

TEST(Result, TheCompilerWarnsWhereOneIsIgnored) {
  const test::TempDir dir;
  const auto compile = [&](const std::string& body) {
    test::write_file(dir / "a.cc",
                     "#include \"schema/base/result.h\"\n"
                     "kw::Result<int> number();\nkw::Result<void> nothing();\n"
                     "void call() {" +
                         body + "}\n");
    return test::run_command({KW_CXX, "-std=c++20", "-fsyntax-only", "-Werror=unused-result", "-I",
                              KW_SOURCE_DIR, (dir / "a.cc").string()});
  };
  for (const char* const call : {"number();", "nothing();"}) {
    const test::CommandResult ignored = compile(call);
    EXPECT_NE(ignored.exit_code, 0) << call;
    EXPECT_THAT(ignored.err, HasSubstr("nodiscard"));
  }
  const test::CommandResult used = compile("static_cast<void>(number());");
  EXPECT_EQ(used.exit_code, 0) << used.err;
}

}  // namespace
}  // namespace kw
