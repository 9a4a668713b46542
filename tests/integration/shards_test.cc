// SPDX-License-Identifier: GPL-2.0-or-later
// A tree in four parts, here and behind servers: the answers are those of one database, and what is
// said and done where a server is gone, silent, or none of ours.
#include <fmt/format.h>
#include <netdb.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <sstream>

#include "schema/base/xapian_api.h"
#include "tests/support/effort.h"
#include "tests/support/sample_tree.h"
#include "tests/support/served_index.h"

namespace kw::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

constexpr int kParts = 4;

/// The sample tree with files of chance beside it, so that scores are equal and nearly equal.
void grow(const std::filesystem::path& tree) {
  std::mt19937 random(11);
  const char* const words[] = {"view", "meta", "graph", "node", "input", "loss", "plan", "buffer"};
  const auto word = [&] { return std::string(words[random() % std::size(words)]); };
  for (int i = 0; i < 120; ++i) {
    std::string text = fmt::format("# {}\ndef {}_{}(self):\n", word(), word(), word());
    for (std::size_t n = random() % 12; n > 0; --n)
      text += fmt::format("    {}_{}.{}({})\n", word(), word(), word(), word());
    write_file(tree / fmt::format("more/{}{}.py", word(), i), text);
  }
  for (int i = 0; i < 6; ++i)  // equal but for their path
    write_file(tree / fmt::format("same/{}.md", i), "# Plan\n\nThe same `view_node` everywhere.\n");
}

