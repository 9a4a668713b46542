// SPDX-License-Identifier: GPL-2.0-or-later
// Prints exporter/site/script/constants.js, the numbers that the script of a site shares with the
// programs:
//   kwconstants > exporter/site/script/constants.js
#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string>

#include "exporter/site/chunk_text.h"
#include "schema/cli/program.h"
#include "schema/index/terms.h"
#include "schema/text/stop_words.h"
#include "searcher/engine/scoring.h"
#include "searcher/engine/sentence_plan.h"
#include "searcher/engine/sentence_scores.h"
#include "searcher/engine/term_expansion.h"
#include "searcher/match/stem_pattern.h"
#include "searcher/query/query.h"

namespace {

using namespace kw;
using search::Tier;

constexpr const char* kHead =
    "// SPDX-License-Identifier: GPL-2.0-or-later\n"
    "// Printed by kwconstants from headers of the programs, which tools/kwconstants.cc includes; "
    "do "
    "not edit.\n\n";

struct Constant {
  const char* name;
  double value;
};

constexpr double whole(Tier tier) { return static_cast<double>(tier); }

namespace sentence = search::sentence;

constexpr Constant kConstants[] = {
    {"kProse", whole(Tier::Prose)},
    {"kPart", whole(Tier::Part)},
    {"kDefinitionPart", whole(Tier::DefinitionPart)},
    {"kIdent", whole(Tier::Ident)},
    {"kHeading", whole(Tier::Heading)},
    {"kDefinitionWords", whole(Tier::DefinitionWords)},
    {"kDefinition", whole(Tier::Definition)},
    {"kCompoundDefinition", whole(Tier::CompoundDefinition)},
    {"kTierStep", search::kTierStep},
    {"kSpellingBonus", search::kSpellingBonus},
    {"kOriginStep", search::kOriginStep},
    {"kRankStep", search::kRankStep},
    {"kSameScore", search::kSameScore},
    {"kOrigins", std::size(kOriginsBestFirst)},
    {"kDefinitionRanks", std::size(kDefinitionRanks)},
    {"kMaxExpansions", search::kMaxExpansions},
    {"kMaxRankedExpansions", search::kMaxRankedExpansions},
    {"kMaxCompoundWords", search::kMaxCompoundWords},
    {"kNumberBase", exporter::site::kNumberBase},
    {"kRoundHalf", exporter::site::kRoundHalf},
    {"kChunkNameLength", exporter::site::kChunkNameLength},
    // Of several words:
    {"kHeldStep", sentence::kHeldStep},
    {"kQuarters", sentence::kQuarters},
    {"kOriginPlace", sentence::kOriginPlace},
    {"kWholeTitle", sentence::kWholeTitle},
    {"kCompound", sentence::kCompound},
    {"kOfCompound", sentence::kOfCompound},
    {"kKindStep", sentence::kKindStep},
    {"kOutermost", sentence::kOutermost},
    {"kTitleByStems", sentence::kTitleByStems},
    {"kInOneName", sentence::kInOneName},
    {"kInOneNameOfCopy", sentence::kInOneNameOfCopy},
    {"kPerOther", sentence::kPerOther},
    {"kMostOthers", sentence::kMostOthers},
    {"kNameKindStep", sentence::kNameKindStep},
    {"kSourceTitle", sentence::kSourceTitle},
    {"kWholeHeading", sentence::kWholeHeading},
    {"kAllInHeading", sentence::kAllInHeading},
    {"kOtherFormsInOneName", sentence::kOtherFormsInOneName},
    {"kEnough", sentence::kEnough},
    {"kPool", sentence::kPool},
    {"kLeastPool", sentence::kLeastPool},
    {"kMostInName", search::kMostInName},
    {"kLengthShare", sentence::kLengthShare},
};

constexpr Constant kFieldWeights[] = {
    {"title", sentence::kTitle},
    {"description", sentence::kDescription},
    {"heading", sentence::kHeading},
    {"path", sentence::kPath},
    {"definition", sentence::kDefinition},
    {"name", sentence::kName},
    {"body", sentence::kBody},
};

std::string list(const char* name, std::span<const std::string_view> words) {
  std::string out;
  for (const std::string_view word : words)
    out += fmt::format("{}\"{}\"", out.empty() ? "" : ", ", word);
  return fmt::format("const {} = [{}];\n", name, out);
}

}  // namespace

int main() {
  std::string out = kHead;
  out += fmt::format("const kPathEnd = \"{}\";\n", exporter::site::kPathEnd);
  for (const Constant& constant : kConstants)
    out += fmt::format("const {} = {:.10g};\n", constant.name, constant.value);
  std::string weights;
  for (const auto& [field, weight] : kFieldWeights)
    weights += fmt::format("{}{}: {:.10g}", weights.empty() ? "" : ", ", field, weight);
  out += fmt::format("const kFieldWeights = {{{}}};\n", weights);
  out += list("kStopWords", stop_words());
  out += list("kWordEndings", search::kWordEndings);
  out += list("kEndingsAfterDoubled", search::kEndingsAfterDoubled);
  return cli::write_stdout(out) ? 0 : 2;
}
