// SPDX-License-Identifier: GPL-2.0-or-later
// Several words to ranked files, as searcher/engine/sentence_plan.cc ranks them: in the first stage weighted
// fields; in the second the files that may have the words as their title, in one heading or in one name are
// judged by what they hold.

const kStopWordSet = new Set(kStopWords);
// A sentence is searched by its rarest words: the lists of others would take long to fetch.
const kMostWords = 6;
const kJudgedAtOnce = 4;

const isDocument = (path) => /\.(?:md|markdown|mdx)$/i.test(path);

const kindWorth = (kind) => /^(?:class|struct|interface|trait)$/.test(kind) ? 3
  : /^(?:function|method|func|macro)$/.test(kind) ? 2 : /^(?:prototype|namespace|variable)$/.test(kind) ? 0 : 1;

// A text's words, those inside names too, folded, in order; and their stems.
const wordsIn = (text) => tokensOf(text).flatMap((token) => {
  const words = splitName(token);
  return words.length ? words : [fold(token)];
});
const stemsOf = (text) => wordsIn(text).map(stemOf);
const foldedWords = (text) => tokensOf(text).map(fold).join(" ");

const knownStems = new Map();  // the same words come again and again
function stemOf(word) {
  if (!knownStems.has(word)) knownStems.set(word, stem(word));
  return knownStems.get(word);
}

// A word of a sentence: its fields, each alternatives of lists that a file must all be in.
async function sentenceWord(index, token) {
  const folded = fold(token), inner = splitName(token), entries = new Map();
  const words = isAscii(token) ? [folded] : inner.length ? inner : [folded];
  const keys = [nameKey(token), ...words, ...words.map(stem), ...inner, ...inner.map(stem)];
  await Promise.all([...new Set(keys)].map(async (key) => entries.set(key, await index.entryWithoutLists(key))));
  const used = new Set();
  const all = (field, forms) => {
    const lists = forms.map((form) => entries.get(form) && entries.get(form)[field]);
    if (!lists.length || !lists.every(Boolean)) return [];
    for (const form of forms) used.add(entries.get(form));
    return [lists];
  };
  const field = (name, form) => {
    const found = all(name, words.map(form));
    return found.length || inner.length < 2 ? found : all(name, inner.map(form));
  };
  const same = (word) => word, named = entries.get(nameKey(token));
  if (named && named.names.length) used.add(named);
  const fields = {
    title: field("title", stem), description: field("description", stem), heading: field("section", stem),
    path: field("path", same), definition: field("definitionPart", stem),
    name: [...named ? named.names.map((name) => [name.list]) : [], ...all("part", words.map(stem))],
    body: all("word", words.map(stem))};
  if (words.length === 1 && /^\d/.test(token) && stem(words[0]) !== words[0]) fields.body.push(...all("word", words));
  if (!fields.body.length && inner.length > 1) fields.body = all("word", inner.map(stem));
  const most = Math.max(0, ...Object.values(fields).flat(2).map((list) => list.tf));
  return {token, stem: stem(folded), parts: stemsOf(token), forms: wordsIn(token), isSalient: !kStopWordSet.has(folded), isLeftOut: false, fields, entries: [...used],
          idf: most ? Math.log(1 + index.head.files / most) : 0, definers: named ? named.names : []};
}

// Of stop words beside others no long lists are fetched: the little that these add to a title's weight is less than
// what they cost.
async function sentenceWords(index, text) {
  const tokens = new Map();
  for (const token of tokensOf(text)) if (!tokens.has(stem(fold(token)))) tokens.set(stem(fold(token)), token);
  const words = await Promise.all([...tokens.values()].map((token) => sentenceWord(index, token)));
  const counts = (word) => word.isSalient && word.idf > 0;
  if (!words.some(counts)) for (const word of words) word.isSalient = true;
  const rarest = words.filter(counts).sort((a, b) => b.idf - a.idf).slice(0, kMostWords);
  for (const word of words) word.isLeftOut = counts(word) && !rarest.includes(word);
  await Promise.all(rarest.flatMap((word) => word.entries.map((entry) => entry.withLists())));
  return words;
}

