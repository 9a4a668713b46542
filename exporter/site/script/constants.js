// SPDX-License-Identifier: GPL-2.0-or-later
// Printed by kwconstants from headers of the programs, which tools/kwconstants.cc includes; do not edit.

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
const kMaxCompoundWords = 12;
const kNumberBase = 45;
const kRoundHalf = 32;
const kChunkNameLength = 8;
const kStopWords = ["a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "cannot", "could", "did", "do", "does", "doing", "don", "during", "each", "either", "else", "etc", "ever", "every", "few", "for", "from", "further", "get", "given", "had", "has", "have", "having", "he", "her", "here", "his", "how", "i", "if", "in", "into", "is", "it", "its", "itself", "just", "let", "like", "ll", "make", "may", "me", "might", "more", "most", "must", "my", "need", "no", "nor", "not", "now", "of", "off", "on", "once", "only", "or", "other", "our", "out", "over", "own", "please", "re", "s", "same", "shall", "she", "should", "so", "some", "such", "t", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too", "under", "until", "up", "us", "use", "ve", "very", "want", "was", "we", "were", "what", "when", "where", "whether", "which", "while", "who", "why", "will", "with", "would"];
const kWordEndings = ["", "able", "ably", "al", "ally", "als", "ance", "ant", "ate", "ated", "ates", "ation", "ations", "ator", "ators", "e", "ed", "ely", "ence", "ent", "er", "ers", "es", "ful", "ical", "ied", "ies", "ing", "ings", "ion", "ions", "ism", "ist", "ists", "ities", "ity", "ive", "ives", "ize", "ized", "izer", "izers", "izes", "izing", "ization", "ly", "ment", "ments", "ness", "ous", "s", "y", "ying"];
const kEndingsAfterDoubled = ["ed", "er", "ers", "ing", "ings", "s"];
