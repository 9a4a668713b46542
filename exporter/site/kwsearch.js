/* Keyword Index: SPDX-License-Identifier: GPL-2.0-or-later */
// The site's search. It answers words and prefix* as kwsearch does, from the chunks that docs/site-search.md
// describes, and shows the answer on the page that has a list for it. In parts: splitter, stems,
// shards, what a word means, ranking, page. Nothing from a shard or a query is ever taken as HTML.
"use strict";

(() => {
  // --- the splitter, as schema/splitter.h ---------------------------------------------------------

  const isAscii = (text) => !/[^\0-\x7f]/.test(text);

  // Full case folding. What JavaScript's letters do not tell stands here: dotless i is its own, and
  // Cherokee folds to capitals.
  function foldChar(c) {
    const code = c.codePointAt(0);
    if (code === 0x131 || (code >= 0x13a0 && code <= 0x13f5)) return c;
    if (code >= 0xab70 && code <= 0xabbf) return String.fromCodePoint(code - 0xab70 + 0x13a0);
    if (code >= 0x13f8 && code <= 0x13fd) return String.fromCodePoint(code - 8);
    return c.toLowerCase().toUpperCase().toLowerCase();
  }

  function fold(text) {
    if (isAscii(text)) return text.toLowerCase();
    return Array.from(text, foldChar).join("").normalize("NFC");
  }

  function stripMarks(folded) {
    if (isAscii(folded)) return folded;
    return folded.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC");
  }

  const tokensOf = (text) => text.match(/[\p{L}\p{M}\p{N}\p{Pc}]+/gu) || [];

  function nameKey(name) {
    const folded = stripMarks(fold(name));
    return folded.replace(/[_ ]/g, "") || folded;
  }

  function isCjk(code) {
    return (code >= 0x2e80 && code <= 0x2fdf) || (code >= 0x3005 && code <= 0x3007) ||
      (code >= 0x3031 && code <= 0x318f) || (code >= 0x31a0 && code <= 0x31bf) ||
      (code >= 0x31f0 && code <= 0x31ff) || (code >= 0x3400 && code <= 0x4dbf) ||
      (code >= 0x4e00 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7ff) ||
      (code >= 0xf900 && code <= 0xfaff) || (code >= 0xff66 && code <= 0xffdc) ||
      (code >= 0x1100 && code <= 0x11ff) || (code >= 0x20000 && code <= 0x3ffff);
  }

  // What a character is to splitName; `before` is what the one before it was.
  function classOf(c, before) {
    if (c >= "a" && c <= "z") return "lower";
    if (c >= "A" && c <= "Z") return "upper";
    if (c >= "0" && c <= "9") return "digit";
    if (c < "\x80") return "none";
    if (isCjk(c.codePointAt(0))) return "cjk";
    if (/\p{Lu}/u.test(c)) return "upper";
    if (/\p{Pc}/u.test(c)) return "none";
    if (/[\p{Mn}\p{Mc}]/u.test(c)) return before === "none" ? "lower" : before;
    return "lower";
  }

  // The words inside a name, folded.
  function splitName(name) {
    const words = [];
    let word = [], run = [], before = "none";
    const flush = () => {
      if (word.length) words.push(fold(word.join("")));
      word = [];
    };
    const flushRun = () => {
      if (run.length === 1) words.push(fold(run[0]));
      for (let i = 1; i < run.length; ++i) words.push(fold(run[i - 1] + run[i]));
      run = [];
    };
    for (const c of name) {
      const kind = classOf(c, before);
      if (kind === "cjk") {
        flush();
        run.push(c);
        before = "none";
        continue;
      }
      flushRun();
      if (kind === "none") {
        flush();
        before = "none";
        continue;
      }
      if (kind === "upper" && (before === "lower" || before === "digit")) flush();
      if (kind === "lower" && before === "upper" && word.length > 1) {
        const capital = word.pop();  // HTTP|Server
        flush();
        word = [capital];
      }
      word.push(c);
      before = kind;
    }
    flush();
    flushRun();
    return words;
  }

  // --- English stems: Snowball's "english" --------------------------------------------------------

  const kStems = new Map(Object.entries({
    skis: "ski", skies: "sky", dying: "die", lying: "lie", tying: "tie", idly: "idl",
    gently: "gentl", ugly: "ugli", early: "earli", only: "onli", singly: "singl", sky: "sky",
    news: "news", howe: "howe", atlas: "atlas", cosmos: "cosmos", bias: "bias", andes: "andes"}));
  const kStep2 = [["ational", "ate"], ["fulness", "ful"], ["iveness", "ive"], ["ization", "ize"],
    ["ousness", "ous"], ["biliti", "ble"], ["lessli", "less"], ["tional", "tion"], ["alism", "al"],
    ["aliti", "al"], ["ation", "ate"], ["entli", "ent"], ["fulli", "ful"], ["iviti", "ive"],
    ["ousli", "ous"], ["abli", "able"], ["alli", "al"], ["anci", "ance"], ["ator", "ate"],
    ["enci", "ence"], ["izer", "ize"], ["bli", "ble"], ["ogi", "og"], ["li", ""]];
  const kStep3 = [["ational", "ate"], ["tional", "tion"], ["alize", "al"], ["ative", ""],
    ["icate", "ic"], ["iciti", "ic"], ["ical", "ic"], ["ness", ""], ["ful", ""]];
  const kStep4 = ["ement", "able", "ance", "ence", "ible", "ment", "ant", "ate", "ent", "ion", "ism",
    "iti", "ive", "ize", "ous", "al", "er", "ic"];

  function stem(word) {
    if (!/^[a-z]+$/.test(word) || word.length < 3) return word;
    if (kStems.has(word)) return kStems.get(word);
    let w = word.replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y");
    const region = (from) => {
      const found = /[aeiouy][^aeiouy]/g;
      found.lastIndex = from;
      const match = found.exec(w);
      return match ? match.index + 2 : w.length;
    };
    const special = /^(?:gener|commun|arsen)/.exec(w);
    const r1 = special ? special[0].length : region(0), r2 = region(r1);
    const endsShort = (text) => /[^aeiouy][aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$/.test(text);
    const cut = (n) => w.slice(0, w.length - n);

    // 1a
    if (w.endsWith("sses")) w = cut(2);
    else if (/ie[ds]$/.test(w)) w = cut(w.length > 4 ? 2 : 1);
    else if (/[^us]s$/.test(w) && /[aeiouy].+s$/.test(w)) w = cut(1);
    if (/^(?:inning|outing|canning|herring|earring|proceed|exceed|succeed)$/.test(w)) return w;
    // 1b
    let end = /(?:eedly|ingly|edly|eed|ing|ed)$/.exec(w);
    if (end && end[0].startsWith("eed")) {
      if (end.index >= r1) w = w.slice(0, end.index) + "ee";
    } else if (end && /[aeiouy]/.test(w.slice(0, end.index))) {
      w = w.slice(0, end.index);
      if (/(?:at|bl|iz)$/.test(w)) w += "e";
      else if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(w)) w = cut(1);
      else if (w.length === r1 && endsShort(w)) w += "e";
    }
    // 1c
    if (/.[^aeiouy][yY]$/.test(w)) w = cut(1) + "i";
    // 2
    const longest = (endings) => endings.find(([ending]) => w.endsWith(ending));
    let change = longest(kStep2);
    if (change && w.length - change[0].length >= r1) {
      const left = cut(change[0].length);
      if (change[0] === "ogi" ? left.endsWith("l")
          : change[0] === "li" ? /[cdeghkmnrt]$/.test(left) : true) w = left + change[1];
    }
    // 3
    change = longest(kStep3);
    if (change && w.length - change[0].length >= (change[0] === "ative" ? r2 : r1))
      w = cut(change[0].length) + change[1];
    // 4
    end = kStep4.find((ending) => w.endsWith(ending));
    if (end && w.length - end.length >= r2 && (end !== "ion" || /[st]ion$/.test(w)))
      w = cut(end.length);
    // 5
    if (w.endsWith("e") && (w.length > r2 || (w.length > r1 && !endsShort(cut(1))))) w = cut(1);
    else if (w.endsWith("ll") && w.length > r2) w = cut(1);
    return w.toLowerCase();
  }

  // What all words of a stem begin with: all but its last letter ("happy", "happi"), of short ones
  // the first ("dying", "die").
  function startOfWords(stemmed) {
    return stemmed.slice(0, stemmed.length > 3 ? -1 : 1);
  }

  // --- shards -------------------------------------------------------------------------------------

  // Reads the numbers that shard_text.h writes.
  class Numbers {
    constructor(text) {
      this.text = text;
      this.at = 0;
    }
    get atEnd() {
      return this.at >= this.text.length;
    }
    next() {
      for (let value = 0, place = 1;; place *= 45) {
        const code = this.text.charCodeAt(this.at++);
        const digit = code > 92 ? code - 36 : code - 35;
        if (digit < 45) return value + digit * place;
        value += (digit - 45) * place;
      }
    }
    nextSigned() {
      const n = this.next();
      return n % 2 ? -(n + 1) / 2 : n / 2;
    }
    take(length) {
      this.at += length;
      return this.text.slice(this.at - length, this.at);
    }
  }

  // Order of UTF-8's bytes, in which the index has its terms. UTF-16 puts pairs before U+E000.
  function compareKeys(a, b) {
    let i = 0;
    while (i < a.length && i < b.length && a[i] === b[i]) ++i;
    const weight = (text) => {
      const unit = i < text.length ? text.charCodeAt(i) : -1;
      return unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
    };
    return weight(a) - weight(b);
  }

  // The last place in a sorted list whose item is not behind what is asked.
  function placeOf(items, isBehind) {
    let low = 0, high = items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBehind(items[middle])) high = middle;
      else low = middle + 1;
    }
    return Math.max(low - 1, 0);
  }

  // A spelling by its key and shape, as schema/terms.cc writes it.
  function spellingOf(key, shape) {
    if (shape === "") return key;
    if (shape[0] === "~") return shape.slice(1);
    let spelling = "", at = 0;
    for (let i = 0; i < shape.length; ++i) {
      const value = shape.charCodeAt(i) - 33;
      for (const divisor of [27, 9, 3, 1]) {
        const digit = Math.floor(value / divisor) % 3;
        if (digit === 2) spelling += "_";
        else if (at < key.length) spelling += digit === 1 ? key[at++].toUpperCase() : key[at++];
      }
    }
    return spelling;
  }

  const kFields = ["part", "definitionPart", "section", "word", "path"];

  // The index as the shards have it; `load` gives a promise of a shard's data by its name.
  class Index {
    constructor(load) {
      this.load = load;
      this.cache = new Map();
    }

    // What a shard holds, made ready by `read` once. A shard that did not come may be asked again.
    shard(name, read) {
      let made = this.cache.get(name);
      if (!made) {
        made = this.load(name).then(read);
        made.catch(() => this.cache.delete(name));
        this.cache.set(name, made);
      }
      return made;
    }

    async open() {
      this.head = await this.shard("head", (head) => {
        const origins = new Uint8Array(head.files), firstFiles = [];
        const runs = new Numbers(head.origins), firsts = new Numbers(head.details);
        for (let file = 0; file < head.files;) {
          const run = runs.next(), length = Math.floor(run / 4);
          origins.fill(run % 4, file, file + length);
          file += length;
        }
        while (!firsts.atEnd) firstFiles.push((firstFiles.at(-1) || 0) + firsts.next());
        return {...head, origins, firstFiles, firstKeys: head.terms.split("\n")};
      });
      return this;
    }

    terms(number) {
      return this.shard("t" + number, (text) => {
        const entries = new Map();
        let key = "";
        for (const line of text ? text.split("\n") : []) {
          const numbers = new Numbers(line), shared = numbers.next();
          const end = line.indexOf(" ");
          key = key.slice(0, shared) + line.slice(numbers.at, end);
          entries.set(key, line.slice(end + 1));
        }
        return entries;
      });
    }

    // All that is known of a key, its long lists included; nothing for an unknown one.
    async entry(key) {
      const number = placeOf(this.head.firstKeys, (first) => compareKeys(first, key) > 0);
      const text = (await this.terms(number)).get(key);
      return text === undefined ? null : this.decode(number, key, text);
    }

    async decode(number, key, text) {
      const [body, where] = text.split(" ");
      const numbers = new Numbers(body), long = [], entry = {key, names: []};
      const list = () => {
        const n = numbers.next(), tf = Math.floor(n / 2), made = {tf, files: [], wdf: []};
        if (n % 2) long.push(made);
        else this.readList(numbers, made);
        return made;
      };
      const fields = numbers.next();
      if (fields & 1)
        for (let count = numbers.next(); count > 0; --count) {
          const spelling = spellingOf(key, numbers.take(numbers.next())), ranks = numbers.next();
          const name = {spelling, list: list(), definitions: []};
          for (let rank = 1; rank <= 4; ++rank)
            if (ranks & (1 << (rank - 1))) name.definitions.push({rank, list: list()});
          entry.names.push(name);
        }
      kFields.forEach((field, i) => {
        if (fields & (2 << i)) entry[field] = list();
      });
      if (long.length) await this.readLongLists(number, new Numbers(where), long);
      return entry;
    }

    readList(numbers, list) {
      const count = Math.min(list.tf, this.head.postings);
      for (let next = 0; list.files.length < count;) {
        const n = numbers.next(), file = next + Math.floor(n / 2);
        list.files.push(file);
        list.wdf.push(n % 2 ? numbers.next() : 1);
        next = file + 1;
      }
    }

    async readLongLists(number, where, lists) {
      let shard = where.next(), place = where.next(), texts = null;
      for (const list of lists) {
        texts = texts || await this.shard(`t${number}l${shard}`, (data) => data);
        if (place === texts.length) {
          texts = await this.shard(`t${number}l${++shard}`, (data) => data);
          place = 0;
        }
        this.readList(new Numbers(texts[place++]), list);
      }
    }

    // Calls `take` with the keys that begin with `start`, in order, until it returns false.
    async scan(start, take) {
      let number = placeOf(this.head.firstKeys, (first) => compareKeys(first, start) > 0);
      for (; number < this.head.firstKeys.length; ++number)
        for (const [key, text] of await this.terms(number)) {
          if (key.startsWith(start)) {
            if (!await take(key, () => this.decode(number, key, text))) return;
          } else if (compareKeys(key, start) > 0) {
            return;
          }
        }
    }

    // For each file its length and the files that are one result with it.
    async numbersOf(files) {
      const size = this.head.numbers, shardOf = (file) => Math.floor(file / size), rows = new Map();
      await Promise.all([...new Set(files.map(shardOf))].map(async (shard) =>
        rows.set(shard, await this.shard("n" + shard, (text) => this.readNumbers(text, shard * size)))));
      return new Map(files.map((file) => [file, rows.get(shardOf(file))[file % size]]));
    }

    readNumbers(text, first) {
      const numbers = new Numbers(text), read = [];
      for (let at = first; !numbers.atEnd; ++at) {
        const row = {length: numbers.next(), others: [], isSource: false};
        const others = numbers.next();
        for (let i = 0; i < others; ++i) row.others.push(at + numbers.nextSigned());
        if (others) row.isSource = numbers.next() === 1;
        read.push(row);
      }
      return read;
    }

    // What is shown of a file.
    async details(file) {
      const shard = placeOf(this.head.firstFiles, (first) => first > file);
      const [path, page, title, definitions, sections] =
        (await this.shard("d" + shard, (data) => data))[file - this.head.firstFiles[shard]];
      const made = {path, title, definitions: [], sections: []};
      made.page = page || path.split("/").map(encodeURIComponent).join("/") + ".html";
      for (let i = 0, line = 0; i < definitions.length; i += 4)
        made.definitions.push({line: line += definitions[i], name: definitions[i + 1],
                               kind: definitions[i + 2], scope: definitions[i + 3]});
      for (let i = 0, line = 0; i < sections.length; i += 2)
        made.sections.push({line: line += sections[i], title: sections[i + 1]});
      return made;
    }
  }

  // --- the query, and what a word of it means: searcher/meaning.h -----------------------------------

  const kDefinition = 7, kWordsDefined = 6, kHeading = 5, kIdent = 4, kDefinitionPart = 3, kPart = 2,
    kProse = 1;
  const kMaxExpansions = 300, kMaxRankedExpansions = 100;

  // Words and prefix*. Other syntax of kwsearch's is read as the words that it holds.
  function parseQuery(text) {
    const query = {leaves: [], simplified: false};
    for (const piece of text.split(/[ \t-\r]+/).filter(Boolean)) {
      const words = tokensOf(piece), only = words.length === 1 ? words[0] : "";
      if (only && piece === only) {
        query.leaves.push({text: only, isPrefix: false});
      } else if (only && piece === only + "*" && /[^_]/.test(only)) {
        query.leaves.push({text: only, isPrefix: true});
      } else {
        query.simplified = true;
        for (const word of words) query.leaves.push({text: word, isPrefix: false});
      }
    }
    for (const leaf of query.leaves) {
      leaf.folded = fold(leaf.text);
      leaf.stem = stem(leaf.folded);
      leaf.start = startOfWords(leaf.stem);
    }
    return query;
  }

  // What one word stands for: clauses by tier, each the lists that a file must all be in.
  class Meaning {
    constructor() {
      this.tiers = Array.from({length: 8}, () => []);
      this.exact = [];
      this.ranks = [];  // {rank, list}
      this.expansions = 0;
    }
    add(tier, ...lists) {
      this.tiers[tier].push(lists);
    }
    addDefinitions(name, isExact) {
      for (const {rank, list} of name.definitions) {
        this.add(rank === 4 ? kIdent : kDefinition, list);
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

  async function meaningOfName(index, key) {
    const meaning = new Meaning(), entry = await index.entry(key);
    for (const name of entry ? entry.names : []) meaning.addName(name, "");
    return meaning;
  }

  async function meaningOfWord(index, leaf) {
    const meaning = new Meaning(), {text, folded} = leaf;
    const words = isAscii(text) ? [folded] : splitName(text);
    if (!words.length) words.push(folded);
    const stems = words.map(stem);
    const keys = [nameKey(text), ...words, ...stems], entries = new Map();
    await Promise.all([...new Set(keys)].map(async (key) =>
      entries.set(key, await index.entry(key) || {names: []})));
    for (const name of entries.get(keys[0]).names) {
      const f = fold(name.spelling);
      if (f === folded || stripMarks(f) === folded || name.spelling === text)
        meaning.addName(name, folded === text ? "" : text);
    }
    const add = (tier, field, forms) => {
      const lists = forms.map((form) => entries.get(form)[field]);
      if (lists.every(Boolean)) meaning.add(tier, ...lists);
    };
    add(kHeading, "section", stems);
    add(kHeading, "path", words);
    add(kDefinitionPart, "definitionPart", stems);
    add(kPart, "part", stems);
    add(kProse, "word", stems);
    if (words.length === 1) add(kProse, "word", words);
    return meaning;
  }

  // kwsearch holds a pattern against the text as well. Here a file counts where a name or a stem of
  // its text begins so; what only its path or a part of a heading has is left out.
  async function meaningOfPrefix(index, leaf) {
    const meaning = new Meaning(), {folded} = leaf, key = nameKey(folded);
    const textual = [];
    const fits = (spelling) => {
      const f = fold(spelling);
      return f.startsWith(folded) || stripMarks(f).startsWith(folded);
    };
    await index.scan(key, async (_, read) => {
      for (const name of (await read()).names) {
        if (!fits(name.spelling)) continue;
        meaning.addName(name, "");
        textual.push(name.list);
        if (++meaning.expansions >= kMaxExpansions) return false;
      }
      return true;
    });
    const full = meaning.expansions >= kMaxExpansions;
    for (const [field, tier] of [["word", kProse], ["section", kHeading], ["path", kHeading]])
      await index.scan(folded, async (_, read) => {
        const list = (await read())[field];
        if (!list) return true;
        meaning.add(tier, list);
        if (field === "word") textual.push(list);
        return ++meaning.expansions < kMaxExpansions;
      });
    meaning.cutShort = full;
    meaning.mayHold = filesOf(index, textual.map((list) => [list]));
    return meaning;
  }

  // --- ranking: searcher/rank.h, compile.h ----------------------------------------------------------

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

  // For each file a bit for each tier that it has of a meaning.
  function tierBits(index, meaning) {
    const bits = new Uint8Array(index.head.files);
    meaning.tiers.forEach((clauses, tier) => {
      for (const clause of clauses) forEachFile(clause, (file) => bits[file] |= 1 << tier);
    });
    if (meaning.mayHold) bits.forEach((_, file) => bits[file] *= meaning.mayHold[file]);
    return bits;
  }

  const highest = (bits) => 31 - Math.clz32(bits);

  // The question as numbers by file: which files match, and their scores without BM25.
  class Question {
    constructor(index, meanings, joined, any) {
      Object.assign(this, {index, meanings, joined, any});
      this.bits = meanings.map((meaning) => tierBits(index, meaning));
      this.joinedBits = joined ? tierBits(index, joined) : null;
      const wide = meanings.map((meaning) => meaning.isWide), allWide = wide.every(Boolean);
      this.ranked = this.bits.filter((_, i) => !wide[i] || allWide);
      this.allWide = allWide;
      this.score();
    }

    // Whether the words themselves match, not only the name that they make together.
    holds(file) {
      return this.any ? this.bits.some((b) => b[file]) : this.bits.every((b) => b[file]);
    }

    tierOf(file) {
      if (this.joinedBits && this.joinedBits[file] >> kDefinition & 1) return 8;
      const holds = this.holds(file), joinedUse = this.joinedBits && this.joinedBits[file] ? kIdent : 0;
      if (!holds) return joinedUse;
      if (this.allWide && this.bits.length > 1) return Math.max(kProse, joinedUse);
      if (this.bits.length === 1) return highest(this.bits[0][file]);
      const each = this.ranked.map((b) => b[file]);
      const defined = 1 << kDefinition | 1 << kDefinitionPart;
      const best = this.any ? Math.max(...each.map(highest)) : Math.min(...each.map(highest));
      const definedWords = this.any ? each.some((b) => b & defined) : each.every((b) => b & defined);
      return Math.max(best, definedWords ? kWordsDefined : 0, joinedUse, kProse);
    }

    score() {
      const {head} = this.index, all = this.joined ? [...this.meanings, this.joined] : this.meanings;
      const spelled = filesOf(this.index, this.meanings.flatMap((m) => m.exact.map((l) => [l])));
      const kinds = new Uint8Array(head.files);
      for (const {rank, list} of all.flatMap((meaning) => meaning.ranks))
        for (const file of list.files) kinds[file] = Math.max(kinds[file], 4 - rank);
      this.scores = new Float64Array(head.files);
      this.files = [];
      for (let file = 0; file < head.files; ++file) {
        if (!this.holds(file) && !(this.joinedBits && this.joinedBits[file])) continue;
        this.files.push(file);
        this.scores[file] = this.tierOf(file) * 1e7 + spelled[file] * 1e6 +
          (3 - head.origins[file]) * 1e5 + kinds[file] * 1e4;
      }
      this.files.sort((a, b) => this.scores[b] - this.scores[a] || a - b);
    }

    // Adds BM25 (Xapian's: k1 = 1, b = 0.5) to the scores of some files.
    async weigh(files) {
      if (this.meanings.length === 1 && this.meanings[0].mayHold) return;  // a prefix alone: none
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
      for (const meaning of this.meanings) add(meaning.clauses(), (file) => this.holds(file));
      if (this.joined) add(this.joined.clauses(), () => true);
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
        band.sort((a, b) => this.scores[b] - this.scores[a] || a - b);
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
          results.push({file: shown, tier: Math.floor(this.scores[file] / 1e7),
                        score: this.scores[file],
                        also: group.filter((member) => member !== shown).sort((a, b) => a - b)});
        }
        from = end;
      }
      return results;
    }
  }

  // Everything about one query: its results, `files` that match, and what should be said.
  async function search(index, text, wanted) {
    await index.open();
    const query = parseQuery(text), answer = {query, results: [], files: 0, any: false, partial: false};
    if (!query.leaves.length) return answer;
    const meanings = await Promise.all(query.leaves.map((leaf) =>
      leaf.isPrefix ? meaningOfPrefix(index, leaf) : meaningOfWord(index, leaf)));
    const isJoined = query.leaves.length > 1 && !query.leaves.some((leaf) => leaf.isPrefix);
    query.joinedKey = isJoined ? nameKey(query.leaves.map((leaf) => leaf.text).join("")) : "";
    const joined = isJoined ? await meaningOfName(index, query.joinedKey) : null;
    for (const any of query.leaves.length > 1 ? [false, true] : [false]) {
      const question = new Question(index, meanings, joined, any);
      if (!question.files.length) continue;
      answer.files = question.files.length;
      answer.any = any;
      answer.results = await question.results(wanted);
      break;
    }
    const {postings} = index.head;
    answer.partial = meanings.some((meaning) => meaning.cutShort ||
      [...meaning.clauses()].flat().some((list) => list.tf > postings));
    return answer;
  }

  // --- what is shown ------------------------------------------------------------------------------

  const knownStems = new Map();  // the same words come again and again
  function stemOf(word) {
    if (!knownStems.has(word)) knownStems.set(word, stem(word));
    return knownStems.get(word);
  }

  // How well a name fits: 4 it is the name that all words make, 3 one of them, 2 it holds all, 1 some.
  function gradeOf(query, name) {
    const folded = fold(name), key = query.joinedKey;
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
    let grade = tier === kWordsDefined || tier === kDefinitionPart ? 0 : 1, best = null, more = 0;
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

  if (typeof module === "object") {
    module.exports = {Index, search, parseQuery, bestPlace, kTierText, fold, stripMarks, nameKey,
                      splitName, startOfWords, stem, tokensOf};
    return;
  }

  // --- the page -----------------------------------------------------------------------------------

  const kShown = 10, kDebounce = 120;
  const root = document.currentScript.src.replace(/\/[^/]*$/, "");
  const input = document.getElementById("kw-query");
  const list = document.getElementById("kw-results");
  const status = document.getElementById("kw-status");
  if (!input) return;

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      input.focus();
      input.select();
    }
  });
  // A name that is defined leads to the search for its uses.
  for (const name of document.querySelectorAll(".code b")) {
    const link = element("a", "", ...name.childNodes);
    link.href = `${input.form.getAttribute("action")}?q=${encodeURIComponent(link.textContent)}`;
    name.append(link);
  }

  if (!list || !status) return;  // the form leads to the page that has them

  // Script elements load from file: as well as from a server.
  const waiting = new Map();
  globalThis.kwShard = (name, data) => {
    const wait = waiting.get(name);
    if (wait) wait.resolve(data);
  };
  function load(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const end = (act) => (value) => {
        waiting.delete(name);
        script.remove();
        act(value);
      };
      waiting.set(name, {resolve: end(resolve)});
      script.onerror = end(() => reject(new Error(`search/${name}.js did not load`)));
      script.onload = end(() => reject(new Error(`search/${name}.js is damaged`)));
      script.src = `${root}/search/${name}.js`;
      document.head.append(script);
    });
  }

  const index = new Index(load);
  let asked = 0;  // the newest question: answers to others are dropped
  let shownFor = null;  // the query that the list answers

  function element(tag, className, ...content) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    made.append(...content);  // strings become text
    return made;
  }

  // A text with the words of the query marked.
  function marked(query, text) {
    const lower = text.toLowerCase(), parts = [];
    if (lower.length !== text.length) return [text];
    const words = [query.joinedKey, ...query.leaves.map((leaf) => leaf.folded)].filter(Boolean);
    let from = 0;
    for (let at = 0; at < text.length;) {
      const word = words.find((candidate) => lower.startsWith(candidate, at));
      if (!word) {
        ++at;
        continue;
      }
      parts.push(text.slice(from, at), element("mark", "", text.slice(at, at + word.length)));
      from = at += word.length;
    }
    return [...parts, text.slice(from)];
  }

  async function itemOf(query, result) {
    const details = await index.details(result.file), place = bestPlace(query, details, result.tier);
    const link = element("a", "", ...marked(query, details.path));
    link.href = `${root}/${details.page}` + (place.line ? `#L${place.line}` : "");
    const item = element("li", "kw-result", link);
    const about = element("div", "kw-about");
    if (place.definition) {
      const {name, kind, scope} = place.definition;
      about.append(`defines ${kind} `, element("code", "", ...marked(query, name)));
      if (scope) about.append(` in ${scope}`);
    } else if (place.section) {
      about.append("section ", ...marked(query, place.section.title));
    } else {
      about.append(kTierText[result.tier]);
    }
    if (place.line) about.append(`, line ${place.line}`);
    if (place.more) about.append(` (and ${place.more} more)`);
    item.append(about);
    const also = await Promise.all(result.also.map((file) => index.details(file)));
    if (also.length) {
      const links = also.flatMap((other, i) => {
        const a = element("a", "", other.path);
        a.href = `${root}/${other.page}`;
        return i ? [", ", a] : [a];
      });
      item.append(element("div", "kw-also", "also ", ...links));
    }
    return item;
  }

  // A link that asks another query.
  function askLink(text) {
    const link = element("a", "", text);
    link.href = `?q=${encodeURIComponent(text)}`;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      input.value = text;
      ask(kShown);
    });
    return link;
  }

  function say(answer) {
    const {query, results, files, any, partial} = answer, said = [];
    if (!results.length) {
      said.push("Nothing found. ");
      const last = query.leaves.at(-1);
      if (query.leaves.length === 1 && !last.isPrefix)
        said.push("Names that begin so: ", askLink(last.text + "*"), ".");
      else said.push("Fewer words, or the start of one with a *, find more.");
    } else {
      if (any) said.push("No file has all of these words; these have some. ");
      said.push(files === 1 ? "1 file" : `${files.toLocaleString("en")} files`);
      said.push(results.length < files ? `, the first ${results.length} results.` : ".");
      if (partial) said.push(" It stands in so many that only the best are counted.");
    }
    if (query.simplified)
      said.push(" The search here takes words and prefix*; other signs are passed over.");
    status.replaceChildren(...said);
  }

  function setUrl(text, how) {
    const url = new URL(location.href);
    if (text) url.searchParams.set("q", text);
    else url.searchParams.delete("q");
    url.hash = "";
    if (url.href !== location.href) history[how](null, "", url);
  }

  async function ask(wanted) {
    const text = input.value.trim(), number = ++asked;
    for (const button of document.querySelectorAll(".kw-more")) button.remove();
    setUrl(text, "replaceState");
    if (!text) {
      list.replaceChildren();
      status.replaceChildren();
      shownFor = null;
      return;
    }
    list.setAttribute("aria-busy", "true");
    try {
      const answer = await search(index, text, wanted);
      const items = await Promise.all(answer.results.map((r) => itemOf(answer.query, r)));
      if (number !== asked) return;
      list.replaceChildren(...items);
      say(answer);
      if (answer.results.length === wanted && wanted < answer.files) addMore(wanted);
      shownFor = text;
    } catch (error) {
      if (number !== asked) return;
      list.replaceChildren();
      status.textContent = `The search could not read its files: ${error.message}.`;
    }
    list.removeAttribute("aria-busy");
  }

  function addMore(wanted) {
    const button = element("button", "kw-more", "More results");
    button.type = "button";
    button.addEventListener("click", async () => {
      await ask(wanted + 2 * kShown);
      const links = list.querySelectorAll(".kw-result > a");
      if (links[wanted]) links[wanted].focus();
    });
    list.after(button);
  }

  let timer = 0;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, kDebounce, kShown);
  });

  // Enter opens the first result, if need be after the search for what was just typed.
  input.form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clearTimeout(timer);
    const text = input.value.trim();
    if (shownFor !== text) await ask(kShown);
    const first = list.querySelector(".kw-result > a");
    if (first && shownFor === text && text === input.value.trim()) first.click();
  });

  // Arrows go through the results, Escape back to the question.
  document.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll(".kw-result > a")];
    const at = links.indexOf(document.activeElement), isInput = document.activeElement === input;
    if (at < 0 && !isInput) return;
    if (event.key === "ArrowDown" && links[at + 1]) links[at + 1].focus();
    else if (event.key === "ArrowUp" && at >= 0) (links[at - 1] || input).focus();
    else if (event.key === "Escape" && at >= 0) input.focus();
    else if (event.key === "Escape" && input.value) {
      input.value = "";
      ask(kShown);
    } else return;
    event.preventDefault();
  });

  function askUrl() {
    const text = new URL(location.href).searchParams.get("q") || "";
    if (text === input.value.trim() && text === (shownFor || "")) return;
    input.value = text;
    ask(kShown);
  }
  addEventListener("popstate", askUrl);
  addEventListener("pageshow", askUrl);
})();
