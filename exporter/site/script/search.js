// SPDX-License-Identifier: GPL-2.0-or-later
// A query to its answer: which reading has one, what is said of it, and the place in each file to go to.

// How a file answers, in people's words.
const kTierText = ["", "in the text", "in part of a name", "in part of a name that it defines",
  "uses the name", "in its path or a heading", "in names that it defines", "defines it", "defines it"];
const kKindOfTier = ["", "text", "use", "definition", "use", "heading", "definition", "definition", "definition"];
const kKinds = {definition: "Definitions", heading: "Titles, headings, paths", use: "Uses of the name", text: "Text"};

async function putNamedFilesFirst(index, place, left, answer, wanted) {
  const named = await filesNamed(index, place, left), isNamed = new Set(named);
  if (!named.length) return;
  const groups = new Groups(index, isNamed);
  for (const file of named) {
    if (groups.results.length === wanted) break;
    await groups.add(file, {tier: kHeading, score: Infinity, line: place.line, isNamed: true});
  }
  const others = answer.results.filter(({file}) => !isNamed.has(file));
  answer.files = Math.max(answer.files, named.length);
  answer.any = false;
  answer.query.unsupported = [];
  answer.results = [...groups.results, ...others].slice(0, wanted);
}

// Names, and what has operators or fields.
async function searchNames(index, query, left, wanted, answer) {
  const expand = (leaf) => leaf.isPrefix ? expandPrefix(index, leaf) : expandWord(index, leaf);
  const expansions = await Promise.all(query.groups.map(async (group) =>
    merged(await Promise.all(group.map(expand)))));
  const excluded = (await Promise.all(query.excluded.map(expand))).map((e) => tierBits(index, e));
  // Words beside filters make a name together; what has operators does not.
  const isPlain = !excluded.length && query.groups.length === query.leaves.length;
  const isCompound = isPlain && query.leaves.length > 1 && !query.leaves.some((leaf) => leaf.isPrefix || leaf.field);
  query.compoundKey = isCompound ? nameKey(query.leaves.map((leaf) => leaf.text).join("")) : "";
  const compound = isCompound ? await expandName(index, query.compoundKey) : null;
  for (const any of isPlain && query.leaves.length > 1 ? [false, true] : [false]) {
    const ranked = new RankedQuery(index, expansions, compound, any, excluded, left);
    if (!ranked.files.length) continue;
    answer.files = ranked.files.length;
    answer.matching = [...ranked.files];
    answer.any = any;
    answer.results = await ranked.results(wanted);
    answer.kindOf = (file) => kKindOfTier[ranked.tierOf(file)] || "definition";
    break;
  }
  answer.partial = expansions.some((expansion) => expansion.truncated ||
    [...expansion.clauses()].flat().some((list) => list.tf > index.head.postings));
}

// The readings of a query, in order, until one has an answer.
async function searchReadings(index, query, place, left, wanted, answer) {
  const hasAnswer = () => answer.results.length > 0;
  // A path is its file; which texts mention it, the lists do not say.
  if (place && (place.line || place.parts.length > 1)) await putNamedFilesFirst(index, place, left, answer, wanted);
  if (hasAnswer()) return;
  if (query.name && query.name.scope.length) await searchQualified(index, query, place, left, wanted, answer);
  if (hasAnswer()) return;
  if (query.plain && query.leaves.length > 1 && !query.name) await searchSentence(index, query, left, wanted, answer);
  else await searchNames(index, query, left, wanted, answer);
  if (place && !place.line && !query.name) await putNamedFilesFirst(index, place, left, answer, wanted);
}

// Everything about one query: its results, `files` that match, and what should be said. `kind`: only files that
// answer so.
async function search(index, text, wanted, kind = "") {
  await index.open();
  const query = parseQuery(text), left = await filesLeft(index, query), place = placeOfQuery(query.plain || text);
  const answer = {query, results: [], files: 0, matching: [], any: false, partial: false, leftOut: [], kindOf: null};
  if (!query.leaves.length && !left) return answer;
  await searchReadings(index, query, place, left, wanted, answer);
  const kinds = kindsOf(answer), all = answer.matching;
  if (kind && answer.kindOf) {
    const held = new Uint8Array(index.head.files);
    for (const file of all) held[file] = Number(answer.kindOf(file) === kind);
    Object.assign(answer, {results: [], files: 0, matching: []});
    await searchReadings(index, query, place, held, wanted, answer);
  }
  return Object.assign(answer, {kinds, all});
}

// How many files answer in which way: [[kind, files]].
function kindsOf({matching, kindOf}) {
  if (!kindOf) return [];
  const counts = new Map();
  for (const file of matching) counts.set(kindOf(file), (counts.get(kindOf(file)) || 0) + 1);
  return Object.keys(kKinds).filter((kind) => counts.has(kind)).map((kind) => [kind, counts.get(kind)]);
}

// --- what is shown of a file --------------------------------------------------------------------

// How well a name fits: 4 it is the name that all words make, 3 one of them (which in a
// sentence says little), 2 it holds all, 1 some.
function gradeOf(query, name) {
  const folded = fold(name), key = query.compoundKey;
  if (key && folded.length >= key.length && nameKey(name) === key) return 4;
  // Files define thousands of names: those that cannot fit are not cut into their words.
  if (isAscii(folded) && !query.leaves.some((leaf) => folded.includes(leaf.start))) return 0;
  const words = splitName(name);
  const whole = query.leaves.some((leaf) => leaf.isPrefix
    ? folded.startsWith(leaf.folded)
    : folded === leaf.folded || stripMarks(folded) === leaf.folded);
  if (whole && !query.isSentence) return 3;
  const leaves = query.isSentence ? query.leaves.filter((leaf) => !kStopWordSet.has(leaf.folded)) : query.leaves;
  const held = leaves.filter((leaf) =>
    words.some((word) => word === leaf.folded ||
      (word.startsWith(leaf.start) && stemOf(word) === leaf.stem))).length;
  return held && held === leaves.length ? 2 : held ? 1 : 0;
}

// The place in a file to go to: a definition, else a heading, else the top. A name that holds but
// some of the words counts where only such names have them.
function bestPlace(query, details, tier) {
  let grade = tier === kDefinitionWords || tier === kDefinitionPart ? 0 : 1, best = null, more = 0;
  for (const definition of details.definitions) {
    const here = gradeOf(query, definition.name);
    if (here > grade) [grade, best, more] = [here, definition, 0];
    else if (best && here === grade) ++more;
  }
  if (best) return {definition: best, more, line: best.line};
  let most = 0, section = null;
  for (const candidate of details.sections) {
    const stems = tokensOf(candidate.title).flatMap((token) => [fold(token), ...splitName(token)])
      .map(stem);
    const held = query.leaves.filter((leaf) => stems.includes(leaf.stem)).length;
    if (held > most) [most, section] = [held, candidate];
  }
  return section ? {section, line: section.line} : {line: 0};
}