const heldWeight = (word) => Math.max(1, Math.round(word.idf * kQuarters));

class SentenceQuery {
  constructor(index, text, words, compound, left) {
    Object.assign(this, {index, words, compound, left, text: foldedWords(text), whole: words.flatMap((word) => word.parts)});
    this.key = compound.key;
    this.salient = words.filter((word) => word.isSalient && word.idf > 0 && !word.isLeftOut);
    const {files} = index.head;
    this.held = new Float64Array(files);
    for (const word of this.salient) {
      const holds = filesOf(index, Object.values(word.fields).flat());
      holds.forEach((held, file) => held && (this.held[file] += heldWeight(word)));
    }
    this.compoundFiles = filesOf(index, compound.lists.map((list) => [list]));
    // What the second stage may find in a file: all words in headings, in titles, in defined names.
    const inAll = (field) => {
      const each = this.salient.map((word) => filesOf(index, word.fields[field]));
      return each.length ? each[0].map((_, file) => Number(each.every((held) => held[file]))) : new Uint8Array(files);
    };
    this.mayHave = {title: inAll("title"), heading: inAll("heading"), definition: inAll("definition")};
    this.mayHaveInOne = {heading: this.filesWithOneHeading(), definition: this.mayHave.definition};
  }

  // Files of which one heading may have all words, by the bits of headings that lists have.
  filesWithOneHeading() {
    const {files} = this.index.head;
    const headings = new Uint16Array(files).fill(0xffff);
    for (const word of this.salient) {
      const own = new Uint16Array(files);
      for (const clause of word.fields.heading)
        forEachFile(clause, (file, places) =>
          own[file] |= clause.reduce((bits, list, k) => bits & list.headings[places[k]], 0xffff));
      own.forEach((bits, file) => headings[file] &= bits);
    }
    return this.mayHave.heading.map((held, file) => Number(held && headings[file] > 0));
  }

  // Whether it found anything: what has enough of the words, or with `isBest` half of what one has at most.
  choose(isBest) {
    const total = this.salient.reduce((sum, word) => sum + heldWeight(word), 0);
    let least = this.salient.length <= 2 ? total : Math.ceil(total * kEnough);
    if (isBest) least = Math.max(1, Math.min(total, this.held.reduce((most, held) => Math.max(most, held), 0)) * kEnough);
    this.files = [];
    for (let file = 0; file < this.held.length; ++file) {
      if (this.left && !this.left[file]) continue;
      if (this.compoundFiles[file] || (total && this.held[file] >= least)) this.files.push(file);
    }
    this.isRelaxed = isBest || this.words.some((word) => word.isSalient && !word.idf);
    return this.files.length > 0;
  }

  async weigh() {
    const {head} = this.index, average = head.length / head.files, weights = new Float64Array(head.files);
    const rows = await this.index.numbersOf(this.files);
    const add = (clauses, weight) => {
      for (const clause of clauses)
        forEachFile(clause, (file, places) => {
          const row = rows.get(file);
          if (!row) return;
          const norm = Math.max(row.length / average, 0.5);
          clause.forEach(({tf, wdf}, k) => {
            let odds = (head.files - tf + 0.5) / (tf + 0.5);
            if (odds < 2) odds = odds * 0.5 + 1;
            const count = wdf[places[k]];
            weights[file] += weight * 2 * Math.log(odds) * count / (norm * kLengthShare + 1 - kLengthShare + count);
          });
        });
    };
    for (const word of this.words)
      if (!word.isSalient) for (const field of ["title", "heading"]) add(word.fields[field], 1);
    for (const word of this.salient)
      for (const [field, weight] of Object.entries(kFieldWeights)) add(word.fields[field], weight);
    return this.weights = weights;
  }

  originOf(file) {
    return kOrigins - 1 - this.index.head.origins[file];
  }