class Shards : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    dir_ = std::make_unique<TempDir>();
    std::filesystem::copy(std::filesystem::path(KW_SOURCE_DIR) / "tools/sample", *dir_ / "skein",
                          std::filesystem::copy_options::recursive);
    grow(*dir_ / "skein");
    EXPECT_EQ(run({"kwindex", "-q", "skein"}).exit_code, 0);
    for (int i = 1; i <= kParts; ++i)
      EXPECT_EQ(run({"kwindex", "-q", "skein", "--db", part(i), "--shard",
                     fmt::format("{}/{}", i, kParts)})
                    .exit_code,
                0);
    stub("local", {"auto part1", "auto part2", "auto part3", "auto part4"});
  }
  static void TearDownTestSuite() { dir_.reset(); }

  void SetUp() override {
    if (run({"sh", "-c", "command -v xapian-tcpsrv"}).exit_code != 0)
      GTEST_SKIP() << "xapian-tcpsrv (Debian package xapian-tools) is missing";
    for (int i = 1; i <= kParts; ++i)
      servers_.push_back(std::make_unique<ServedIndex>(*dir_ / part(i)));
    stub("remote", {remote(1), remote(2), remote(3), remote(4)});
  }

  static std::string part(int i) { return fmt::format("part{}", i); }
  std::string remote(int i) const { return "remote " + server(i).name(); }
  ServedIndex& server(int i) const { return *servers_[static_cast<std::size_t>(i) - 1]; }

  static void stub(const std::string& name, const Words& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    write_file(*dir_ / name, text);
  }

  static CommandResult run(const Words& words, const std::string& input = {}) {
    CommandOptions options;
    options.folder = dir_->str();
    options.environment = {std::string("PATH=") + KW_BINARY_DIR + "/bin:" + std::getenv("PATH"),
                           "KWSEARCH_DB=", "TERM=dumb", "HOME=" + dir_->str()};
    options.input = input;
    options.timeout_seconds = 150;  // a hang; the programs' own timeouts are below
    return run_command(words, options);
  }

  static CommandResult search(const std::string& database, const Words& words,
                              const Words& more = {}) {
    Words command{"kwsearch", "--db", database};
    // A server on a busy machine may take longer than the usual 5 seconds.
    if (std::none_of(more.begin(), more.end(),
                     [](const std::string& word) { return word.rfind("--timeout", 0) == 0; }))
      command.push_back("--timeout=60");
    command.insert(command.end(), more.begin(), more.end());
    command.insert(command.end(), words.begin(), words.end());
    return run(command);
  }

  /// A short wait for servers that are silent. A busy machine may keep the others silent for as
  /// long: then again, with more patience, until stderr says what is expected.
  static CommandResult search_silent(const std::string& database, const Words& words,
                                     const std::string& expected, Words more = {}) {
    CommandResult result;
    more.emplace_back();
    for (const char* patience : {"--timeout=0.5", "--timeout=5", "--timeout=25"}) {
      more.back() = patience;
      result = search(database, words, more);
      if (result.err.find(expected) != std::string::npos) break;
    }
    return result;
  }

  /// The lines of --json, scores apart from the rest: they may differ in their last digits.
  struct Answer {
    std::vector<json> hits;
    std::vector<double> scores;
  };
  static Answer answer_of(const CommandResult& result) {
    Answer answer;
    std::istringstream in(result.out);
    for (std::string line; std::getline(in, line);) {
      answer.hits.push_back(json::parse(line, nullptr, false));
      answer.scores.push_back(answer.hits.back().value("score", 0.0));
      answer.hits.back().erase("score");
    }
    return answer;
  }

  /// The answer of --partial where one server is left out: the paths of the others' answer.
  static void expect_without(const std::string& server, const CommandResult& rest,
                             const Answer& expected) {
    EXPECT_EQ(rest.exit_code, 0) << rest.err;
    EXPECT_THAT(rest.err, AllOf(HasSubstr("1 of 4 databases left out"), HasSubstr(server)));
    const Answer got = answer_of(rest);
    ASSERT_EQ(got.hits.size(), expected.hits.size());
    for (std::size_t k = 0; k < got.hits.size(); ++k)
      EXPECT_EQ(got.hits[k]["path"], expected.hits[k]["path"]);
  }

  static void expect_same_answers(const std::string& database) {
    const Words all{"--json", "-n0", "-m0"};
    int number = 0;
    for (const Words& query : kQueries) {
      SCOPED_TRACE(database + ": " + fmt::format("{}", fmt::join(query, " ")));
      const CommandResult one = search("skein", query, all), parts = search(database, query, all);
      EXPECT_EQ(parts.exit_code, one.exit_code);
      EXPECT_EQ(parts.err, one.err);
      const Answer a = answer_of(one), b = answer_of(parts);
      EXPECT_EQ(b.hits, a.hits);
      for (std::size_t i = 0; i < std::min(a.scores.size(), b.scores.size()); ++i)
        EXPECT_NEAR(a.scores[i], b.scores[i], 1e-6);
      if (number++ % stride(3) != 0) continue;
      for (const Words& form : {Words{"-l", "-n3", "--offset=2"}, {"-c"}, {"--count-by=folder"}}) {
        const CommandResult x = search("skein", query, form), y = search(database, query, form);
        EXPECT_EQ(y.out, x.out);
        EXPECT_EQ(y.err, x.err);
        EXPECT_EQ(y.exit_code, x.exit_code);
      }
    }
  }

  static const std::vector<Words> kQueries;
  static std::unique_ptr<TempDir> dir_;
  std::vector<std::unique_ptr<ServedIndex>> servers_;
};

std::unique_ptr<TempDir> Shards::dir_;
const std::vector<Words> Shards::kQueries{
    {"ViewAndMutationMeta"},
    {"viewandmutationmeta"},
    {"view", "and", "mutation", "meta"},
    {"view"},
    {"plan"},
    {"buffer", "node"},
    {"view_node"},
    {"graph", "OR", "loss"},
    {"plan", "NOT", "buffer"},
    {"plan", "lang:python"},
    {"lang:markdown"},
    {"ext:py", "input"},
    {"folder:more", "loss"},
    {"path:tests"},
    {"section:write"},
    {"def:Executor"},
    {"def:plan*"},
    {"ident:view_meta"},
    {"view*"},
    {"*meta"},
    {"*an_b*"},
    {"me?a"},
    {"\"def view_node(self)\""},
    {"\"self):\"", "NOT", "path:more"},
    {"\"operator==\""},
    {"-s", "view"},
    {"-s", "View"},
    {"-e", "plan_[a-m]+\\("},
    {"-e", "view_.*loss", "graph"},
    {"plan", "view", "nowhere_at_all"},
    {"ViewAndMutatonMeta"},
    {"nothing_like_this_is_there"},
    {"(view", "OR", "node)", "NOT", "lang:markdown"},
    {"how is the node_view_plan of an input mutated"},
    {"RuntimeError: node_view_plan expects 3 inputs"},
    {"Executor.plan"},
    {"from skein.collect import InputInfo"},
    {"skein/collect.py:3"},
    {"  File \"/usr/lib/skein/collect.py\", line 7, in plan\n    node.view()"},
};

