// SPDX-License-Identifier: GPL-2.0-or-later
// A name with its scope (A.b) to the files that define it there, as searcher/engine/name_plan.cc ranks them.

const kCandidates = 40, kMoreCandidates = 40, kReadAtOnce = 10;  // whose details are read
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

// Of the names of one key those that are spelled so, in either case.
function spelledSo(names, text) {
  const folded = fold(text);
  return names.filter(({spelling}) => spelling === text || fold(spelling) === folded || stripMarks(fold(spelling)) === folded);
}

async function definitionsOf(index, name) {
  const entry = await index.entry(nameKey(name));
  return entry ? spelledSo(entry.names, name).flatMap((one) => one.definitions) : [];
}

// The files that define a name, weighed as if it were searched alone.
async function otherDefinitions(index, name, left) {
  const all = new TermExpansion();
  for (const {rank, list} of await definitionsOf(index, name))
    if (rank !== kDefinitionRanks) all.add(kDefinition, list);
  const ranked = new RankedQuery(index, [all], null, true, [], left);
  await ranked.weigh(ranked.files);
  sortByScore(ranked.files, ranked.scores);
  return ranked.files;
}

// The files whose texts have the name with its scope, in the order in which kwsearch has exact text.
async function mentioning(index, {name, scope, sign}, left) {
  const key = nameKey(name), at = scope.at(-1), entry = await index.entry(`${key}.${sign === "." ? "" : sign.at(-1)}${nameKey(at)}`);
  if (!entry || !entry.mention) return [];
  const held = filesOf(index, [[entry.mention]]), parts = await Promise.all([...scope, name].map((part) => sentenceWord(index, part)));
  await Promise.all(parts.flatMap((part) => part.entries.map((one) => one.withLists())));
  if (left) left.forEach((one, file) => held[file] *= one);
  for (const {fields} of parts.slice(0, -2)) {
    const has = filesOf(index, [...fields.name, ...fields.body]);
    has.forEach((one, file) => held[file] *= one);
  }
  const all = new TermExpansion(), exact = fold(name) === name ? "" : name, own = parts.at(-1);
  for (const one of spelledSo(own.definers, name)) all.addDefinitions(one, one.spelling === exact);
  for (const field of ["heading", "path"])
    if (parts.every(({fields}) => fields[field].length)) all.add(kHeading, ...parts.flatMap(({fields}) => fields[field][0]));
  // Each file has all parts of the name.
  for (const {fields, definers, token} of parts) {
    for (const {list} of spelledSo(definers, token)) all.add(kIdent, list);
    for (const clause of fields.body) all.add(kIdent, ...clause);
  }
  all.add(kIdent, entry.mention);
  const ranked = new RankedQuery(index, [all], null, true, [], held);
  await ranked.weigh(ranked.files);
  sortByScore(ranked.files, ranked.scores);
  return ranked.files;
}

// In the order of kwsearch's plans: files and modules of the name, definitions in its scope, texts that mention it,
// other definitions of its last part; where there is nothing, of what it belongs to.
async function searchQualified(index, query, place, left, wanted, answer) {
  const {name, scope} = query.name, all = new TermExpansion();
  for (const {list} of await definitionsOf(index, name)) all.add(kDefinition, list);
  const defining = new RankedQuery(index, [all], null, true, [], left).files;
  const {found, scoped} = await definedInScope(index, query.name, defining, wanted);
  const named = [];
  for (const asked of [place, {parts: [...scope, name], isCertain: false, line: 0}])
    if (asked && await mayBeNamed(index, asked)) named.push(...await filesNamed(index, asked, left));
  const mentions = await mentioning(index, query.name, left), others = await otherDefinitions(index, name, left);
  const ordered = [...new Set([...named, ...scoped, ...mentions, ...others])];
  if (!ordered.length) ordered.push(...await otherDefinitions(index, scope.at(-1), left));
  const groups = new Groups(index, new Set(ordered));
  for (const file of ordered) {
    if (groups.results.length === wanted) break;
    const isNamed = named.includes(file), isMention = !found.has(file) && mentions.includes(file);
    await groups.add(file, {tier: isNamed ? kHeading : isMention ? kIdent : kDefinition, score: 0, isNamed,
                            line: isNamed ? 0 : found.get(file)});
  }
  answer.results = groups.results;
  answer.files = ordered.length;
  answer.matching = ordered;
  answer.kindOf = (file) => named.includes(file) ? "heading" : mentions.includes(file) && !found.has(file) ? "use" : "definition";
}

// The files that define a name in its scope, best first, and the line of each.
async function definedInScope(index, name, defining, wanted) {
  const scores = new Float64Array(index.head.files), allowed = new Set(defining);
  let weight = 1, opening = null;
  for (const part of name.scope) {
    const word = await sentenceWord(index, part), at = weight;
    await Promise.all(word.entries.map((one) => one.withLists()));
    opening = spelledSo(word.definers, part).flatMap((one) => one.definitions.map(({list}) => [list]));
    for (const [clauses, worth] of [[opening, 4], [word.fields.path, 2], [word.fields.name, 1]])
      filesOf(index, clauses).forEach((held, file) => held && (scores[file] += at * worth));
    weight *= 2;
  }
  const candidates = [...allowed].filter((file) => scores[file]);
  for (const file of candidates) scores[file] += 0.1 * (kOrigins - 1 - index.head.origins[file]);
  sortByScore(candidates, scores);
  const found = new Map(), worth = new Float64Array(index.head.files);
  const judge = (files) => Promise.all(files.map(async (file) => {
    const details = await index.details(file);
    const best = scopedDefinition(name, details, groupKey(index.head, details.path));
    if (best.worth) found.set(file, best.line);
    worth[file] = best.worth;
  }));
  await judge(candidates.slice(0, kCandidates));
  // Hundreds of files open a namespace, and are as good as one another: the first by their paths come first.
  const opens = filesOf(index, opening), best = worth.reduce((most, one) => Math.max(most, one), 0);
  const more = candidates.slice(kCandidates).filter((file) => opens[file]).sort((a, b) => a - b).slice(0, kMoreCandidates);
  for (let count = 0; more.length && count < wanted;) {
    const some = more.splice(0, kReadAtOnce);
    await judge(some);
    count += some.filter((file) => worth[file] >= best).length;
  }
  const scoped = [...found.keys()];
  sortByScore(scoped, worth);
  return {found, scoped};
}