  firstScores() {
    const scores = new Float64Array(this.held.length), {title, heading, definition} = this.mayHave;
    const isLikely = this.words.length >= 2 && this.words.length <= kMaxCompoundWords;
    for (const file of this.files) {
      const likely = !isLikely ? 0
        : title[file] + heading[file] + (this.words.length <= kMostInName ? definition[file] : 0);
      scores[file] = kHeldStep * (this.held[file] + 100 * likely + 400 * this.compoundFiles[file]) +
        kOriginPlace * this.originOf(file) + this.weights[file];
    }
    return scores;
  }

  // Files best first; of the pool that the second stage judges, the first `wanted` are in their order.
  async order(wanted) {
    await this.weigh();
    const scores = this.firstScores();
    sortByScore(this.files, scores);
    const {pool, rest} = await this.takePool(scores);
    const count = await this.judgeCertain(pool), first = pool.slice(0, count);
    await this.judgeUntil(first, wanted);
    sortByScore(first, this.judged);
    return [...first, ...pool.slice(count), ...rest];
  }

  // Candidates, one of each group, and what is behind them.
  async takePool(scores) {
    const pool = [], seen = new Set(), rest = [];
    let at = 0, last = Infinity;
    for (; at < this.files.length && pool.length < 4 * kPool; ++at) {
      const file = this.files[at];
      if (pool.length >= kPool && last - scores[file] > kSameScore) break;
      if (seen.has(file)) {
        rest.push(file);
        continue;
      }
      for (const other of (await this.index.numbersOf([file])).get(file).others) seen.add(other);
      pool.push(file);
      last = scores[file];
    }
    return {pool, rest: [...rest, ...this.files.slice(at)]};
  }

  // Judges what may be certain: behind `kLeastPool` no more are judged then. How many are.
  async judgeCertain(pool) {
    this.judged = new Map();
    this.read = 0;
    const certain = await Promise.all(pool.map(async (file) =>
      (this.mayHave.title[file] || this.compoundFiles[file]) && (await this.judge(file)).isCertain));
    const first = certain.indexOf(true);
    return first < 0 ? pool.length : Math.max(first + 1, Math.min(kLeastPool, pool.length));
  }

  // Judges the likeliest until no other can be among the best: each costs a chunk of details.
  async judgeUntil(files, wanted) {
    const {heading, definition} = this.mayHaveInOne;
    // All words in one name place a file above others. They are looked for in the likeliest files.
    const inOneName = kInOneName + kPerOther * kMostOthers + kNameKindStep * 3;
    const bound = (file) => this.weights[file] + this.originOf(file) +
      (heading[file] ? kWholeHeading + kAllInHeading : 0) +
      (!definition[file] ? 0 : this.read < kLeastPool ? inOneName : kOtherFormsInOneName);
    const left = files.filter((file) => !this.judged.has(file) && (heading[file] || definition[file]));
    for (const file of files)
      if (!this.judged.has(file) && !left.includes(file)) this.judged.set(file, this.weights[file] + this.originOf(file));
    left.sort((a, b) => bound(b) - bound(a));
    while (left.length) {
      const best = [...this.judged.values()].sort((a, b) => b - a);
      if (best.length >= wanted && best[wanted - 1] > Math.max(...left.map(bound)) + kSameScore) break;
      await Promise.all(left.splice(0, kJudgedAtOnce).map((file) => this.judge(file)));
    }
    for (const file of left) this.judged.set(file, this.weights[file] + this.originOf(file));
    const scores = new Float64Array(this.held.length);
    for (const [file, score] of this.judged) scores[file] = score;
    this.judged = scores;
  }

