// SPDX-License-Identifier: GPL-2.0-or-later
// A site as kwexport writes it, in headless Chromium and Firefox: tests/site/check_site.js and
// check_deployment.js say what is tried.
#include <gmock/gmock.h>

#include "tests/support/effort.h"
#include "tests/support/hostile_markdown.h"
#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace kw::test {
namespace {

bool has(const std::string& program) {
  return run_command({"sh", "-c", "command -v " + program}).exit_code == 0;
}

void make_site(const TempDir& folder) {
  write_file(folder / "tree/docs/aot/schemas.py_docs.md",
             "# schemas.py\n\n## Original Source\n\n```python\nclass ViewAndMutationMeta:\n"
             "    mutated: int\n\n    def merge(self, other):\n        return other\n```\n");
  write_file(folder / "tree/docs/aot/use.py_docs.md",
             "# use.py\n\n## Original Source\n\n```python\nfrom schemas import "
             "ViewAndMutationMeta\n\ndef use(x: ViewAndMutationMeta):\n    return x\n```\n");
  write_file(folder / "tree/docs/guide.md", "# Views\n\nA view of a mutation | `a|b` <b>.\n");
  std::string long_text = "# Contents\n\n```\none\ntwo\n\nfour\n```\n";
  for (const char* title : {"First", "Second", "Third", "Fourth"}) {
    long_text += std::string("\n## ") + title + "\n";
    for (int i = 0; i < 60; ++i) long_text += "\nA paragraph of a few words.\n";
  }
  write_file(folder / "tree/docs/contents.md", long_text);
  std::string code;
  for (int i = 1; i <= 3000; ++i) code += "long line_" + std::to_string(i) + "();\n";
  write_file(folder / "tree/src/long.c", code);
  std::string around = "class Outer {\n public:\n  int inner(int a)\n  {\n";
  for (int i = 0; i < 100; ++i) around += i == 50 ? "out:\n#if A\n// at the edge\n" : "    ++a;\n";
  around += "  }\n};\n\n";
  for (int i = 0; i < 100; ++i) around += "int after_" + std::to_string(i) + ";\n";
  write_file(folder / "tree/src/around.cc", around);
  write_file(folder / "tree/src/docs.py",
             "class Documented:\n    \"\"\"Says what it is.\n\n    More.\n    \"\"\"\n");
  write_file(folder / "tree/src/other.py", "from docs import Documented\n\nthing = Documented()\n");
  write_file(folder / "tree" / "<script>alert(1)<" / "script><img src=x onerror=alert(2)>.py",
             "def hostile_name():\n    return '</script><script>alert(4)</script>'\n");
  std::string hostile = "# Hostile\n\n![good](img/good.svg) ![evil](img/evil.svg)\n";
  for (const char* text : kHostileMarkdown)
    hostile += "\n<div>\n\n" + std::string(text) + "\n\n</div>\n\n" + text + "\n";
  write_file(folder / "tree/docs/hostile.md", hostile + "\nthe last line\n");
  write_file(folder / "tree/docs/img/good.svg",
             "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' "
             "height='9'/></svg>");
  write_file(folder / "tree/docs/img/evil.svg",
             "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(5)</script></svg>");
  ASSERT_EQ(run_command({"kwindex", (folder / "tree").string()}).exit_code, 0);
  const auto made = run_command({"kwexport", "--db", (folder / "tree").string(), "--format", "html",
                                 "--out", (folder / "si te#1").string()});
  ASSERT_EQ(made.exit_code, 0) << made.err;
}

class SiteInBrowser : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string browser = GetParam();
    if (browser != "chromium" && effort() == 1)
      GTEST_SKIP() << "tools/check --full tries the site in " << browser << ", too";
    for (const std::string& program : {std::string("node"), browser})
      if (!has(program)) GTEST_SKIP() << "there is no " << program << " to try the site in";
  }

  /// Runs a script of tests/site; `more` are what it takes behind the browser.
  static void check(const std::string& script, const std::vector<std::string>& more) {
    CommandOptions patient;
    patient.timeout_seconds = 900;  // two browsers on a busy machine
    std::vector<std::string> words = {"node", std::string(KW_SOURCE_DIR) + "/tests/site/" + script,
                                      GetParam()};
    words.insert(words.end(), more.begin(), more.end());
    const auto run = run_command(words, patient);
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  }
};

TEST_P(SiteInBrowser, SearchKeyboardHostileNamesAndNoScript) {
  const TempDir folder;
  make_site(folder);
  check("check_site.js", {(folder / "si te#1").string()});
}

TEST_P(SiteInBrowser, ADeploymentUnderOpenTabs) {
  if (effort() == 1) GTEST_SKIP() << "tools/check --full deploys a site under open tabs";
  const TempDir folder;
  check("check_deployment.js",
        {folder.path().string(), KW_BINARY_DIR "/bin/kwindex", KW_BINARY_DIR "/bin/kwexport"});
}

INSTANTIATE_TEST_SUITE_P(Browsers, SiteInBrowser, testing::Values("chromium", "firefox-esr"),
                         [](const auto& info) {
                           const std::string program = info.param;
                           return program.substr(0, program.find('-'));
                         });

}  // namespace
}  // namespace kw::test
