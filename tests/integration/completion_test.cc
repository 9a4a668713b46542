// SPDX-License-Identifier: GPL-2.0-or-later
// Completion scripts in the shells that they are for, and the words that kwsearch offers them.
#include <algorithm>

#include "tests/support/help_options.h"
#include "tests/support/sample_tree.h"

namespace kw::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using Words = std::vector<std::string>;

class Completion : public SampleTree {
 protected:
  static Words lines_of(const std::string& text) {
    Words lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }

  Words offered(const std::string& word) const {
    return lines_of(run({"kwsearch", "--complete=" + word}).out);
  }

  /// What bash would put in the place of the last word of a command line.
  Words in_bash(const std::string& line) const {
    const CommandResult result =
        run({"bash", "--norc", "-c",
             "COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'; COMP_LINE=$1 COMP_POINT=${#1}\n"
             "program=${1%% *}; source <($program --completion bash)\n"
             "complete -p $program >/dev/null || exit; _$program\n"
             "((${#COMPREPLY[@]})) && printf '%s\\n' \"${COMPREPLY[@]}\"",
             "x", line});
    EXPECT_EQ(result.err, "") << line;
    return lines_of(result.out);
  }

  /// What fish offers, without descriptions.
  Words in_fish(const std::string& line) const {
    const CommandResult result = run({"fish", "--no-config", "-c",
                                      "for p in kwindex kwsearch kwexport\n"
                                      "  $p --completion fish | source\nend\n"
                                      "complete -C $argv[1]",
                                      line});
    EXPECT_EQ(result.err, "") << line;
    Words words = lines_of(result.out);
    for (std::string& word : words) word.resize(std::min(word.find('\t'), word.size()));
    return words;
  }

  /// What zsh makes of a command line when Tab is hit at its end, read until `wanted` appears.
  std::string in_zsh(const std::string& line, const std::string& wanted) const {
    for (const char* program : {"kwindex", "kwsearch", "kwexport"})
      write_file(dir_ / "zsh" / (std::string("_") + program),
                 run({program, "--completion", "zsh"}).out);
    const CommandResult result =
        run({"zsh", "-f", "-c",
             "zmodload zsh/zpty\nzpty z zsh -f -i\n"
             "zpty -w z \"fpath=($1 \\$fpath); autoload -Uz compinit; compinit -u -D; PS1=\"\n"
             "zpty -w z \"print RE''ADY\"; zpty -r z out '*READY*'\n"
             "zpty -w -n z \"$2\"$'\\t'\n"
             "zpty -r z out \"*$3*\"; print -r -- \"$out\"; zpty -d z",
             "x", (dir_ / "zsh").string(), line, wanted});
    return result.out;
  }
};

TEST_F(Completion, OffersWordsOfAQuery) {
  EXPECT_THAT(offered(""), IsSupersetOf({"def:", "ident:", "lang:", "folder:", "section:"}));
  EXPECT_THAT(offered("StaleMet"), ElementsAre("StaleMetadataError"));
  EXPECT_THAT(offered("def:StaleMet"), ElementsAre("def:StaleMetadataError"));
  EXPECT_THAT(offered("ident:plan_b"), ElementsAre("ident:plan_buffers"));
  EXPECT_THAT(offered("def:S"), IsEmpty()) << "one letter is none";
  EXPECT_THAT(offered("S"), IsEmpty());
  EXPECT_THAT(offered("se"), Contains("section:"));
  EXPECT_THAT(offered("lang:p"), ElementsAre("lang:python"));
  EXPECT_THAT(offered("folder:docs/sk"), Contains("folder:docs/skein/csrc"));
  EXPECT_THAT(offered("ext:"), Contains("ext:md"));
  EXPECT_THAT(offered("section:a"), IsEmpty()) << "stems are no words";
  EXPECT_THAT(offered("no:thing"), IsEmpty());
  EXPECT_EQ(run({"kwsearch", "--complete=zzzz"}).exit_code, 1);
}

TEST_F(Completion, OffersNothingThatHarmsATerminal) {
  write_file(tree() / "new\nline/\x1b[31m/a.md", "# A\n");
  EXPECT_EQ(run({"kwindex", "-q"}).exit_code, 0);
  EXPECT_THAT(offered("folder:"), Not(Contains(HasSubstr("\x1b"))));
  EXPECT_THAT(offered("folder:"), Not(Contains("folder:new")));
}