TEST_F(Shards, OneTreeHereAnswersAsOneDatabase) { expect_same_answers("local"); }

TEST_F(Shards, FourServersAnswerAsOneDatabase) { expect_same_answers("remote"); }

TEST_F(Shards, FoldersAndServersAnswerAsOneDatabase) {
  stub("mixed", {remote(3), "auto part1", remote(2), "auto part4"});
  expect_same_answers("mixed");
}

TEST_F(Shards, ForEditorsAndShells) {
  for (const Words& words :
       {Words{"--vimgrep", "-n0", "plan"}, {"--complete=vi"}, {"--complete=lang:"}})
    EXPECT_EQ(search("remote", words).out, search("skein", words).out) << words[0];
  const std::string request =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_lines","arguments":)"
      R"({"path":"docs/skein/meta.py_docs.md","first":73,"last":73}}})"
      "\n"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":)"
      R"({"query":"def:Executor"}}})"
      "\n";
  const auto served = [&](const std::string& database, const Words& more = {}) {
    Words command{"kwsearch", "--serve-stdio", "--db", database};
    command.insert(command.end(), more.begin(), more.end());
    return run(command, request).out;
  };
  EXPECT_EQ(served("remote"), served("skein"));
  server(2).kill();
  EXPECT_THAT(served("remote"), AllOf(HasSubstr("does not answer"), HasSubstr(server(2).name()),
                                      HasSubstr("\"isError\":true")));
  EXPECT_THAT(served("remote", {"--partial"}),
              AllOf(HasSubstr("1 of 4 databases left out"), HasSubstr("\\\"partial\\\":true")));
}

TEST_F(Shards, RankEvalFindsNoDifference) {
  write_file(*dir_ / "questions.tsv", "view\t-\tx\nplan buffer\t-\tx\nExecutor\t-\tx\n");
  const CommandResult same = run({"rank_eval", "--compare", "skein", "remote", "questions.tsv"});
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("3 questions, 0 without an answer: 0 differ"));
  stub("half", {remote(1), remote(2)});
  const CommandResult other = run({"rank_eval", "--compare", "skein", "half", "questions.tsv"});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.out, HasSubstr("differs: view"));
}

// --- a server that is gone

TEST_F(Shards, AServerIsGone) {
  const Words query{"plan", "--json", "-n0"};
  stub("three", {remote(1), remote(2), remote(4)});
  Answer expected = answer_of(search("three", query, {"-q"}));
  ASSERT_GT(expected.hits.size(), 10u);
  server(3).kill();
  const CommandResult whole = search("remote", query);
  EXPECT_EQ(whole.exit_code, 2);
  EXPECT_EQ(whole.out, "");
  EXPECT_THAT(whole.err, AllOf(HasSubstr(fmt::format("cannot open index '{}': its server does not "
                                                     "answer",
                                                     server(3).name())),
                               HasSubstr("hint: "), HasSubstr("--partial")));
  const CommandResult rest = search("remote", query, {"--partial"});
  EXPECT_EQ(rest.exit_code, 0);
  EXPECT_THAT(rest.err, AllOf(HasSubstr("warning: 1 of 4 databases left out: "),
                              HasSubstr(server(3).name())));
  EXPECT_EQ(std::count(rest.err.begin(), rest.err.end(), '\n'), 1) << rest.err;
  const Answer got = answer_of(rest);
  ASSERT_EQ(got.hits.size(), expected.hits.size());
  for (std::size_t i = 0; i < got.hits.size(); ++i) {
    EXPECT_EQ(got.hits[i]["path"], expected.hits[i]["path"]);
    EXPECT_EQ(got.hits[i]["partial"], true);
  }
  EXPECT_EQ(search("remote", query, {"--partial", "-q"}).err, "");
  for (int i : {1, 2, 4}) server(i).kill();
  const CommandResult none = search("remote", query, {"--partial"});
  EXPECT_EQ(none.exit_code, 2) << "nothing is left to answer";
  EXPECT_THAT(none.err, HasSubstr(server(1).name()));
}

