// SPDX-License-Identifier: GPL-2.0-or-later
// Standard input and output of the programs: a full disk, a reader that is gone, and descriptors
// that do not block, in every form of output.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "schema/base/descriptor.h"
#include "tests/integration/kwindex_fixture.h"

namespace kw::test {
namespace {

class Streams : public KwindexTest {
 protected:
  Streams() {
    make_tree(root(), {{"a.py", "class ViewMeta:\n    pass\n"},
                       {"b.md", "# B\n\nA ViewMeta, a view.\n"},
                       {"c.bin", std::string("\0\1", 2)}});
    for (int i = 0; i < 300; ++i)
      write_file(root() / fmt::format("page{:03}-with-a-long-name.md", i), "view\n");
    index();
  }

  static std::string path_of(const std::string& program) {
    return std::string(KW_BINARY_DIR) + "/bin/" + program;
  }

  CommandResult shell(const std::string& command) const {
    CommandOptions options;
    options.folder = root().string();
    return run_command({"sh", "-c", command}, options);
  }
};

TEST_F(Streams, WhatCannotBeWrittenIsAnError) {
  const char* const commands[] = {
      "kwsearch view",
      "kwsearch -l view",
      "kwsearch -0 view",
      "kwsearch -c view",
      "kwsearch --json view",
      "kwsearch --vimgrep view",
      "kwsearch --count-by kind view",
      "kwsearch --fields",
      "kwsearch --complete Vi",
      "kwsearch --help",
      "kwsearch --version",
      "kwsearch --completion bash",
      "kwsearch --explain view",
      "kwsearch --uses ViewMeta",
      "kwindex",
      "kwindex --json",
      "kwindex --explain",
      "kwindex --dry-run",
      "kwindex --status",
      "kwindex --status --json",
      "kwindex --skipped",
      "kwindex --skipped --json",
      "kwindex --check",
      "kwindex --check --json",
      "kwindex --help",
      "kwindex --version",
      "kwindex --completion zsh",
      "kwexport --out ../md",
      "kwexport --out ../md --json",
      "kwexport --out ../md --dry-run",
      "kwexport --out ../site --format html",
      "kwexport --help",
      "kwexport --version",
      "kwexport --completion fish",
  };
  for (const std::string command : commands) {
    const std::string program = path_of(command);
    const CommandResult full = shell(program + " > /dev/full");
    EXPECT_EQ(full.exit_code, 2) << command;
    EXPECT_THAT(full.err, testing::HasSubstr("cannot write to standard output")) << command;
    // A pipe whose reader is gone.
    EXPECT_EQ(
        shell("rm -f p; mkfifo p; exec 3<>p 4>p 3<&-; " + program + " >&4 2>/dev/null; echo $?")
            .out,
        "2\n")
        << command;
  }
}

/// A program whose standard input and output are pipes that do not block.
class NonBlocking {
 public:
  NonBlocking(const std::string& folder, std::vector<std::string> command) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC | O_NONBLOCK) != 0 || ::pipe2(out, O_CLOEXEC | O_NONBLOCK) != 0)
      return;
    ::fcntl(out[1], F_SETPIPE_SZ, kPipeBytes);
    std::vector<char*> argv;
    for (std::string& word : command) argv.push_back(word.data());
    argv.push_back(nullptr);
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      if (::chdir(folder.c_str()) == 0) ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_child_ = Descriptor(in[1]);
    from_child_ = Descriptor(out[0]);
  }
  NonBlocking(const NonBlocking&) = delete;
  NonBlocking& operator=(const NonBlocking&) = delete;
  ~NonBlocking() { exit_code(); }

  /// Until the program sleeps, which it does where it has to wait, or has ended.
  void let_it_wait() const {
    for (;;) {
      const std::string stat = read_text(fmt::format("/proc/{}/stat", child_));
      const std::size_t state = stat.rfind(") ");
      if (state == std::string::npos || stat[state + 2] == 'S' || stat[state + 2] == 'Z') return;
      std::this_thread::yield();
    }
  }
  /// Until it has filled the pipe, or has ended.
  void let_it_fill() const {
    for (int bytes = 0; bytes < kPipeBytes;) {
      ::ioctl(from_child_.get(), FIONREAD, &bytes);
      const std::string stat = read_text(fmt::format("/proc/{}/stat", child_));
      if (stat.find(") Z ") != std::string::npos) return;
      std::this_thread::yield();
    }
  }
  void write(const std::string& text) {
    EXPECT_EQ(::write(to_child_.get(), text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
    to_child_ = Descriptor();
  }
  std::string read_all() {
    ::fcntl(from_child_.get(), F_SETFL, 0);
    std::string all;
    char buffer[1024];
    for (ssize_t n; (n = ::read(from_child_.get(), buffer, sizeof buffer)) > 0;)
      all.append(buffer, static_cast<std::size_t>(n));
    return all;
  }
  int exit_code() {
    int status = 0;
    if (child_ > 0) ::waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  static constexpr int kPipeBytes = 4096;
  pid_t child_ = -1;
  Descriptor to_child_, from_child_;
};

TEST_F(Streams, OutputThatDoesNotBlockIsWaitedFor) {
  const std::vector<std::string> commands[] = {
      {"kwsearch", "-l", "-n", "0", "view"},
      {"kwsearch", "--json", "-n", "0", "view"},
      {"kwindex", "--explain", "--dry-run"},
      {"kwexport", "--out", "../out", "--dry-run"},
  };
  for (std::vector<std::string> command : commands) {
    SCOPED_TRACE(testing::PrintToString(command));
    CommandOptions options;
    options.folder = root().string();
    const CommandResult plain = run_command(command, options);
    ASSERT_GT(plain.out.size(), 8192u);
    command[0] = path_of(command[0]);
    NonBlocking program(root().string(), command);
    program.let_it_fill();
    const std::string out = program.read_all();
    EXPECT_EQ(program.exit_code(), 0);
    EXPECT_EQ(std::count(out.begin(), out.end(), '\n'),
              std::count(plain.out.begin(), plain.out.end(), '\n'));
  }
}

TEST_F(Streams, InputThatDoesNotBlockIsWaitedFor) {
  NonBlocking search(root().string(), {path_of("kwsearch"), "-l", "-"});
  search.let_it_wait();
  search.write("ViewMeta");
  EXPECT_EQ(search.read_all(), "a.py\nb.md\n");
  EXPECT_EQ(search.exit_code(), 0);

  NonBlocking server(root().string(), {path_of("kwsearch"), "--serve-stdio"});
  server.let_it_wait();
  server.write(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
               "\n");
  EXPECT_THAT(server.read_all(), testing::HasSubstr("\"id\":1"));
  EXPECT_EQ(server.exit_code(), 0);
}

}  // namespace
}  // namespace kw::test
