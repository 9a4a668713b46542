// SPDX-License-Identifier: GPL-2.0-or-later
// A query to ranked files, as searcher/engine ranks them, and the place in each file to go to.

// --- the query, and what a word of it stands for: searcher/engine/term_expansion.h --------------

// Words, prefix*, NOT and OR. Other syntax of kwsearch's is read as the words that it holds, and named
// in `unsupported`. An OR binds the words at its sides; each of `groups` must match, none of `excluded`.
function parseQuery(text) {
  const query = {leaves: [], excluded: [], groups: [], simplified: false, unsupported: []};
  const pieces = text.split(/[ \t-\r]+/).filter(Boolean);
  let isExcluded = false, isOr = false;
  pieces.forEach((piece, i) => {
    if (piece === "NOT" && i + 1 < pieces.length) isExcluded = true;
    else if (piece === "OR" && query.groups.length && i + 1 < pieces.length && !isExcluded) isOr = true;
    else {
      const leaves = leavesOf(piece, query);
      if (isExcluded) query.excluded.push(...leaves);
      else if (isOr && leaves.length) query.groups.at(-1).push(...leaves);
      else query.groups.push(...leaves.map((leaf) => [leaf]));
      isExcluded = isOr = false;
    }
  });
  if (!query.groups.length) {  // without anything to find NOT is a word
    query.groups.push(...query.excluded.map((leaf) => [leaf]));
    query.excluded = [];
  }
  query.leaves = query.groups.flat();
  return query;
}

function leavesOf(piece, query) {
  const words = tokensOf(piece), only = words.length === 1 ? words[0] : "", leaves = [];
  if (only && piece === only) {
    leaves.push({text: only, isPrefix: false});
  } else if (only && piece === only + "*" && /[^_]/.test(only)) {
    leaves.push({text: only, isPrefix: true});
  } else {
    query.simplified = true;
    query.unsupported.push(piece);
    // A field's name is no word, and what language a file has the site does not know.
    const field = /^([a-z]+):(?=[^:])/.exec(piece), name = field ? field[1] : "";
    const kept = kTextFields.includes(name) ? words.slice(1) : kFileFields.includes(name) ? [] : words;
    for (const word of kept) leaves.push({text: word, isPrefix: false});
  }
  for (const leaf of leaves) {
    leaf.folded = fold(leaf.text);
    leaf.stem = stem(leaf.folded);
    leaf.start = startOfWords(leaf.stem);
  }
  return leaves;
}

// kwsearch's fields of words, and of files.
const kTextFields = ["def", "path", "section"], kFileFields = ["lang", "ext"];

// A file that the query names by its path, with or without a line: {path, line}, or null.
function placeOfQuery(text) {
  const match = /^(?:\.?\/)*([^\s:"'*#]*[./][^\s:"'*#]*?)\/*(?::(\d+)(?::\d+)?:?|#L(\d+)(?:-L?\d+)?)?$/.exec(text.trim());
  return match && match[1] ? {path: match[1], line: Number(match[2] || match[3] || 0)} : null;
}

// The numbers of files whose path is `wanted` or ends with it: shortest first.
function filesNamed(paths, wanted) {
  const end = "/" + wanted.toLowerCase(), found = [];
  paths.forEach(({path}, file) => {
    if (("/" + path.toLowerCase()).endsWith(end)) found.push(file);
  });
  return found.sort((a, b) => paths[a].path.length - paths[b].path.length || a - b);
}

// --- what a word was meant to be ----------------------------------------------------------------------

// Letters put in, left out, put for others or with their neighbours: how many, or `most` + 1 for more
// (optimal string alignment).
function editsBetween(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let older = [], old = Array.from({length: b.length + 1}, (_, i) => i);
  for (let i = 1; i <= a.length; ++i) {
    const row = [i];
    for (let k = 1; k <= b.length; ++k) {
      row[k] = Math.min(old[k] + 1, row[k - 1] + 1, old[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1));
      if (k > 1 && i > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1])
        row[k] = Math.min(row[k], older[k - 2] + 1);
    }
    if (Math.min(...row) > most) return most + 1;
    [older, old] = [old, row];
  }
  return old[b.length];
}

// The nearest name or word of the vocabulary, the one in most files of several; null for none. Only keys
// that share their first letters, a slip in these aside, are looked at: a few chunks.
async function nearestWord(index, folded) {
  const key = nameKey(folded), most = key.length < 5 ? 1 : 2, near = [];
  if (key.length < 3 || !isAscii(key)) return null;
  const first = key.slice(0, kSharedLetters);
  const starts = [first, key[1] + key[0] + key.slice(2, kSharedLetters),
                  key[0] + key.slice(2, kSharedLetters + 1), key.slice(1, kSharedLetters + 1),
                  key[0] + key[2] + key[1], key.slice(0, 2) + key.slice(3, kSharedLetters + 1)];
  for (const start of [...new Set(starts), key.slice(0, 2)]) {
    if (start.length < kSharedLetters && near.length) break;  // a third letter that is another
    let left = kKeysLookedAt;
    await index.scan(start, async (candidate, read) => {
      const edits = candidate === key ? most + 1 : editsBetween(key, candidate, most);
      if (edits <= most && candidate.length > 2) near.push({edits, candidate, read});
      return --left > 0;
    });
  }
  near.sort((a, b) => a.edits - b.edits);
  let best = null;
  for (const {edits, candidate, read} of near.filter((one) => one.edits === near[0].edits).slice(0, kShownNear)) {
    const entry = await read(), name = entry.names.reduce((a, b) => !a || b.list.tf > a.list.tf ? b : a, null);
    const files = Math.max(name ? name.list.tf : 0, entry.word ? entry.word.tf : 0);
    if (!best || files > best.files) best = {files, text: name ? name.spelling : candidate};
  }
  return best && best.text;
}
const kSharedLetters = 3, kKeysLookedAt = 3000, kShownNear = 20;

// The query with words that nothing has put right; "" where there is nothing to put right.
async function suggestion(index, query) {
  const words = [];
  let isChanged = false;
  for (const leaf of query.leaves) {
    const entry = leaf.isPrefix ? {} : await index.entry(nameKey(leaf.text)) || await index.entry(leaf.stem);
    const better = entry ? null : await nearestWord(index, leaf.folded);
    if (better) isChanged = true;
    words.push(better || leaf.text + (leaf.isPrefix ? "*" : ""));
  }
  return isChanged ? words.join(" ") : "";
}

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
    if (f === folded || stripMarks(f) === folded || name.spelling === text)
      expansion.addName(name, folded === text ? "" : text);
  }
  const add = (tier, field, forms) => {
    const lists = forms.map((form) => entries.get(form)[field]);
    if (lists.every(Boolean)) expansion.add(tier, ...lists);
  };
  add(kHeading, "section", stems);
  add(kHeading, "path", words);
  add(kDefinitionPart, "definitionPart", stems);
  add(kPart, "part", stems);
  add(kProse, "word", stems);
  if (words.length === 1) add(kProse, "word", words);
  await addNamesByStem(index, folded, expansion);
  return expansion;
}

