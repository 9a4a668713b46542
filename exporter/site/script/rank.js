// SPDX-License-Identifier: GPL-2.0-or-later
// Names and queries with operators to ranked files, as searcher/engine/scoring.h and compile.h rank them.

// What one word stands for: clauses by tier, each the lists that a file must all be in.
class TermExpansion {
  constructor() {
    this.tiers = Array.from({length: kCompoundDefinition}, () => []);
    this.exact = [];
    this.ranks = [];  // {rank, list}
    this.expansions = 0;
  }
  add(tier, ...lists) {
    this.tiers[tier].push(lists);
  }
  addDefinitions(name, isExact) {
    for (const {rank, list} of name.definitions) {
      this.add(rank === kDefinitionRanks ? kIdent : kDefinition, list);
      this.ranks.push({rank, list});
      if (isExact) this.exact.push(list);
    }
  }
  addName(name, exact) {
    const isExact = exact !== "" && name.spelling === exact;
    this.addDefinitions(name, isExact);
    this.add(kIdent, name.list);
    if (isExact) this.exact.push(name.list);
  }
  get isWide() {
    return this.expansions > kMaxRankedExpansions;
  }
  *clauses() {
    for (const clauses of this.tiers) yield* clauses;
  }
}

async function expandName(index, key) {
  const expansion = new TermExpansion(), entry = await index.entry(key);
  for (const name of entry ? entry.names : []) expansion.addName(name, "");
  return expansion;
}

// Whether a leaf asks a field: one without a field asks all.
const asks = (leaf, field) => !leaf.field || leaf.field === field;

async function expandWord(index, leaf) {
  const expansion = new TermExpansion(), {text, folded} = leaf;
  const words = isAscii(text) ? [folded] : splitName(text);
  if (!words.length) words.push(folded);
  const stems = words.map(stem);
  const keys = [nameKey(text), ...words, ...stems], entries = new Map();
  await Promise.all([...new Set(keys)].map(async (key) =>
    entries.set(key, await index.entry(key) || {names: []})));
  for (const name of entries.get(keys[0]).names) {
    const f = fold(name.spelling);
    if (f !== folded && stripMarks(f) !== folded && name.spelling !== text) continue;
    const exact = folded === text ? "" : text;
    if (!leaf.field) expansion.addName(name, exact);
    else if (leaf.field === "def") expansion.addDefinitions(name, name.spelling === exact);
    else if (leaf.field === "ident") expansion.add(kIdent, name.list);
  }
  const add = (tier, field, forms) => {
    const lists = forms.map((form) => entries.get(form)[field]);
    if (lists.every(Boolean)) expansion.add(tier, ...lists);
  };
  if (asks(leaf, "section")) add(kHeading, "section", stems);
  if (asks(leaf, "path")) add(kHeading, "path", words);
  if (asks(leaf, "def")) add(kDefinitionPart, "definitionPart", stems);
  if (leaf.field) return expansion;
  add(kPart, "part", stems);
  add(kProse, "word", stems);
  if (words.length === 1) add(kProse, "word", words);
  await addNamesByStem(index, folded, expansion);
  return expansion;
}

// Identifiers with the stem of a word: words of prose have terms by stem, names have not.
async function addNamesByStem(index, folded, expansion) {
  if (!/^[a-z]+$/.test(folded)) return;
  const words = inflections(stem(folded)).filter((word) => word !== folded);
  const entries = await Promise.all(words.map((word) => index.entry(word)));
  entries.forEach((entry, i) => {
    for (const name of entry ? entry.names : [])
      if (stripMarks(fold(name.spelling)) === words[i]) expansion.add(kProse, name.list);
  });
}

