// SPDX-License-Identifier: GPL-2.0-or-later
// How long the inner parts take on the texts of an index: splitter, record codec, queries.
//
//   micro_bench DATABASE [options of Google Benchmark, as --benchmark_filter=Search]
//
// Whole programs are measured by tools/bench; this is for finding out what a change to one part
// did.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "schema/cli/program.h"
#include "schema/index/index_reader.h"
#include "schema/text/splitter.h"
#include "searcher/engine/search.h"

namespace {

using namespace kw;
using namespace kw::search;

constexpr std::size_t kMaxRecords = 200;

/// What the benchmarks work on.
struct Data {
  Searcher searcher;
  IndexReader reader;
  std::vector<std::string> stored;  // records as they are in the index
  std::vector<FileRecord> records;
  std::vector<std::string> names;  // each name of the records once or more
  std::size_t text_bytes = 0;
};

template <class T>
T value_or_exit(Result<T> result) {
  if (result) return *std::move(result);
  cli::print_error("micro_bench", result.error());
  std::exit(2);
}

Data load(const char* database) {
  const std::string folder = resolve_database_path(database);
  Data data{value_or_exit(Searcher::open({folder})),
            value_or_exit(IndexReader::open(DatabaseFolder(folder))),
            {},
            {},
            {},
            0};
  Xapian::Database& all = data.reader.database();
  for (auto it = all.postlist_begin(""), end = all.postlist_end("");
       it != end && data.stored.size() < kMaxRecords; ++it) {
    data.stored.push_back(all.get_document(*it).get_data());
    data.records.push_back(value_or_exit(data.reader.codec().decode(data.stored.back())));
    const FileRecord& record = data.records.back();
    data.text_bytes += record.text.size();
    for (const Definition& d : record.definitions) data.names.push_back(d.name);
  }
  return data;
}

void count_text(benchmark::State& state, const Data& data) {
  state.SetBytesProcessed(static_cast<std::int64_t>(data.text_bytes) * state.iterations());
}

void tokenize(benchmark::State& state, const Data& data) {
  for (auto _ : state)
    for (const FileRecord& record : data.records) {
      Tokenizer tokenizer(record.text);
      for (Token token; tokenizer.next(token);) benchmark::DoNotOptimize(token);
    }
  count_text(state, data);
}

template <class F>
void for_names(benchmark::State& state, const Data& data, const F& f) {
  for (auto _ : state)
    for (const std::string& name : data.names) benchmark::DoNotOptimize(f(name));
  state.SetItemsProcessed(static_cast<std::int64_t>(data.names.size()) * state.iterations());
}

void encode(benchmark::State& state, Data& data) {
  for (auto _ : state)
    for (const FileRecord& record : data.records)
      benchmark::DoNotOptimize(data.reader.codec().encode(record));
  count_text(state, data);
}

void decode(benchmark::State& state, Data& data, RecordParts parts) {
  for (auto _ : state)
    for (const std::string& stored : data.stored)
      benchmark::DoNotOptimize(data.reader.codec().decode(stored, parts));
  count_text(state, data);
}

void search(benchmark::State& state, Data& data, const std::string& text) {
  for (auto _ : state) {
    const auto query = parse_query(text);
    if (!query) return state.SkipWithError("the query is empty");
    const auto found = data.searcher.search(*query, {});
    if (!found) return state.SkipWithError(found.error().message.c_str());
    benchmark::DoNotOptimize(found->hits.size());
  }
}

void register_all(Data& data) {
  using benchmark::RegisterBenchmark;
  RegisterBenchmark("Splitter/tokenize", [&](auto& s) { tokenize(s, data); });
  RegisterBenchmark("Splitter/name_key", [&](auto& s) { for_names(s, data, name_key); });
  RegisterBenchmark("Splitter/split_name", [&](auto& s) { for_names(s, data, split_name); });
  RegisterBenchmark("Splitter/stem", [&](auto& s) {
    const Stemmer stemmer;
    for_names(s, data, [&](const std::string& name) { return stemmer.stem(name); });
  });
  RegisterBenchmark("Record/encode", [&](auto& s) { encode(s, data); });
  RegisterBenchmark("Record/decode", [&](auto& s) { decode(s, data, RecordParts::All); });
  RegisterBenchmark("Record/decode without text",
                    [&](auto& s) { decode(s, data, RecordParts::WithoutText); });
  const std::string name = data.names.empty() ? "main" : data.names[data.names.size() / 2];
  for (const std::string& query :
       {name, name + " self", std::string("self"), "\"" + name + "(\"", "*" + name.substr(1)})
    RegisterBenchmark(("Search/" + query).c_str(),
                      [&data, query](auto& s) { search(s, data, query); });
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    fmt::print(stderr, "usage: micro_bench DATABASE [--benchmark_...]\n");
    return 2;
  }
  Data data = load(argv[1]);
  register_all(data);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