TEST_F(Shards, ServersAreSilent) {
  const Words query{"plan", "-l"};
  server(2).stop();
  server(4).stop();
  const CommandResult whole = search_silent("remote", query, server(2).name());
  EXPECT_EQ(whole.exit_code, 2);
  EXPECT_THAT(whole.err, HasSubstr(server(2).name()));
  const CommandResult rest =
      search_silent("remote", query, "2 of 4 databases left out", {"--partial"});
  EXPECT_EQ(rest.exit_code, 0);
  EXPECT_THAT(rest.err, AllOf(HasSubstr("2 of 4 databases left out"), HasSubstr(server(2).name()),
                              HasSubstr(server(4).name())));
  server(2).resume();
  server(4).resume();
  EXPECT_EQ(search("remote", query).out, search("skein", query).out);
}

// A connection that breaks at each of many bytes: at the greeting, in the facts of an index, in the
// words, in the results, in the texts.
TEST_F(Shards, AServerBreaksInTheMiddle) {
  const Words query{"view", "plan_buffers", "--json"};
  const CommandResult good = search("remote", query);
  stub("three", {remote(1), remote(3), remote(4)});
  const Answer expected = answer_of(search("three", query, {"-q"}));
  const auto through = [&](BreakingProxy& proxy, const Words& more) {
    stub("broken", {remote(1), "remote " + proxy.name(), remote(3), remote(4)});
    return search("broken", query, more);
  };
  const auto through_silent = [&](BreakingProxy& proxy, const std::string& expected,
                                  const Words& more) {
    stub("broken", {remote(1), "remote " + proxy.name(), remote(3), remote(4)});
    return search_silent("broken", query, expected, more);
  };
  std::size_t total = 0;
  {
    BreakingProxy whole(server(2).port(), 1 << 30, BreakingProxy::Then::Close);
    EXPECT_EQ(through(whole, {}).out, good.out);
    total = whole.passed();
  }
  ASSERT_GT(total, 1000u);
  using Then = BreakingProxy::Then;
  constexpr std::size_t kCuts = 16;
  for (std::size_t i = 0; i < kCuts; ++i) {
    const std::size_t at = i < 4 ? i * 2 : total * i / kCuts;
    // Silence costs its timeout each time.
    for (const Then then : i % 5 == 3 ? std::vector<Then>{Then::Close, Then::Silence}
                                      : std::vector<Then>{Then::Close}) {
      const bool silent = then == Then::Silence;
      SCOPED_TRACE(
          fmt::format("{} of {} bytes, then {}", at, total, silent ? "silence" : "the end"));
      BreakingProxy proxy(server(2).port(), at, then);
      const CommandResult failed =
          silent ? through_silent(proxy, proxy.name(), {}) : through(proxy, {});
      EXPECT_EQ(failed.exit_code, 2);
      EXPECT_EQ(failed.out, "") << "no half answer";
      EXPECT_THAT(failed.err, AllOf(HasSubstr(proxy.name()), HasSubstr("--partial")));
      const CommandResult rest =
          silent ? through_silent(proxy, "1 of 4 databases left out", {"--partial"})
                 : through(proxy, {"--partial"});
      expect_without(proxy.name(), rest, expected);
    }
    if (i % 8 != 1) continue;
    // Garbage may pass for a text, but never ends in a crash or a hang.
    BreakingProxy garbage(server(2).port(), at, Then::Garbage);
    for (const Words& more : {Words{"--timeout=0.5"}, {"--timeout=0.5", "--partial"}})
      EXPECT_THAT(through(garbage, more).exit_code, AnyOf(0, 2)) << at;
  }
}