TEST_F(Completion, EachScriptHasEveryOption) {
  for (const char* shell : {"bash", "zsh", "fish"})
    for (const char* program : {"kwindex", "kwsearch", "kwexport"}) {
      const std::string script = run({program, "--completion", shell}).out;
      for (const HelpOption& option : help_options(program))
        for (const std::string& name : option.names) {
          const bool is_fish = std::string(shell) == "fish";
          const bool is_long = name.starts_with("--");
          EXPECT_THAT(script, HasSubstr(!is_fish  ? name
                                        : is_long ? "-l " + name.substr(2)
                                                  : "-s " + name.substr(1)))
              << shell << " " << program;
        }
    }
  EXPECT_EQ(run({"kwsearch", "--completion", "csh"}).exit_code, 2);
}

TEST_F(Completion, InBash) {
  EXPECT_THAT(in_bash("kwsearch --resu"), ElementsAre("--results"));
  EXPECT_THAT(in_bash("kwsearch --color "), ElementsAre("auto", "always", "never"));
  EXPECT_THAT(in_bash("kwsearch --color=al"), ElementsAre("always"));
  EXPECT_THAT(in_bash("kwsearch -n "), IsEmpty()) << "a number";
  EXPECT_THAT(in_bash("kwsearch -l StaleMet"), ElementsAre("StaleMetadataError"));
  EXPECT_THAT(in_bash("kwsearch def:StaleMet"), ElementsAre("StaleMetadataError"))
      << "bash keeps what stands before the colon";
  EXPECT_THAT(in_bash("kwsearch lang:p"), ElementsAre("python"));
  EXPECT_THAT(in_bash("kwsearch sect"), ElementsAre("section:"));
  EXPECT_THAT(in_bash("kwsearch --db do"), ElementsAre("docs"));
  EXPECT_THAT(in_bash("kwsearch --config REA"), ElementsAre("README.md"));
  EXPECT_THAT(in_bash("kwindex do"), ElementsAre("docs"));
  EXPECT_THAT(in_bash("kwindex --symbols "), ElementsAre("ctags", "none"));
  EXPECT_THAT(in_bash("kwexport --format "), ElementsAre("md", "html"));
  EXPECT_THAT(in_bash("kwexport "), IsEmpty());
}

TEST_F(Completion, InFish) {
  if (!is_installed("fish")) GTEST_SKIP() << "there is no fish";
  EXPECT_THAT(in_fish("kwsearch --resu"), ElementsAre("--results"));
  EXPECT_THAT(in_fish("kwsearch --color "), ElementsAre("always", "auto", "never"));
  EXPECT_THAT(in_fish("kwsearch -l StaleMet"), ElementsAre("StaleMetadataError"));
  EXPECT_THAT(in_fish("kwsearch def:StaleMet"), ElementsAre("def:StaleMetadataError"));
  EXPECT_THAT(in_fish("kwsearch lang:p"), ElementsAre("lang:python"));
  EXPECT_THAT(in_fish("kwsearch --db do"), ElementsAre("docs/"));
  EXPECT_THAT(in_fish("kwsearch --config REA"), ElementsAre("README.md"));
  EXPECT_THAT(in_fish("kwindex do"), ElementsAre("docs/"));
  EXPECT_THAT(in_fish("kwexport --profile c"), ElementsAre("classic"));
  EXPECT_THAT(in_fish("kwexport REA"), IsEmpty()) << "it takes no argument";
}

TEST_F(Completion, InZsh) {
  if (!is_installed("zsh")) GTEST_SKIP() << "there is no zsh";
  const std::pair<const char*, const char*> cases[] = {
      {"kwsearch --resu", "--results"},
      {"kwsearch --color=al", "--color=always"},
      {"kwsearch -l StaleMet", "StaleMetadataError"},
      {"kwsearch def:StaleMet", "def:StaleMetadataError"},
      {"kwsearch lang:p", "lang:python"},
      {"kwsearch sect", "section:"},
      {"kwsearch --config REA", "README.md"},
      {"kwindex do", "docs/"},
      {"kwexport --profile c", "classic"}};
  for (const auto& [line, wanted] : cases) EXPECT_THAT(in_zsh(line, wanted), HasSubstr(wanted));
}

}  // namespace
}  // namespace kw::test
