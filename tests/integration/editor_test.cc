// SPDX-License-Identifier: GPL-2.0-or-later
// kwsearch as what editors run: they jump to the line that it found. And links for terminals.
#include <cstring>
#include <sstream>

#include "tests/support/sample_tree.h"

namespace kw::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Editors : public SampleTree {
 protected:
  // Where the sample tree defines the class.
  const std::string place_ = "docs/skein/meta.py_docs.md";
  const std::string line_ = "73";
};

TEST_F(Editors, VimJumps) {
  if (!is_installed("vim")) GTEST_SKIP() << "there is no vim";
  run({"vim", "-es",
       "-u",  "NONE",
       "-c",  "set grepprg=kwsearch\\ --vimgrep grepformat=%f:%l:%c:%m",
       "-c",  "silent grep! ViewAndMutationMeta",
       "-c",  "cfirst",
       "-c",  "silent! /^class/",
       "-c",  "call writefile([expand('%'), len(getqflist()) > 5], 'first')",
       "-c",  "silent grep! def:ViewAndMutationMeta -m1",
       "-c",  "cfirst",
       "-c",  "call writefile([expand('%'), line('.'), col('.'), getline('.')], 'said')",
       "-c",  "qa!"});
  EXPECT_EQ(read_text(tree() / "said"),
            place_ + "\n" + line_ + "\n7\nclass ViewAndMutationMeta:\n");
  EXPECT_EQ(read_text(tree() / "first"), place_ + "\n1\n");
}

TEST_F(Editors, EmacsJumps) {
  if (!is_installed("emacs")) GTEST_SKIP() << "there is no emacs";
  const CommandResult result =
      run({"emacs", "-Q", "--batch", "--eval",
           "(progn (require 'grep) (grep \"kwsearch --vimgrep -m1 def:ViewAndMutationMeta\")"
           " (while (get-buffer-process \"*grep*\") (accept-process-output nil 0.05))"
           " (set-buffer \"*grep*\") (goto-char (point-min)) (next-error 1 t)"
           " (set-buffer (window-buffer (selected-window)))"
           " (princ (format \"%s:%d:%s\\n\" buffer-file-name (line-number-at-pos)"
           " (thing-at-point 'line t))))"});
  EXPECT_THAT(result.out, HasSubstr(place_ + ":" + line_ + ":class ViewAndMutationMeta:"))
      << result.err;
}

// The recipe of the guide, with --filter instead of keys.
TEST_F(Editors, FzfChoosesAndShows) {
  if (!is_installed("fzf")) GTEST_SKIP() << "there is no fzf";
  const std::string guide = read_text(std::filesystem::path(KW_SOURCE_DIR) / "docs/guide.md");
  const std::size_t begin = guide.find("kwsearch --vimgrep -n0 plan | fzf");
  ASSERT_NE(begin, std::string::npos);
  const std::string recipe = guide.substr(begin, guide.find('\n', begin) - begin);
  const std::string chosen =
      run({"bash", "-c", recipe + " --filter \"'Executor::plan_buffers\" | head -n 1"}).out;
  std::istringstream fields(chosen);
  std::string path, line, column, text;
  std::getline(std::getline(std::getline(fields, path, ':'), line, ':'), column, ':');
  std::getline(fields, text);
  EXPECT_THAT(text, HasSubstr("void Executor::plan_buffers")) << chosen;
  const std::size_t shown = recipe.find("--preview '") + std::strlen("--preview '");
  std::string preview = recipe.substr(shown, recipe.find('\'', shown) - shown);
  for (const auto& [field, value] : {std::pair{"{1}", path}, std::pair{"{2}", line}})
    preview.replace(preview.find(field), std::strlen(field), value);
  EXPECT_THAT(run({"bash", "-c", preview}).out, testing::StartsWith(text + "\n"));
}

TEST_F(Editors, LinksOnRequest) {
  write_file(tree() / "a b\x1b.md", "# A\n\nlinked_name\n");
  EXPECT_EQ(run({"kwindex", "-q"}).exit_code, 0);
  const std::string linked = run({"kwsearch", "--links", "--color=always", "linked_name"}).out;
  EXPECT_THAT(linked, HasSubstr("\x1b]8;;file://"));
  EXPECT_THAT(linked, HasSubstr(tree().string() + "/a%20b%1B.md\x1b\\"));
  EXPECT_THAT(linked, HasSubstr("\x1b]8;;\x1b\\")) << "it ends";
  for (const char* word : {"--color=always", "--links"})
    EXPECT_THAT(run({"kwsearch", word, "linked_name"}).out, Not(HasSubstr("\x1b]8")))
        << "not without being asked, nor into a pipe";
}

}  // namespace
}  // namespace kw::test