// Xapian would wait for each byte anew, and take all that comes.
TEST_F(Shards, AServerDripsOrFloods) {
  const Words query{"pl*", "--json"};
  stub("three", {remote(1), remote(3), remote(4)});
  const Answer expected = answer_of(search("three", query, {"-q"}));
  ASSERT_GT(expected.hits.size(), 0u);
  using Then = BreakingProxy::Then;
  struct Row {
    std::size_t bytes;  // that pass before
    Then then;
    std::string timeout;
    std::vector<std::string> says;  // one of them
  };
  const std::vector<std::string> late{"does not answer within 1.5 s"},
      giant{"sends too much", "does not answer", "is damaged"};  // as the cut falls
  const std::vector<Row> rows = {
    {0, Then::Drip, "1.5", late},
    {600, Then::Drip, "1.5", late},
    {0, Then::Giant, "2", giant},
    {600, Then::Giant, "2", giant},
    {1 << 30, Then::Flood, "2", {"sends too much", "does not answer within 2 s"}},
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    {0, Then::Giant, "6", {"sends too much", "does not answer within 6 s"}},  // memory ends before
#endif
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(fmt::format("{} bytes, then {}", row.bytes, static_cast<int>(row.then)));
    BreakingProxy proxy(server(2).port(), row.bytes, row.then);
    stub("broken", {remote(1), "remote " + proxy.name(), remote(3), remote(4)});
    const Words patience{"--timeout=" + row.timeout}, partial{patience[0], "--partial"};
    const CommandResult failed = search("broken", query, patience);
    EXPECT_EQ(failed.exit_code, 2);
    EXPECT_EQ(failed.out, "");
    EXPECT_THAT(failed.err, AllOf(HasSubstr("'" + proxy.name() + "'"), HasSubstr("--partial")));
    EXPECT_TRUE(std::any_of(row.says.begin(), row.says.end(), [&](const std::string& words) {
      return failed.err.find(words) != std::string::npos;
    })) << failed.err;
    const CommandResult rest = search("broken", query, partial);
    expect_without(proxy.name(), rest, expected);
  }
}

// The names of hosts are looked up in the time that servers have.
TEST_F(Shards, AHostIsUnknownOrItsNameServerSilent) {
  stub("names", {remote(1), "remote no-such-host.invalid:7700"});
  CommandOptions request;
  request.folder = dir_->str();
  request.environment = {"LD_PRELOAD=" KW_FAULT_LAYER, "KW_RESOLVER_HANGS=1",
                         "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0"};
  const CommandResult silent =
      run_command({KW_SEARCH_UNDER_FAULTS, "plan", "--db", "names", "--timeout=0.5"}, request);
  EXPECT_EQ(silent.exit_code, 2);
  EXPECT_THAT(silent.err, AllOf(HasSubstr("no-such-host.invalid:7700"),
                                HasSubstr("does not answer within 0.5 s"), HasSubstr("--partial")));
  // The name of this machine has two addresses on most; the server has one of them.
  if (addrinfo* found = nullptr; ::getaddrinfo("localhost", nullptr, nullptr, &found) == 0)
    ::freeaddrinfo(found);
  else
    return;
  stub("local", {"remote localhost:" + std::to_string(server(1).port())});
  stub("one", {remote(1)});
  EXPECT_EQ(search("local", {"plan", "-l"}).out, search("one", {"plan", "-l"}).out);
}

TEST_F(Shards, ServersOfSomethingElse) {
  BreakingProxy garbage(0, 0, BreakingProxy::Then::Garbage);
  write_file(*dir_ / "web", "remote " + garbage.name() + "\n");
  const CommandResult web = search_silent("web", {"view"}, "xapian-tcpsrv");
  EXPECT_EQ(web.exit_code, 2);
  EXPECT_THAT(web.err, AllOf(HasSubstr(garbage.name()), HasSubstr("xapian-tcpsrv"),
                             Not(HasSubstr("--partial"))));

  const std::string plain = (*dir_ / "plain").string();
  Xapian::WritableDatabase(plain, Xapian::DB_CREATE_OR_OVERWRITE).set_metadata("x", "y");
  ServedIndex other(plain);
  stub("other", {remote(1), "remote " + other.name()});
  EXPECT_THAT(search("other", {"view"}).err,
              AllOf(HasSubstr(other.name()), HasSubstr("none of kwindex"), HasSubstr("--partial")));
  EXPECT_EQ(search("other", {"view"}, {"--partial"}).exit_code, 0);

  const std::string newer = (*dir_ / "newer").string();
  std::filesystem::copy(*dir_ / "part2", newer, std::filesystem::copy_options::recursive);
  Xapian::WritableDatabase(newer, Xapian::DB_OPEN).set_metadata("kw.version", "99");
  ServedIndex later(newer);
  stub("later", {remote(1), "remote " + later.name()});
  EXPECT_THAT(search("later", {"view"}).err,
              AllOf(HasSubstr(later.name()), HasSubstr("schema version 99")));
}