// kwsearch holds a pattern against the text as well. Here a file counts where a name or a stem of
// its text begins so; what only its path or a part of a heading has is left out.
async function expandPrefix(index, leaf) {
  const expansion = new TermExpansion(), {folded} = leaf, key = nameKey(folded);
  const textual = [];
  const fits = (spelling) => {
    const f = fold(spelling);
    return f.startsWith(folded) || stripMarks(f).startsWith(folded);
  };
  await index.scan(key, async (_, read) => {
    for (const name of (await read()).names) {
      if (!fits(name.spelling) || !(asks(leaf, "def") || asks(leaf, "ident"))) continue;
      if (!leaf.field) expansion.addName(name, "");
      else if (leaf.field === "def") expansion.addDefinitions(name, false);
      else expansion.add(kIdent, name.list);
      textual.push(name.list);
      if (++expansion.expansions >= kMaxExpansions) return false;
    }
    return true;
  });
  const full = expansion.expansions >= kMaxExpansions;
  const fields = [["word", kProse], ["section", kHeading], ["path", kHeading]].filter(([field]) => asks(leaf, field));
  for (const [field, tier] of fields)
    await index.scan(folded, async (_, read) => {
      const list = (await read())[field];
      if (!list) return true;
      expansion.add(tier, list);
      if (field === "word") textual.push(list);
      return ++expansion.expansions < kMaxExpansions;
    });
  expansion.truncated = full;
  if (!leaf.field) expansion.mayContain = filesOf(index, textual.map((list) => [list]));
  return expansion;
}

// --- ranking: searcher/engine/scoring.h, compile.h ----------------------------------------------

// Calls `take` with each file of a clause, and its place in each list.
function forEachFile(clause, take) {
  const [first, ...rest] = clause, places = clause.map(() => 0);
  first.files.forEach((file, i) => {
    places[0] = i;
    const inAll = rest.every(({files}, k) => {
      while (places[k + 1] < files.length && files[places[k + 1]] < file) ++places[k + 1];
      return files[places[k + 1]] === file;
    });
    if (inAll) take(file, places);
  });
}

function filesOf(index, clauses) {
  const held = new Uint8Array(index.head.files);
  for (const clause of clauses) forEachFile(clause, (file) => held[file] = 1);
  return held;
}

// For each file a bit for each tier that it has of an expansion.
function tierBits(index, expansion) {
  const bits = new Uint8Array(index.head.files);
  expansion.tiers.forEach((clauses, tier) => {
    for (const clause of clauses) forEachFile(clause, (file) => bits[file] |= 1 << tier);
  });
  if (expansion.mayContain) bits.forEach((_, file) => bits[file] *= expansion.mayContain[file]);
  return bits;
}

const highest = (bits) => 31 - Math.clz32(bits);

// The query as numbers by file: which files match, and their scores without BM25.
class RankedQuery {
  constructor(index, termExpansions, compound, any, excluded, left) {
    Object.assign(this, {index, termExpansions, compound, any, excluded, left});
    this.bits = termExpansions.map((expansion) => tierBits(index, expansion));
    this.compoundBits = compound ? tierBits(index, compound) : null;
    const wide = termExpansions.map((expansion) => expansion.isWide), allWide = wide.every(Boolean);
    this.ranked = this.bits.filter((_, i) => !wide[i] || allWide);
    this.allWide = allWide;
    this.score();
  }

  // Whether the words themselves match, not only the name that they make together.
  holds(file) {
    return this.any ? this.bits.some((b) => b[file]) : this.bits.every((b) => b[file]);
  }

  tierOf(file) {
    if (this.compoundBits && this.compoundBits[file] >> kDefinition & 1) return kCompoundDefinition;
    const holds = this.holds(file), compoundUse = this.compoundBits && this.compoundBits[file] ? kIdent : 0;
    if (!holds) return compoundUse;
    if (this.allWide && this.bits.length > 1) return Math.max(kProse, compoundUse);
    if (!this.bits.length) return kProse;  // filters alone
    if (this.bits.length === 1) return highest(this.bits[0][file]);
    const each = this.ranked.map((b) => b[file]);
    const defined = 1 << kDefinition | 1 << kDefinitionPart;
    const best = this.any ? Math.max(...each.map(highest)) : Math.min(...each.map(highest));
    const definedWords = this.any ? each.some((b) => b & defined) : each.every((b) => b & defined);
    return Math.max(best, definedWords ? kDefinitionWords : 0, compoundUse, kProse);
  }

