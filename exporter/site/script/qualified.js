// SPDX-License-Identifier: GPL-2.0-or-later
// A name with its scope (A.b) to the files that define it there, as searcher/engine/name_plan.cc ranks them.

const kCandidates = 40;  // whose details are read
const sameName = (a, b) => a === b || nameKey(a) === nameKey(b);

const scopeParts = (scope) => scope.split(/[:.#/\\]/).map((part) => part.replace(/<.*$/, ""))
  .filter((part) => part && !part.startsWith("__anon"));

// How well the parts before a name agree with where it is defined.
function scopeAgreement(parts, chain, scope) {
  if (!parts.length || !chain.length) return 0;
  let atEnd = 0;
  while (atEnd < parts.length && atEnd < chain.length && sameName(parts.at(-1 - atEnd), chain.at(-1 - atEnd))) ++atEnd;
  if (atEnd === chain.length) return 420 + atEnd;
  if (atEnd === parts.length) return (atEnd >= scope ? 400 : 300) + atEnd;
  let found = 0, at = chain.length, nearest = false;
  for (let i = parts.length; i > 0; --i) {
    let k = at;
    while (k > 0 && !sameName(parts[i - 1], chain[k - 1])) --k;
    if (!k) continue;
    nearest = nearest || i === parts.length;
    ++found;
    at = k - 1;
  }
  if (!found) return 0;
  if (found === parts.length) return 200 + found + atEnd;
  return atEnd ? 200 + found + atEnd - 1 : nearest ? 100 + found : 0;
}

// The best definition of a file: {worth, line}; worth 0 for none.
function scopedDefinition({name, scope}, details, key) {
  const module = moduleOf(key);
  let best = {worth: 0, line: 0};
  for (const definition of details.definitions) {
    if (!sameName(name, definition.name)) continue;
    const own = scopeParts(definition.scope), grade = scopeAgreement(scope, [...module, ...own], own.length);
    const worth = grade && grade + (definition.name === name ? 10 : 0) + kindWorth(definition.kind);
    if (worth > best.worth) best = {worth, line: definition.line};
  }
  return best;
}

async function searchQualified(index, query, place, left, wanted, answer) {
  const {name, scope} = query.name, entry = await index.entry(nameKey(name));
  const definitions = entry ? entry.names.flatMap((one) => one.definitions) : [];
  const all = new TermExpansion(), others = new TermExpansion();
  for (const {rank, list} of definitions) {
    all.add(kDefinition, list);
    if (rank !== kDefinitionRanks) others.add(kDefinition, list);
  }
  const ranked = new RankedQuery(index, [others], null, true, [], left);
  await ranked.weigh(ranked.files);
  sortByScore(ranked.files, ranked.scores);
  const defining = new RankedQuery(index, [all], null, true, [], left).files;
  const {found, scoped} = await definedInScope(index, query.name, defining);
  // A file or a module of this name stands before what has it in its scope.
  const named = [];
  for (const asked of [place, {parts: [...scope, name], isCertain: false, line: 0}])
    if (asked && await mayBeNamed(index, asked)) named.push(...await filesNamed(index, asked, left));
  const ordered = [...new Set([...named, ...scoped, ...ranked.files])], groups = new Groups(index, new Set(ordered));
  for (const file of ordered) {
    if (groups.results.length === wanted) break;
    const isNamed = named.includes(file);
    await groups.add(file, {tier: isNamed ? kHeading : kDefinition, score: 0, isNamed, line: isNamed ? 0 : found.get(file)});
  }
  answer.results = groups.results;
  answer.files = ordered.length;
  answer.matching = ordered;
  answer.kindOf = (file) => named.includes(file) ? "heading" : "definition";
}

// The files that define a name in its scope, best first, and the line of each.
async function definedInScope(index, name, defining) {
  const scores = new Float64Array(index.head.files), allowed = new Set(defining);
  let weight = 1;
  for (const part of name.scope) {
    const word = await sentenceWord(index, part), at = weight;
    await Promise.all(word.entries.map((one) => one.withLists()));
    const opening = word.definers.flatMap((one) => one.definitions.map(({list}) => [list]));
    for (const [clauses, worth] of [[opening, 4], [word.fields.path, 2], [word.fields.name, 1]])
      filesOf(index, clauses).forEach((held, file) => held && (scores[file] += at * worth));
    weight *= 2;
  }
  const candidates = [...allowed].filter((file) => scores[file]);
  for (const file of candidates) scores[file] += 0.1 * (kOrigins - 1 - index.head.origins[file]);
  sortByScore(candidates, scores);
  const found = new Map(), worth = new Float64Array(index.head.files);
  await Promise.all(candidates.slice(0, kCandidates).map(async (file) => {
    const details = await index.details(file);
    const best = scopedDefinition(name, details, groupKey(index.head, details.path));
    if (best.worth) found.set(file, best.line);
    worth[file] = best.worth;
  }));
  const scoped = [...found.keys()];
  sortByScore(scoped, worth);
  return {found, scoped};
}