  async judge(file) {
    ++this.read;
    let score = this.weights[file] + this.originOf(file);
    const {title} = this.mayHave, {heading} = this.mayHaveInOne, details = await this.index.details(file);
    const titleStems = title[file] ? stemsOf(details.title) : [];
    let allInHeading = titleStems.length > 0 && this.holdsAll(titleStems), wholeHeading = false;
    if (heading[file])
      for (const section of details.sections) {
        const stems = stemsOf(section.title);
        allInHeading = allInHeading || this.holdsAll(stems);
        wholeHeading = wholeHeading || this.isWhole(stems);
      }
    const titled = !titleStems.length || !this.isWhole(titleStems) ? 0
      : !isDocument(details.path) ? kSourceTitle
      : foldedWords(details.title) === this.text ? kWholeTitle : kTitleByStems;
    score += (wholeHeading ? kWholeHeading : 0) + (allInHeading ? kAllInHeading : 0);
    let defined = this.definitionWorth(details, this.originOf(file) === kOrigins - 1);
    if (defined >= kCompound) defined += kOfCompound * this.originOf(file);
    score += Math.max(titled, defined);
    this.judged.set(file, score);
    return {score, isCertain: defined >= kCompound || titled >= kTitleByStems};
  }

  isWhole(stems) {
    return stems.length === this.whole.length && stems.every((one, i) => one === this.whole[i]);
  }

  holdsAll(stems) {
    return this.salient.length > 0 &&
      this.salient.every((word) => stems.includes(word.stem) || word.parts.every((part) => stems.includes(part)));
  }

  // What a definition is worth whose name makes up the words together, or holds them all.
  worthOf({name, kind, scope}, isOriginal) {
    const isField = name.endsWith("_");
    if (this.key && !isField && nameKey(name) === this.key)
      return kCompound + kKindStep * kindWorth(kind) + (scope ? 0 : kOutermost);
    if (this.startInName === null || !fold(name).includes(this.startInName)) return 0;
    const words = wordsIn(name);
    if (!this.salient.every((word) => word.forms.every((form) => words.includes(form))))
      return this.holdsAll(words.map(stemOf)) ? kOtherFormsInOneName : 0;
    const asked = this.salient.reduce((sum, word) => sum + word.forms.length, 0);
    const others = Math.max(words.length, asked) - asked;
    if (!isOriginal) return others <= 1 && words[0] !== "test" ? kInOneNameOfCopy : kOtherFormsInOneName;
    return kInOneName + kNameKindStep * kindWorth(kind) + (isField ? 0 : kPerOther * Math.max(0, kMostOthers - others));
  }

  definitionWorth(details, isOriginal) {
    const mayBeInOne = this.salient.length >= 2 && this.salient.length <= kMostInName;
    this.startInName = mayBeInOne ? startOfWords(this.salient[0].parts[0] || this.salient[0].stem) : null;
    return details.definitions.reduce((best, one) => Math.max(best, this.worthOf(one, isOriginal)), 0);
  }
}

// Files that define the name that all words make together.
async function compoundOf(index, text) {
  const tokens = tokensOf(text), compound = {key: "", lists: []};
  if (tokens.length < 2 || tokens.length > kMaxCompoundWords) return compound;
  compound.key = nameKey(tokens.join(""));
  const entry = await index.entry(compound.key);
  for (const name of entry ? entry.names : [])
    for (const {rank, list} of name.definitions) if (rank !== kDefinitionRanks) compound.lists.push(list);
  return compound;
}

async function searchSentence(index, query, left, wanted, answer) {
  const [words, compound] = await Promise.all([sentenceWords(index, query.plain), compoundOf(index, query.plain)]);
  const ranked = new SentenceQuery(index, query.plain, words, compound, left);
  query.compoundKey = compound.key;
  query.isSentence = true;
  answer.leftOut = words.filter((word) => word.isLeftOut).map((word) => word.token);
  if (!ranked.choose(false) && !ranked.choose(true)) return;
  const groups = new Groups(index, new Set(ranked.files)), ordered = await ranked.order(wanted);
  for (const file of ordered) {
    if (groups.results.length === wanted) break;
    await groups.add(file, {tier: ranked.compoundFiles[file] ? kCompoundDefinition : kProse, score: 0});
  }
  answer.results = groups.results;
  answer.files = ranked.files.length;
  answer.matching = ranked.files;
  answer.any = ranked.isRelaxed;
  answer.kindOf = (file) => ranked.compoundFiles[file] || ranked.mayHave.definition[file] ? "definition"
    : ranked.mayHave.title[file] || ranked.mayHave.heading[file] ? "heading" : "text";
}
