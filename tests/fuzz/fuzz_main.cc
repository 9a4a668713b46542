// SPDX-License-Identifier: GPL-2.0-or-later
// Runs a fuzz target without libFuzzer, where there is no clang: the seeds of a folder, then inputs
// made from them by chance.
//
//   NAME_fuzz FOLDER RUNS [SEED]
//
// The input that is being tried lies in $KW_FUZZ_INPUT, if that is set: what a crash needs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "tests/support/temp_dir.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kMaxBytes = 4096;

void try_input(const std::string& input) {
  if (const char* const path = std::getenv("KW_FUZZ_INPUT")) kw::test::write_file(path, input);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

void mutate(std::string& input, const std::vector<std::string>& seeds, std::mt19937& random) {
  const auto below = [&random](std::size_t n) { return n ? random() % n : 0; };
  const std::size_t at = below(input.size() + 1);
  const std::string& other = seeds[below(seeds.size())];
  const std::size_t from = below(other.size() + 1);
  switch (below(6)) {
    case 0:
      if (at < input.size()) input[at] = static_cast<char>(random());
      break;
    case 1:
      if (at < input.size()) input[at] ^= static_cast<char>(1 << below(8));
      break;
    case 2:
      input.erase(at, 1 + below(16));
      break;
    case 3:
      input.insert(at, 1 + below(4), static_cast<char>(random()));
      break;
    case 4:
      input.insert(at, input.substr(below(input.size() + 1), 1 + below(64)));
      break;
    default:
      input.insert(at, other.substr(from, 1 + below(64)));
  }
  if (input.size() > kMaxBytes) input.resize(kMaxBytes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: {} FOLDER RUNS [SEED]\n", argv[0]);
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> seeds;
  for (const auto& file : files) seeds.push_back(kw::test::read_text(file));
  if (seeds.empty()) {
    fmt::print(stderr, "{}: no seeds in {}\n", argv[0], argv[1]);
    return 2;
  }
  for (const std::string& seed : seeds) try_input(seed);
  std::mt19937 random(argc > 3 ? static_cast<unsigned>(std::atol(argv[3])) : 1);
  const long runs = std::atol(argv[2]);
  for (long i = 0; i < runs; ++i) {
    std::string input = seeds[random() % seeds.size()];
    for (int n = 1 + static_cast<int>(random() % 8); n > 0; --n) mutate(input, seeds, random);
    try_input(input);
  }
  fmt::print("{} seeds and {} more inputs\n", seeds.size(), runs);
  return 0;
}
