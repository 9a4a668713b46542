// SPDX-License-Identifier: GPL-2.0-or-later
// How well an index answers questions with known answers: lines "query <tab> expected path <tab>
// kind" in, success@1, MRR@10 and recall@10 by kind out, and the questions that fail with what came
// first.
//
//   rank_eval DATABASE QUESTIONS.tsv [most failures shown]
//   rank_eval --compare DATABASE OTHER QUESTIONS.tsv
//
// A database may be a stub file. --compare asks both and says where the first ten are not the same,
// path by path and in order, or a score is not; 1 if there is such a question.
//
// success@1: share of questions whose first hit is the expected file. MRR@10: mean of 1/rank, 0
// beyond the tenth. recall@10: share with the expected file among the first ten.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "schema/cli/program.h"
#include "schema/index/database_location.h"
#include "searcher/engine/scoring.h"
#include "searcher/engine/search.h"

namespace kw::search {
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

Result<Searcher> open(const std::string& database) {
  // A thousand servers on one machine, each a process that starts, take longer than a person waits.
  constexpr double kPatience = 60;
  auto places = KW_TRY(places_of(database));
  return Searcher::open(std::move(places), {kPatience});
}

int fail(const Error& error) {
  cli::print_error("rank_eval", error);
  return 2;
}

/// Asks, and adds how long the answer took.
Result<SearchResult> ask(Searcher& searcher, const ParsedQuery& query, std::vector<double>& took) {
  SearchOptions options;
  options.with_lines = false;
  const auto start = std::chrono::steady_clock::now();
  auto result = searcher.search(query, options);
  took.push_back(
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  return result;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

bool are_same(const SearchResult& a, const SearchResult& b) {
  return std::equal(
      a.hits.begin(), a.hits.end(), b.hits.begin(), b.hits.end(), [](const Hit& x, const Hit& y) {
        return x.path == y.path && x.also == y.also && std::abs(x.score - y.score) < kSameScore;
      });
}

int compare(const char* database, const char* other, const char* file) {
  auto one = open(database);
  if (!one) return fail(one.error());
  auto two = open(other);
  if (!two) return fail(two.error());
  std::vector<double> took_one, took_two;
  std::size_t asked = 0, differ = 0, empty = 0;
  for (const Question& q : read_questions(file)) {
    const auto query = parse_query(q.query);
    if (!query) continue;
    const auto a = ask(*one, *query, took_one);
    if (!a) return fail(a.error());
    const auto b = ask(*two, *query, took_two);
    if (!b) return fail(b.error());
    ++asked;
    empty += a->hits.empty();
    if (are_same(*a, *b)) continue;
    ++differ;
    fmt::print("differs: {}\n", q.query);
    for (std::size_t i = 0; i < std::max(a->hits.size(), b->hits.size()); ++i) {
      const auto shown = [i](const SearchResult& r) {
        return i < r.hits.size() ? fmt::format("{:.9f} {}", r.hits[i].score, r.hits[i].path) : "-";
      };
      fmt::print("  {:>2}  {}  |  {}\n", i + 1, shown(*a), shown(*b));
    }
  }
  fmt::print("{} questions, {} without an answer: {} differ; median {:.2f} ms and {:.2f} ms\n",
             asked, empty, differ, median(took_one), median(took_two));
  return differ ? 1 : 0;
}

int run(const char* database, const char* file, std::size_t most_failures) {
  auto searcher = open(database);
  if (!searcher) return fail(searcher.error());
  std::map<std::string, Score> scores;
  std::map<std::string, std::size_t> failures;
  for (const Question& q : read_questions(file)) {
    const auto query = parse_query(q.query);
    if (!query) continue;
    Score& score = scores[q.kind];
    const auto result = ask(*searcher, *query, score.milliseconds);
    if (!result) return fail(result.error());
    ++score.asked;
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
  for (const auto& [kind, s] : scores) {
    const auto n = static_cast<double>(s.asked);
    fmt::print("| {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.2f} |\n", kind, s.asked,
               static_cast<double>(s.first) / n, s.reciprocal / n, static_cast<double>(s.found) / n,
               median(s.milliseconds));
  }
  return 0;
}

}  // namespace
}  // namespace kw::search

int main(int argc, char** argv) {
  if (argc == 5 && std::string_view(argv[1]) == "--compare")
    return kw::search::compare(argv[2], argv[3], argv[4]);
  if (argc < 3) {
    std::cerr << "usage: rank_eval DATABASE QUESTIONS.tsv [FAILURES]\n"
                 "       rank_eval --compare DATABASE OTHER QUESTIONS.tsv\n";
    return 2;
  }
  return kw::search::run(argv[1], argv[2], argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 20);
}
