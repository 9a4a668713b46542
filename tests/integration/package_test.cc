// SPDX-License-Identifier: GPL-2.0-or-later
// What is installed, and the Debian package: unpacked, installed into an empty root, used, removed.
#include <unistd.h>

#include <set>

#include "tests/support/sample_tree.h"

namespace kw::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::MatchesRegex;
using testing::Not;

class Package : public SampleTree {
 protected:
  /// But the copyright files of what is linked in, which depend on the build.
  static std::set<std::string> files_in(const fs::path& root) {
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(root))
      if (!entry.is_directory()) files.insert(entry.path().lexically_relative(root).string());
    std::erase_if(files, [](const std::string& f) { return f.find("/copyright.d/") != f.npos; });
    return files;
  }

  static std::set<std::string> expected(const std::string& prefix, const std::string& zsh) {
    std::set<std::string> files;
    for (const std::string program : {"kwindex", "kwsearch", "kwexport"})
      files.insert({prefix + "bin/" + program,
                    prefix + "share/bash-completion/completions/" + program,
                    prefix + "share/fish/vendor_completions.d/" + program + ".fish",
                    prefix + "share/zsh/" + zsh + "/_" + program,
                    prefix + "share/man/man1/" + program + ".1.gz"});
    for (const char* name :
         {"share/man/man5/kwsearch-database.5.gz", "share/man/man7/kwsearch-query.7.gz",
          "share/doc/kwsearch/copyright", "share/doc/kwsearch/changelog.gz",
          "share/lintian/overrides/kwsearch", "share/doc/kwsearch/CHANGELOG.md",
          "share/doc/kwsearch/README.md", "lib/systemd/system/kwindex@.service",
          "lib/systemd/system/kwindex@.timer", "lib/systemd/system/kwsearch-shard@.service"})
      files.insert(prefix + name);
    for (const std::string& file : files_in(fs::path(KW_SOURCE_DIR) / "docs"))
      if (!file.starts_with("man/")) files.insert(prefix + "share/doc/kwsearch/docs/" + file);
    return files;
  }

  /// The package of this build; empty if it could not be made.
  std::string make_package() {
    // Of a build with sanitizers, objdump reads tens of megabytes of symbols: a minute.
    constexpr double kTimeoutSeconds = 280;
    const CommandResult made =
        run({"cpack", "--config", std::string(KW_BINARY_DIR) + "/CPackConfig.cmake", "-G", "DEB",
             "-B", (dir_ / "cpack").string()},
            "", kTimeoutSeconds);
    EXPECT_EQ(made.exit_code, 0) << made.out << made.err;
    for (const auto& entry : fs::directory_iterator(dir_ / "cpack"))
      if (entry.path().extension() == ".deb") return entry.path().string();
    return {};
  }

  void holds_what_it_should(const std::string& package) const {
    const std::string version = run({"kwsearch", "--version"}).out;
    EXPECT_THAT(package, HasSubstr("/kwsearch_" + version.substr(9, version.size() - 10) + "_"))
        << "one version";
    EXPECT_THAT(read_text(fs::path(KW_SOURCE_DIR) / "CHANGELOG.md"),
                HasSubstr("\n## " + version.substr(9)));
    const std::string depends = run({"dpkg-deb", "-f", package, "Depends"}).out;
    for (const char* library : {"universal-ctags", "libc6", "libsimdjson14"})
      EXPECT_THAT(depends, HasSubstr(library));
    EXPECT_THAT(depends, Not(HasSubstr("-dev")));

    const fs::path root = dir_ / "unpacked";
    EXPECT_EQ(run({"dpkg-deb", "-x", package, root.string()}).exit_code, 0);
    EXPECT_EQ(files_in(root), expected("usr/", "vendor-completions"));
    EXPECT_THAT(read_text(root / "usr/lib/systemd/system/kwindex@.service"),
                HasSubstr("ExecStart=/usr/bin/kwindex "));
    names_what_is_linked_in(package, depends, root / "usr/share/doc/kwsearch");
    const CommandResult man =
        run({"man", "-l", (root / "usr/share/man/man1/kwsearch.1.gz").string()});
    EXPECT_THAT(man.out, HasSubstr("--vimgrep"));
    EXPECT_EQ(
        run({"bash", "-n", (root / "usr/share/bash-completion/completions/kwsearch").string()})
            .exit_code,
        0);
  }

  /// Xapian is a dependency or, in a static build, a source that the package names.
  void names_what_is_linked_in(const std::string& package, const std::string& depends,
                               const fs::path& docs) const {
    const std::string built_using = run({"dpkg-deb", "-f", package, "Built-Using"}).out;
    const std::string headers = run({"dpkg-deb", "-f", package, "Static-Built-Using"}).out;
    EXPECT_THAT(headers, HasSubstr("cli11 (= "));
    EXPECT_THAT(headers, AllOf(HasSubstr("tomlplusplus (= "), HasSubstr("tl-expected (= ")));
    EXPECT_TRUE(fs::exists(docs / "copyright.d/cli11"));
    const std::string copyright = read_text(docs / "copyright");
    if (built_using.find_first_not_of(" \n") == std::string::npos) {
      EXPECT_THAT(depends, HasSubstr("libxapian30"));
      EXPECT_THAT(copyright, Not(HasSubstr("xapian-core")));
    } else {
      EXPECT_THAT(built_using, MatchesRegex("xapian-core \\(= [0-9][^ ]*\\)\n"));
      EXPECT_THAT(depends, Not(HasSubstr("libxapian30")));
      EXPECT_THAT(copyright,
                  HasSubstr("  xapian-core " + built_using.substr(15, built_using.size() - 17)));
      EXPECT_THAT(read_text(docs / "copyright.d/xapian-core"), HasSubstr("GPL"));
    }
  }

  /// Installed into an empty root, used, removed.
  void leaves_nothing_but_databases(const std::string& package) const {
    const fs::path root = dir_ / "root";
    for (const char* folder : {"updates", "info"})
      fs::create_directories(root / "var/lib/dpkg" / folder);
    write_file(root / "var/lib/dpkg/status", "");
    const auto dpkg = [&](std::vector<std::string> words) {
      // Its libraries are this machine's, which dpkg does not know in that root.
      words.insert(words.begin(), {"dpkg", "--root=" + root.string(), "--force-depends",
                                   "--force-script-chrootless", "--log=/dev/null"});
      const CommandResult result = run(words);
      EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    };
    const auto installed = [&] {
      std::set<std::string> files = files_in(root);
      std::erase_if(files, [](const std::string& f) { return f.starts_with("var/lib/dpkg/"); });
      return files;
    };
    dpkg({"-i", package});
    EXPECT_EQ(installed(), expected("usr/", "vendor-completions"));
    fs::create_directories(root / "srv");
    fs::copy(tree() / "docs", root / "srv/docs", fs::copy_options::recursive);
    const std::string bin = (root / "usr/bin/").string(), docs = (root / "srv/docs").string();
    EXPECT_EQ(run({bin + "kwindex", "-q", docs}).exit_code, 0);
    EXPECT_EQ(run({bin + "kwsearch", "--db", docs, "-l", "-n1", "ViewAndMutationMeta"}).out,
              "skein/meta.py_docs.md\n");
    EXPECT_EQ(run({bin + "kwexport", "-q", "--db", docs, "--out", docs + "/pages"}).exit_code, 0);
    EXPECT_TRUE(fs::exists(root / "srv/docs/pages/skein/meta.py_docs.md_kw.md"));
    dpkg({"-P", "kwsearch"});
    for (const std::string& file : installed()) EXPECT_TRUE(file.starts_with("srv/")) << file;
    EXPECT_FALSE(fs::exists(root / "usr/share/doc/kwsearch"));
  }

  void is_clean(const std::string& package) const {
    const CommandResult lint =
        run({"lintian", "--allow-root", "--fail-on", "error,warning", package});
    EXPECT_EQ(lint.exit_code, 0) << lint.out << lint.err;
  }
};