// Identifiers with the stem of a word: words of prose have terms by stem, names have not.
async function addNamesByStem(index, folded, expansion) {
  if (!/^[a-z]+$/.test(folded)) return;
  for (const word of inflections(stem(folded))) {
    if (word === folded) continue;
    await index.scan(word, async (key, read) => {
      if (key === word)
        for (const name of (await read()).names)
          if (stripMarks(fold(name.spelling)) === word) expansion.add(kProse, name.list);
      return false;
    });
  }
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
      if (!fits(name.spelling)) continue;
      expansion.addName(name, "");
      textual.push(name.list);
      if (++expansion.expansions >= kMaxExpansions) return false;
    }
    return true;
  });
  const full = expansion.expansions >= kMaxExpansions;
  for (const [field, tier] of [["word", kProse], ["section", kHeading], ["path", kHeading]])
    await index.scan(folded, async (_, read) => {
      const list = (await read())[field];
      if (!list) return true;
      expansion.add(tier, list);
      if (field === "word") textual.push(list);
      return ++expansion.expansions < kMaxExpansions;
    });
  expansion.truncated = full;
  expansion.mayContain = filesOf(index, textual.map((list) => [list]));
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
  constructor(index, termExpansions, compound, any, excluded) {
    Object.assign(this, {index, termExpansions, compound, any, excluded});
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
      if (this.excluded.some((bits) => bits[file])) continue;
      if (!this.holds(file) && !(this.compoundBits && this.compoundBits[file])) continue;
      this.files.push(file);
      this.scores[file] = this.tierOf(file) * kTierStep + spelled[file] * kSpellingBonus +
        (kOrigins - 1 - head.origins[file]) * kOriginStep + kinds[file] * kRankStep;
    }
    this.files.sort((a, b) => this.scores[b] - this.scores[a] || a - b);
  }

  // Adds BM25 (Xapian's: k1 = 1, b = 0.5) to the scores of some files.
  async weigh(files) {
    if (this.termExpansions.length === 1 && this.termExpansions[0].mayContain) return;  // a prefix alone: none
    const {head} = this.index, average = head.length / head.files;
    const rows = await this.index.numbersOf(files);
    const add = (clauses, isAsked) => {
      for (const clause of clauses)
        forEachFile(clause, (file, places) => {
          if (!rows.has(file) || !isAsked(file)) return;
          const norm = Math.max(rows.get(file).length / average, 0.5);
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

  // Best first; scores that are the same but for their rounding, by path.
  sortBand(files) {
    files.sort((a, b) => this.scores[b] - this.scores[a]);
    const same = new Map();
    let best = Infinity;
    for (const file of files) {
      if (best - this.scores[file] >= kSameScore) best = this.scores[file];
      same.set(file, best);
    }
    files.sort((a, b) => same.get(b) - same.get(a) || a - b);
  }

  // The first `wanted` results: [{file, also}].
  async results(wanted) {
    const results = [], seen = new Set(), matching = new Set(this.files);
    for (let from = 0; from < this.files.length && results.length < wanted;) {
      // All files of one score go together: only BM25 tells them apart.
      let end = Math.min(from + 2 * (wanted - results.length), this.files.length);
      const last = this.scores[this.files[end - 1]];
      while (end < this.files.length && this.scores[this.files[end]] === last) ++end;
      const band = this.files.slice(from, end);
      await this.weigh(band);
      this.sortBand(band);
      for (const file of band) {
        if (seen.has(file) || results.length === wanted) continue;
        const group = [file];
        for (const other of (await this.index.numbersOf([file])).get(file).others) {
          seen.add(other);
          if (matching.has(other)) group.push(other);
        }
        let shown = Math.min(...group);
        for (const [member, {isSource}] of group.length > 1 ? await this.index.numbersOf(group) : [])
          if (isSource) shown = member;
        results.push({file: shown, tier: Math.floor(this.scores[file] / kTierStep),
                      score: this.scores[file],
                      also: group.filter((member) => member !== shown).sort((a, b) => a - b)});
      }
      from = end;
    }
    return results;
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

async function putNamedFilesFirst(index, text, answer, wanted) {
  const place = placeOfQuery(text);
  const named = place ? filesNamed(await index.paths(), place.path) : [];
  if (!named.length) return;
  const shown = named.slice(0, wanted).map((file) =>
    ({file, tier: kHeading, score: Infinity, also: [], line: place.line, isNamed: true}));
  const others = answer.results.filter(({file}) => !named.includes(file));
  answer.files = Math.max(answer.files, named.length);
  answer.any = false;
  answer.query.unsupported = [];
  answer.results = [...shown, ...others].slice(0, wanted);
}

// Everything about one query: its results, `files` that match, and what should be said.
async function search(index, text, wanted) {
  await index.open();
  const query = parseQuery(text), answer = {query, results: [], files: 0, any: false, partial: false};
  if (!query.leaves.length) return answer;
  const expand = (leaf) => leaf.isPrefix ? expandPrefix(index, leaf) : expandWord(index, leaf);
  const termExpansions = await Promise.all(query.groups.map(async (group) =>
    merged(await Promise.all(group.map(expand)))));
  const excluded = (await Promise.all(query.excluded.map(expand))).map((e) => tierBits(index, e));
  const isPlain = !excluded.length && query.groups.length === query.leaves.length;
  const isCompound = isPlain && query.leaves.length > 1 && !query.leaves.some((leaf) => leaf.isPrefix);
  query.compoundKey = isCompound ? nameKey(query.leaves.map((leaf) => leaf.text).join("")) : "";
  const compound = isCompound ? await expandName(index, query.compoundKey) : null;
  for (const any of isPlain && query.leaves.length > 1 ? [false, true] : [false]) {
    const ranked = new RankedQuery(index, termExpansions, compound, any, excluded);
    if (!ranked.files.length) continue;
    answer.files = ranked.files.length;
    answer.any = any;
    answer.results = await ranked.results(wanted);
    break;
  }
  await putNamedFilesFirst(index, text, answer, wanted);
  const {postings} = index.head;
  answer.partial = termExpansions.some((expansion) => expansion.truncated ||
    [...expansion.clauses()].flat().some((list) => list.tf > postings));
  return answer;
}

// --- what is shown of a file --------------------------------------------------------------------

const knownStems = new Map();  // the same words come again and again
function stemOf(word) {
  if (!knownStems.has(word)) knownStems.set(word, stem(word));
  return knownStems.get(word);
}

// How well a name fits: 4 it is the name that all words make, 3 one of them, 2 it holds all, 1 some.
function gradeOf(query, name) {
  const folded = fold(name), key = query.compoundKey;
  if (key && folded.length >= key.length && nameKey(name) === key) return 4;
  // Files define thousands of names: those that cannot fit are not cut into their words.
  if (isAscii(folded) && !query.leaves.some((leaf) => folded.includes(leaf.start))) return 0;
  const words = splitName(name);
  const whole = query.leaves.some((leaf) => leaf.isPrefix
    ? folded.startsWith(leaf.folded)
    : folded === leaf.folded || stripMarks(folded) === leaf.folded);
  if (whole) return 3;
  const held = query.leaves.filter((leaf) =>
    words.some((word) => word === leaf.folded ||
      (word.startsWith(leaf.start) && stemOf(word) === leaf.stem))).length;
  return held === query.leaves.length ? 2 : held ? 1 : 0;
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

const kTierText = ["", "in the text", "in part of a name", "in part of a name that it defines",
  "uses the name", "in its path or a heading", "in names that it defines", "defines it",
  "defines it"];