// xapian-replicate takes a database folder as it is: whole at first and after a rebuild, else the
// changes that $XAPIAN_MAX_CHANGESETS made kwindex keep.
TEST_F(Shards, ACopyThatXapianKeepsAnswersToo) {
  write_file(*dir_ / "wild/plan.md", "# Plan\n");
  const auto index = [&](const Words& more) {
    Words words{"env", "XAPIAN_MAX_CHANGESETS=10", "kwindex", "-q", "wild", "--db", "master"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run(words).exit_code, 0);
  };
  const auto replicate = [&] {
    return run({"sh", "-c",
                "setsid xapian-replicate-server -I 127.0.0.1 -p $1 . & server=$!; n=0\n"
                "until xapian-replicate -v -h 127.0.0.1 -p $1 -m master -o -r 0 copy 2>/dev/null\n"
                "do n=$((n + 1)); [ $n -lt 500 ] || break; done; kill $server",
                "x", std::to_string(free_port())})
        .out;
  };
  index({});
  EXPECT_THAT(replicate(), HasSubstr("1 copies, 0 changesets"));
  ServedIndex served(*dir_ / "copy");
  stub("copied", {"remote " + served.name()});
  EXPECT_EQ(search("copied", {"-l", "plan"}).out, "plan.md\n");
  write_file(*dir_ / "wild/second.md", "# Second\n\nnew_name_here\n");
  index({});
  EXPECT_THAT(replicate(), HasSubstr("0 copies, 1 changesets"));
  EXPECT_EQ(search("copied", {"-l", "new_name_here"}).out, "second.md\n");
  write_file(*dir_ / "wild/third.md", "# Third\n");
  index({"--rebuild"});
  EXPECT_THAT(replicate(), HasSubstr("1 copies"));
  EXPECT_EQ(search("copied", {"-l", "third"}).out, "third.md\n");
}

// --- parts that do not fit

TEST_F(Shards, PartsThatDoNotMakeATree) {
  const auto said = [&](const Words& lines) {
    stub("odd", lines);
    return search("odd", {"plan", "-l"});
  };
  const CommandResult missing = said({"auto part2", remote(4)});
  EXPECT_EQ(missing.exit_code, 0);
  EXPECT_THAT(missing.err, HasSubstr("parts of a tree are not searched: 1/4 of " +
                                     (*dir_ / "skein").string() + "; 3/4 of"));
  const CommandResult twice = said({"auto part1", "auto part2", "auto part3", "auto part4",
                                    "auto " + (*dir_ / "part2").string() + "/."});
  EXPECT_EQ(twice.exit_code, 0) << "the same place counts once";
  EXPECT_EQ(twice.out, search("skein", {"plan", "-l"}).out);
  EXPECT_EQ(said({remote(1), remote(2), remote(3), remote(4), remote(2)}).out, twice.out);
  const CommandResult copies = said({"auto part1", "auto part2", remote(2)});
  EXPECT_EQ(copies.exit_code, 2);
  EXPECT_THAT(copies.err, AllOf(HasSubstr("both hold part 2/4 of"), HasSubstr(server(2).name()),
                                HasSubstr("part2'")));
  const CommandResult with_whole = said({"auto part1", "auto skein"});
  EXPECT_EQ(with_whole.exit_code, 2);
  EXPECT_THAT(with_whole.err, HasSubstr("divided in two ways"));
}