TEST_F(Package, InstallsBelowAnyPrefix) {
  if (!is_installed("scdoc")) GTEST_SKIP() << "there is no scdoc";
  const fs::path prefix = dir_ / "local";
  const CommandResult installed =
      run({"cmake", "--install", KW_BINARY_DIR, "--prefix", prefix.string()});
  EXPECT_EQ(installed.exit_code, 0) << installed.err;
  EXPECT_EQ(files_in(prefix), expected("", "site-functions"));
  EXPECT_THAT(read_text(prefix / "lib/systemd/system/kwindex@.service"),
              HasSubstr("ExecStart=" + prefix.string() + "/bin/kwindex "));
  EXPECT_EQ(run({(prefix / "bin/kwsearch").string(), "-l", "-n1", "ViewAndMutationMeta"}).out,
            "docs/skein/meta.py_docs.md\n");
}

TEST_F(Package, TheDebianPackage) {
  if (!is_installed("scdoc") || !is_installed("dpkg-deb"))
    GTEST_SKIP() << "there is no scdoc, or no dpkg";
  const std::string package = make_package();  // takes a while: once for all
  ASSERT_NE(package, "");
  holds_what_it_should(package);
  std::string left_out;
  if (::geteuid() == 0)
    leaves_nothing_but_databases(package);
  else
    left_out += " its installation, which is for root alone";
  if (is_installed("lintian"))
    is_clean(package);
  else
    left_out += " lintian, which is not there";
  if (!left_out.empty()) GTEST_SKIP() << "tried, without" << left_out;
}

TEST_F(Package, ExamplesOfConfigurationAreGood) {
  const fs::path examples = fs::path(KW_SOURCE_DIR) / "docs/examples";
  fs::copy(examples / "kwsearch.toml", tree() / ".kwsearch.toml");
  fs::create_directories(dir_ / ".config/kwsearch");
  fs::copy(examples / "config.toml", dir_ / ".config/kwsearch/config.toml");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"env", "-u", "XDG_CONFIG_HOME", "kwindex", "-q"},
        {"env", "-u", "XDG_CONFIG_HOME", "kwsearch", "ViewAndMutationMeta"},
        {"env", "-u", "XDG_CONFIG_HOME", "kwexport", "-q", "--out", "pages"}}) {
    const CommandResult result = run(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
}

}  // namespace
}  // namespace kw::test
