// SPDX-License-Identifier: GPL-2.0-or-later
// How well an index answers questions with known answers: lines "query <tab> expected path <tab>
// kind" in, success@1, MRR@10 and recall@10 by kind out, and the questions that fail with what came
// first.
//
//   rank_eval DATABASE QUESTIONS.tsv [most failures shown]
//
// success@1: share of questions whose first hit is the expected file. MRR@10: mean of 1/rank, 0
// beyond the tenth. recall@10: share with the expected file among the first ten.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "schema/program.h"
#include "searcher/search.h"

namespace kw {
namespace {

struct Question {
  std::string query, expected, kind;
};

struct Score {
  std::size_t asked = 0, first = 0, found = 0;
  double reciprocal = 0;
  std::vector<double> milliseconds;
};

std::vector<Question> read_questions(const char* path) {
  std::vector<Question> questions;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::size_t a = line.find('\t'), b = line.find('\t', a + 1);
    if (a == std::string::npos || b == std::string::npos) continue;
    questions.push_back({line.substr(0, a), line.substr(a + 1, b - a - 1), line.substr(b + 1)});
  }
  return questions;
}

int run(const char* database, const char* file, std::size_t most_failures) {
  auto searcher = Searcher::open({resolve_database_path(database)});
  if (!searcher) {
    print_error("rank_eval", searcher.error());
    return 2;
  }
  std::map<std::string, Score> scores;
  std::map<std::string, std::size_t> failures;
  SearchOptions options;
  options.with_lines = false;
  for (const Question& q : read_questions(file)) {
    const auto query = parse_query(q.query);
    if (!query) continue;
    const auto start = std::chrono::steady_clock::now();
    const auto result = searcher->search(*query, options);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (!result) {
      print_error("rank_eval", result.error());
      return 2;
    }
    Score& score = scores[q.kind];
    ++score.asked;
    score.milliseconds.push_back(took.count());
    const auto hit = std::find_if(result->hits.begin(), result->hits.end(),
                                  [&](const Hit& h) { return h.path == q.expected; });
    const std::size_t rank =
        hit == result->hits.end() ? 0 : static_cast<std::size_t>(hit - result->hits.begin()) + 1;
    score.first += rank == 1;
    score.found += rank > 0;
    if (rank) score.reciprocal += 1.0 / static_cast<double>(rank);
    if (rank != 1 && failures[q.kind]++ < most_failures)
      fmt::print("{}\t{}\texpected {} at {}\tfirst {}\n", q.kind, q.query, q.expected,
                 rank ? fmt::format("{}", rank) : "none",
                 result->hits.empty() ? "nothing" : result->hits[0].path);
  }
  fmt::print(
      "| kind | questions | success@1 | MRR@10 | recall@10 | median ms |\n| --- | ---: | ---: | "
      "---: | ---: | ---: |\n");
  for (auto& [kind, s] : scores) {
    std::sort(s.milliseconds.begin(), s.milliseconds.end());
    const auto n = static_cast<double>(s.asked);
    fmt::print("| {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.2f} |\n", kind, s.asked,
               static_cast<double>(s.first) / n, s.reciprocal / n, static_cast<double>(s.found) / n,
               s.milliseconds[s.milliseconds.size() / 2]);
  }
  return 0;
}

}  // namespace
}  // namespace kw

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: rank_eval DATABASE QUESTIONS.tsv [FAILURES]\n";
    return 2;
  }
  return kw::run(argv[1], argv[2], argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 20);
}
