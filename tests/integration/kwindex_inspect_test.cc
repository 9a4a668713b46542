// SPDX-License-Identifier: GPL-2.0-or-later
// kwindex --status, --skipped and --check, and what kwsearch says of files that were left out.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <functional>

#include "schema/base/descriptor.h"
#include "schema/base/xapian_api.h"
#include "schema/index/fields.h"
#include "schema/index/metadata.h"
#include "tests/integration/kwindex_fixture.h"

namespace kw::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;

class KwindexInspect : public KwindexTest {
 protected:
  KwindexInspect() {
    make_tree(root(), {{"docs/core.py_docs.md",
                        "# Core\n\n## Source\n\n```python\nclass ViewMeta:\n    pass\n```\n"},
                       {"src/core.py", "class ViewMeta:\n    def run_it(self):\n        pass\n"},
                       {"latin1.md", "# Caf\xE9\n"},
                       {"marked.md", "\xEF\xBB\xBF# Marked\n"},
                       {"wide.md", std::string("\xFF\xFE#\0 \0W\0", 8)},
                       {"odd-\xE9.bin", std::string(3, '\0')},
                       {"large.md", "# Large\n" + std::string(2000, 'x') + "\n"}});
    index({"--max-file-size", "1K"});
  }

  nlohmann::json ask(const char* question, int code = 0) const {
    const CommandResult result = run({"tree", question, "--json"});
    EXPECT_EQ(result.exit_code, code) << result.err;
    const auto json = nlohmann::json::parse(result.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << result.out;
    return json;
  }

  Xapian::WritableDatabase open_database() const {
    return Xapian::WritableDatabase((database() / "gen-1").string(), Xapian::DB_OPEN);
  }
};

TEST_F(KwindexInspect, Status) {
  const auto json = ask("--status");
  EXPECT_EQ(json["root"], root().string());
  EXPECT_EQ(json["database"], database().string());
  EXPECT_EQ(json["generation"], 1);
  EXPECT_EQ(json["current"], true);
  EXPECT_EQ(json["options"]["max-file-size"], 1024);
  EXPECT_EQ(json["files"], 5);
  EXPECT_GT(json["bytes"], 0);
  EXPECT_GT(json["disk_bytes"], json["bytes"]);
  EXPECT_THAT(json["last_run"]["started"].get<std::string>(), MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_EQ(json["last_run"]["indexed"], 5);
  EXPECT_EQ(json["last_run"]["removed"], 0);
  EXPECT_EQ(json["skipped"], (nlohmann::json{{"binary", 1}, {"too large", 1}}));
  EXPECT_TRUE(json["locked_by"].is_null());
  const CommandResult text = run({"tree", "--status"});
  EXPECT_THAT(text.out, AllOf(HasSubstr("\nfiles     5 ("), HasSubstr(": 5 indexed, 0 removed\n"),
                              HasSubstr("\nskipped   1 binary, 1 too large\n")));
  fs::remove(root() / "src/core.py");
  index();
  EXPECT_EQ(ask("--status")["last_run"]["removed"], 1);
}

TEST_F(KwindexInspect, StatusOfWhatIsNotAsItShouldBe) {
  {
    const Descriptor lock(::open((database() / "lock").c_str(), O_RDWR | O_CLOEXEC));
    ASSERT_EQ(::flock(lock.get(), LOCK_EX), 0);
    EXPECT_EQ(ask("--status")["locked_by"], ::getpid());
    EXPECT_EQ(run({"tree", "--check"}).exit_code, 0) << "a check needs no writer's lock";
  }
  open_database().set_metadata(std::string(key_of(Meta::Version)), "0");
  EXPECT_EQ(ask("--status")["schema"], 0);
  EXPECT_EQ(ask("--status")["current"], false);
  EXPECT_THAT(run({"tree", "--status"}).out, HasSubstr("rebuilt by the next run"));
  fs::remove(database() / "status.json");
  EXPECT_TRUE(ask("--status")["last_run"].is_null());
  const CommandResult skipped = run({"tree", "--skipped"});
  EXPECT_EQ(skipped.exit_code, 2) << "an empty list would be a lie";
  EXPECT_THAT(skipped.err, AllOf(HasSubstr("not known"), HasSubstr("\nhint: ")));
  for (const char* question : {"--status", "--skipped", "--check"}) {
    const CommandResult none = run({"elsewhere", question});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.err, AllOf(HasSubstr("error: "), HasSubstr("\nhint: ")));
    EXPECT_FALSE(fs::exists(dir_ / "elsewhere")) << "asking creates nothing";
  }
}

TEST_F(KwindexInspect, Skipped) {
  EXPECT_EQ(run({"tree", "--skipped"}).out, "too large  large.md\nbinary     odd-\\xe9.bin\n");
  const auto list = ask("--skipped")["skipped"];
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0], (nlohmann::json{{"path", "large.md"}, {"reason", "too large"}}));
  EXPECT_EQ(list[1]["path"], "odd-\xEF\xBF\xBD.bin");
  EXPECT_EQ(list[1]["path_bytes"], "b2RkLekuYmlu");
}