  score() {
    const {head} = this.index, all = this.compound ? [...this.termExpansions, this.compound] : this.termExpansions;
    const spelled = filesOf(this.index, this.termExpansions.flatMap((m) => m.exact.map((l) => [l])));
    const kinds = new Uint8Array(head.files);
    for (const {rank, list} of all.flatMap((expansion) => expansion.ranks))
      for (const file of list.files) kinds[file] = Math.max(kinds[file], kDefinitionRanks - rank);
    this.scores = new Float64Array(head.files);
    this.files = [];
    for (let file = 0; file < head.files; ++file) {
      if (this.excluded.some((bits) => bits[file]) || (this.left && !this.left[file])) continue;
      if (!this.holds(file) && !(this.compoundBits && this.compoundBits[file])) continue;
      this.files.push(file);
      this.scores[file] = this.tierOf(file) * kTierStep + spelled[file] * kSpellingBonus +
        (kOrigins - 1 - head.origins[file]) * kOriginStep + kinds[file] * kRankStep;
    }
    this.files.sort((a, b) => this.scores[b] - this.scores[a] || a - b);
  }

  // Adds BM25 (Xapian's: k1 = 1, b = 0.5) to the scores of some files.
  async weigh(files) {
    if (!this.bits.length || (this.bits.length === 1 && this.termExpansions[0].mayContain)) return;  // a prefix alone: none
    const {head} = this.index, average = head.length / head.files;
    const rows = await this.index.numbersOf(files, true);
    const add = (clauses, isAsked) => {
      for (const clause of clauses)
        forEachFile(clause, (file, places) => {
          if (!rows.has(file) || !isAsked(file)) return;
          const norm = Math.max(rows.get(file).exact / average, 0.5);
          clause.forEach(({tf, wdf}, k) => {
            let odds = (head.files - tf + 0.5) / (tf + 0.5);
            if (odds < 2) odds = odds * 0.5 + 1;
            const count = wdf[places[k]];
            this.scores[file] += 2 * Math.log(odds) * (count / (norm * 0.5 + 0.5 + count));
          });
        });
    };
    for (const expansion of this.termExpansions) add(expansion.clauses(), (file) => this.holds(file));
    if (this.compound) add(this.compound.clauses(), () => true);
  }

  // The first `wanted` results: [{file, also, tier, score}].
  async results(wanted) {
    const groups = new Groups(this.index, new Set(this.files));
    for (let from = 0; from < this.files.length && groups.results.length < wanted;) {
      // All files of one score go together: only BM25 tells them apart.
      let end = Math.min(from + 2 * (wanted - groups.results.length), this.files.length);
      const last = this.scores[this.files[end - 1]];
      while (end < this.files.length && this.scores[this.files[end]] === last) ++end;
      const band = this.files.slice(from, end);
      await this.weigh(band);
      sortByScore(band, this.scores);
      for (const file of band) {
        if (groups.results.length === wanted) break;
        await groups.add(file, {tier: Math.floor(this.scores[file] / kTierStep), score: this.scores[file]});
      }
      from = end;
    }
    return groups.results;
  }
}

// Best first; scores that are the same but for their rounding, by path.
function sortByScore(files, scores) {
  files.sort((a, b) => scores[b] - scores[a]);
  const same = new Map();
  let best = Infinity;
  for (const file of files) {
    if (best - scores[file] >= kSameScore) best = scores[file];
    same.set(file, best);
  }
  files.sort((a, b) => same.get(b) - same.get(a) || a - b);
}

// Results with their groups: a source and the pages about it are one.
class Groups {
  constructor(index, matching) {
    Object.assign(this, {index, matching, results: [], seen: new Set()});
  }

  async add(file, facts) {
    if (this.seen.has(file)) return;
    const others = (await this.index.numbersOf([file])).get(file).others;
    const group = [file, ...others.filter((other) => this.matching.has(other))];
    for (const member of [file, ...others]) this.seen.add(member);
    let shown = Math.min(...group);
    for (const [member, {isSource}] of group.length > 1 ? await this.index.numbersOf(group) : [])
      if (isSource) shown = member;
    this.results.push({file: shown, ...facts,
                       also: group.filter((member) => member !== shown).sort((a, b) => a - b)});
  }
}

// What any of the words of an OR stands for.
function merged(expansions) {
  if (expansions.length === 1) return expansions[0];
  const all = new TermExpansion();
  for (const expansion of expansions) {
    expansion.tiers.forEach((clauses, tier) => all.tiers[tier].push(...clauses));
    all.exact.push(...expansion.exact);
    all.ranks.push(...expansion.ranks);
    all.expansions += expansion.expansions;
    all.truncated = all.truncated || expansion.truncated;
  }
  return all;
}