TEST_F(Shards, OtherTreesBesideThem) {
  make_tree(*dir_ / "notes", {{"plan.py", "def plan():\n  pass\n"}});
  EXPECT_EQ(run({"kwindex", "-q", "notes"}).exit_code, 0);
  ServedIndex served(*dir_ / "notes/.kwsearch");
  const std::string skein = (*dir_ / "skein").string(), other = (*dir_ / "notes").string();
  const auto trees = [&](const Words& words) {
    std::set<std::string> trees;
    for (const json& hit : answer_of(run(words)).hits) trees.insert(hit.value("tree", "none"));
    return trees;
  };
  EXPECT_EQ(trees({"kwsearch", "--db", "remote", "--db", "notes", "--json", "-n0", "plan"}),
            (std::set<std::string>{skein, other}));
  EXPECT_THAT(run({"kwsearch", "--db", "remote", "--db", "notes", "-n1", "def:plan"}).out,
              HasSubstr("plan.py   defines function plan   in " + other));
  // An index in its tree says only where it lies there.
  stub("both", {"auto skein", "remote " + served.name()});
  EXPECT_EQ(trees({"kwsearch", "--db", "both", "--json", "-n0", "plan"}),
            (std::set<std::string>{skein, served.name()}));
  const CommandResult text = run({"kwsearch", "--db", "both", "-n1", "def:plan"});
  EXPECT_THAT(text.out, AllOf(HasSubstr("in " + served.name()), Not(HasSubstr("changed"))));
}

TEST_F(Shards, AStubFileThatIsRefused) {
  write_file(*dir_ / "evil", "auto part1\nremote :touch\n");
  for (const Words& more : {Words{}, {"--partial"}}) {
    const CommandResult refused = search("evil", {"plan"}, more);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err,
                AllOf(HasSubstr("refused stub file 'evil': line 2: it names a program"),
                      HasSubstr("hint: ")));
  }
}

// /srv/docs of one machine is not that of another. And no path of theirs is of this machine.
TEST_F(Shards, WholeTreesOfTwoServersAreTwo) {
  for (const char* name : {"one", "two"}) {
    write_file(*dir_ / "at" / (std::string(name) + ".md"), fmt::format("# T\n\n`word_{}`\n", name));
    EXPECT_EQ(run({"kwindex", "-q", "at", "--db", std::string("of-") + name}).exit_code, 0);
    std::filesystem::remove_all(*dir_ / "at");
  }
  const ServedIndex one(*dir_ / "of-one"), two(*dir_ / "of-two");
  stub("both", {"remote " + one.name(), "remote " + two.name()});
  const Answer answer = answer_of(search("both", {"word*"}, {"--json"}));
  ASSERT_EQ(answer.hits.size(), 2u);
  EXPECT_EQ(answer.hits[0]["tree"], one.name());
  EXPECT_EQ(answer.hits[1]["tree"], two.name());
  stub("alone", {"remote " + one.name()});
  EXPECT_THAT(search("alone", {"word_one"}, {"--vimgrep"}).out, testing::StartsWith("one.md:3:2:"));
  EXPECT_THAT(search("alone", {"word_one"}, {"--links", "--color=always"}).out,
              Not(HasSubstr("file://")));
}

// Whoever reads the answer by a program must see that it is not whole.
TEST_F(Shards, WhatIsNotAskedShows) {
  server(2).kill();
  const CommandResult nothing = search("remote", {"nosuchword"}, {"--partial", "--json", "-q"});
  EXPECT_EQ(nothing.exit_code, 3);
  EXPECT_EQ(nothing.out, "");
  EXPECT_EQ(search("remote", {"nosuchword"}, {"--partial", "-c", "-q"}).exit_code, 3);
  const CommandResult whole = search("local", {"nosuchword"});
  EXPECT_EQ(whole.exit_code, 1) << whole.err;
  stub("some", {"auto part1", "auto part2"});
  const Answer answer = answer_of(search("some", {"plan"}, {"--json"}));
  ASSERT_FALSE(answer.hits.empty());
  for (const json& hit : answer.hits) EXPECT_EQ(hit.value("partial", false), true);
}

}  // namespace
}  // namespace kw::test