TEST_F(KwindexInspect, ASearchSaysWhatMightHaveMatched) {
  const auto search = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"kwsearch", "--db", root().string()});
    return run_command(words);
  };
  const std::string note =
      "kwsearch: note: 1 file is not in the index and might have matched: 1 too large\n"
      "hint: see them with: kwindex --skipped\n";
  EXPECT_EQ(search({"ViewMeta"}).err, note);
  EXPECT_THAT(search({"nothing_like_it"}).err, HasSubstr(note));
  EXPECT_EQ(search({"-c", "ViewMeta"}).err, note);
  EXPECT_THAT(search({"-q", "ViewMeta"}).err, IsEmpty());
  index({"--reset"});
  EXPECT_THAT(search({"ViewMeta"}).err, IsEmpty()) << "binary files hold no text";
}

TEST_F(KwindexInspect, CheckOfAGoodIndex) {
  EXPECT_EQ(ask("--check"),
            (nlohmann::json{{"files", 5}, {"faults", 0}, {"first", nlohmann::json::array()}}));
  write_file(root() / "src/core.py", "class Other:\n    pass\n");
  index();
  EXPECT_EQ(run({"tree", "--check"}).out, "checked 5 files: no fault\n");
}

TEST_F(KwindexInspect, CheckFindsWhatDoesNotFit) {
  const auto change = [](Xapian::WritableDatabase& db,
                         const std::function<void(Xapian::Document&)>& f) {
    Xapian::Document document = db.get_document(1);
    f(document);
    db.replace_document(1, document);
  };
  struct Case {
    const char* why;
    std::function<void(Xapian::Document&)> change;
    const char* said;
  };
  const Case cases[] = {
      {"a record cut short",
       [](Xapian::Document& d) { d.set_data(d.get_data().substr(0, d.get_data().size() / 2)); },
       "docs/core.py_docs.md: "},
      {"no record", [](Xapian::Document& d) { d.set_data(""); }, "docs/core.py_docs.md: "},
      {"a term too many", [](Xapian::Document& d) { d.add_term("nosuchword"); },
       "its terms do not fit its record: 'nosuchword' for "},
      {"a term too few", [](Xapian::Document& d) { d.remove_term("Score"); },
       "its terms do not fit its record: "},
      {"a count", [](Xapian::Document& d) { d.add_term("Score"); },
       "its terms do not fit its record: 'Score' for 'Score'"},
      {"a path", [](Xapian::Document& d) { d.add_value(slot_of(Field::Path), "other.md"); },
       "its record is of another path"},
      {"no path", [](Xapian::Document& d) { d.remove_value(slot_of(Field::Path)); },
       "4 of its 5 documents have a path"},
  };
  save_index();
  for (const Case& c : cases) {
    SCOPED_TRACE(c.why);
    restore_index();
    {
      Xapian::WritableDatabase db = open_database();
      change(db, c.change);
    }
    const CommandResult result = run({"tree", "--check"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, AllOf(HasSubstr(c.said), Not(HasSubstr("no fault"))));
    EXPECT_THAT(result.err, HasSubstr("hint: rebuild it with: kwindex --rebuild"));
    EXPECT_GE(ask("--check", 2)["faults"], 1);
  }
}

TEST_F(KwindexInspect, ADamagedFileIsFoundAndNeverCrashes) {
  const std::string whole = dump(database());
  save_index();
  int found = 0, tried = 0;
  for (const auto& entry : fs::directory_iterator(dir_ / "saved/gen-1")) {
    const std::string bytes = read_text(entry.path());
    const std::string name = "gen-1/" + entry.path().filename().string();
    if (bytes.empty()) continue;
    const auto check = [&](const std::string& damaged, const std::string& how) {
      SCOPED_TRACE(name + ": " + how);
      write_file(database() / name, damaged);
      const CommandResult checked = run({"tree", "--check"});
      EXPECT_THAT(checked.exit_code, testing::AnyOf(0, 2)) << checked.err;
      const CommandResult dumped = run_command({"kwdump", database().string()});
      if (checked.exit_code == 0) {
        EXPECT_EQ(dumped.out, whole) << "a damage that matters";
      }
      EXPECT_THAT(dumped.exit_code, testing::AnyOf(0, 2)) << dumped.err;
      for (const char* word : {"ViewMeta", "core"}) {
        const CommandResult searched = run_command({"kwsearch", "--db", root().string(), word});
        EXPECT_THAT(searched.exit_code, testing::AnyOf(0, 1, 2)) << searched.err;
      }
      ++tried;
      found += checked.exit_code == 2;
      write_file(database() / name, bytes);
    };
    check(bytes.substr(0, bytes.size() / 2), "cut short");
    check("", "emptied");
    for (int i = 0; i < 8; ++i) {
      std::string damaged = bytes;
      const std::size_t at = (bytes.size() - 1) * static_cast<std::size_t>(i) / 8;
      for (std::size_t k = at; k < std::min(at + 16, bytes.size()); ++k) damaged[k] ^= 0x5A;
      check(damaged, fmt::format("overwritten at {}", at));
    }
  }
  EXPECT_GT(found, tried / 3);
  EXPECT_EQ(run({"tree", "--rebuild"}).exit_code, 0) << "and the next run repairs";
  EXPECT_EQ(run({"tree", "--check"}).exit_code, 0);
}

TEST_F(KwindexInspect, AFolderThatMayNotBeWritten) {
  for (const auto& entry : fs::recursive_directory_iterator(database()))
    fs::permissions(entry, entry.is_directory() ? fs::perms(0555) : fs::perms(0444));
  fs::permissions(database(), fs::perms(0555));
  const auto unprivileged = [](std::vector<std::string> words) {
    words[0] = std::string(KW_BINARY_DIR) + "/bin/" + words[0];
    if (::geteuid() == 0)
      words.insert(words.begin(),
                   {"setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"});
    return run_command(words);
  };
  for (const char* question : {"--status", "--skipped", "--check"}) {
    const CommandResult result = unprivileged({"kwindex", root().string(), question});
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
  EXPECT_EQ(unprivileged({"kwsearch", "--db", root().string(), "ViewMeta"}).exit_code, 0);
  for (const char* format : {"md", "html"}) {
    const CommandResult pages = unprivileged({"kwexport", "--db", root().string(), "--format",
                                              format, "--out", (dir_ / format).string()});
    EXPECT_EQ(pages.exit_code, 0) << pages.err;
  }
  const CommandResult update = unprivileged({"kwindex", root().string()});
  EXPECT_EQ(update.exit_code, 2);
  EXPECT_THAT(update.err, AllOf(HasSubstr("lock"), HasSubstr("ermission denied")));
  fs::permissions(database(), fs::perms::owner_all);
  for (const auto& entry : fs::recursive_directory_iterator(database()))
    if (entry.is_directory()) fs::permissions(entry, fs::perms::owner_all);
}

}  // namespace
}  // namespace kw::test
