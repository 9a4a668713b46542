// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/update/dictionary.h"

#include <zdict.h>

#include <utility>

#include "schema/base/child_run.h"

namespace kw::indexer {
namespace {

// Below this a dictionary costs about what it saves; zstd wants ten samples at least.
constexpr std::size_t kFewestSamples = 100;
// Shorter samples have nothing in common that is worth a reference. The bound also keeps zstd 1.5.4
// from reading wild memory: it trains on the first three quarters of the samples, and where these
// hold under 8 bytes together, it counts a negative number of byte sequences.
constexpr std::size_t kMinSampleBytes = 32;
// Training takes under a second.
constexpr unsigned kTrainingSeconds = 60;

std::string train(const std::string& bytes, const std::vector<std::size_t>& sizes) {
  std::string dictionary(kMaxDictionaryBytes, '\0');
  const std::size_t n = ZDICT_trainFromBuffer(dictionary.data(), dictionary.size(), bytes.data(),
                                              sizes.data(), static_cast<unsigned>(sizes.size()));
  dictionary.resize(ZDICT_isError(n) ? 0 : n);  // an error: the samples share nothing
  return dictionary;
}

}  // namespace

Result<std::string> train_dictionary(const std::vector<std::string>& samples) {
  std::string bytes;
  std::vector<std::size_t> sizes;
  for (const std::string& sample : samples) {
    if (sample.size() < kMinSampleBytes) continue;
    bytes += sample;
    sizes.push_back(sample.size());
  }
  if (sizes.size() < kFewestSamples) return std::string();
  // The bounds above prevent the fault that we know. The samples are any bytes that a tree holds,
  // though, the trainer is the part of zstd that is used least, and an index without a dictionary
  // is as good, only larger: so its other faults are contained, too. The fork costs about 1 ms.
  return run_in_child([&] { return train(bytes, sizes); }, kTrainingSeconds);
}

}  // namespace kw::indexer
