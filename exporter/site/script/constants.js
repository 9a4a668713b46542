// SPDX-License-Identifier: GPL-2.0-or-later
// Printed by kwconstants from schema/index/terms.h, searcher/engine/scoring.h,
// searcher/engine/term_expansion.h, searcher/match/stem_pattern.h and exporter/site/chunk_text.h; do not edit.

const kPathEnd = "//";
const kProse = 1;
const kPart = 2;
const kDefinitionPart = 3;
const kIdent = 4;
const kHeading = 5;
const kDefinitionWords = 6;
const kDefinition = 7;
const kCompoundDefinition = 8;
const kTierStep = 10000000;
const kSpellingBonus = 1000000;
const kOriginStep = 100000;
const kRankStep = 10000;
const kSameScore = 1e-06;
const kOrigins = 4;
const kDefinitionRanks = 4;
const kMaxExpansions = 300;
const kMaxRankedExpansions = 100;
const kNumberBase = 45;
const kChunkNameLength = 8;
const kWordEndings = ["", "able", "ably", "al", "ally", "als", "ance", "ant", "ate", "ated", "ates", "ation", "ations", "ator", "ators", "e", "ed", "ely", "ence", "ent", "er", "ers", "es", "ful", "ical", "ied", "ies", "ing", "ings", "ion", "ions", "ism", "ist", "ists", "ities", "ity", "ive", "ives", "ize", "ized", "izer", "izers", "izes", "izing", "ization", "ly", "ment", "ments", "ness", "ous", "s", "y", "ying"];
const kEndingsAfterDoubled = ["ed", "er", "ers", "ing", "ings", "s"];
