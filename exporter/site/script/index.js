// SPDX-License-Identifier: GPL-2.0-or-later
// The index as the chunks of docs/site-search.md hold it, loaded one by one as a search needs them.

// Reads the numbers that chunk_text.h writes.
class Numbers {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }
  get atEnd() {
    return this.at >= this.text.length;
  }
  next() {
    for (let value = 0, place = 1;; place *= kNumberBase) {
      const code = this.text.charCodeAt(this.at++);
      const digit = code > 92 ? code - 36 : code - 35;
      if (digit < kNumberBase) return value + digit * place;
      value += (digit - kNumberBase) * place;
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

// Keys of which each is what it shares with the one before, and the rest.
function wholeKeys(rests) {
  let key = "";
  return rests.map((rest) => {
    const numbers = new Numbers(rest), shared = numbers.next();
    return key = key.slice(0, shared) + rest.slice(numbers.at);
  });
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

const usualPage = (path) => path.split("/").map(encodeURIComponent).join("/") + ".html";

const kFields = ["part", "definitionPart", "section", "word", "path", "title", "description", "mention"];

// A text of a chunk, as packed_text.cc packs it.
async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

// Makes the lengths of rows exact.
function addRests(text, rows) {
  const rests = new Numbers(text);
  for (const row of rows) row.exact = row.more ? row.least + rests.next() : row.length;
}

// This script is of another version of kwexport than the files of the search: a browser has kept it. What it would read
// in them may be anything.
class StaleScript extends Error {
  constructor() {
    super("this page is older than the site");
  }
}

// Passes `value` on after the browser had a chance to paint and to handle keys.
const afterYield = async (value) => {
  if (globalThis.scheduler && scheduler.yield) await scheduler.yield();
  return value;
};

// The index as the chunks have it; `load` gives a promise of a chunk's data by its name.
class Index {
  constructor(load) {
    this.load = load;
    this.cache = new Map();
  }

  // The promise that `make` returns, cached under `key`. One that is rejected is dropped, so a later call tries again.
  once(key, make) {
    let made = this.cache.get(key);
    if (!made) {
      made = make();
      made.catch(() => this.cache.delete(key));
      this.cache.set(key, made);
    }
    return made;
  }

  // What `read` makes of a chunk's data, which the head holds or a file.
  chunk(name, read) {
    return this.once(name, () => {
      const held = this.head && this.head.held[name];
      return (held === undefined ? this.load(name) : Promise.resolve(held)).then(read).then(afterYield);
    });
  }

  async open() {
    this.head = await this.chunk("head", (head) => {
      if (head.script !== kSearchVersion) throw new StaleScript();
      const origins = new Uint8Array(head.files), firstFiles = [];
      const runs = new Numbers(head.origins), firsts = new Numbers(head.details);
      for (let file = 0; file < head.files;) {
        const run = runs.next(), length = Math.floor(run / kOrigins);
        origins.fill(run % kOrigins, file, file + length);
        file += length;
      }
      while (!firsts.atEnd) firstFiles.push((firstFiles.at(-1) || 0) + firsts.next());
      const namesOf = (names) => names.match(new RegExp(`.{${kChunkNameLength}}`, "g")) || [];
      const chunks = Object.fromEntries(Object.entries(head.chunks).map(
        ([kind, names]) => [kind, namesOf(names)]));
      return {...head, origins, firstFiles, firstKeys: head.terms ? wholeKeys(head.terms.split("\n")) : [], chunks};
    });
    return this;
  }

  terms(number) {
    return this.chunk(this.head.chunks.t[number], (text) => {
      const entries = new Map(), end = text.indexOf("\n");
      entries.lists = text.slice(0, end);  // the names of the chunks that hold their long lists
      let key = "";
      for (const line of text.slice(end + 1).split("\n")) {
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
    const entry = await this.entryWithoutLists(key);
    return entry && entry.withLists();
  }

  // The same with empty lists in the place of long ones, until withLists() has read them.
  async entryWithoutLists(key) {
    if (!this.head.chunks.t.length) return null;
    const number = placeOf(this.head.firstKeys, (first) => compareKeys(first, key) > 0);
    const entries = await this.terms(number), text = entries.get(key);
    return text === undefined ? null : this.decode(entries, key, text);
  }

  decode(entries, key, text) {
    const [body, where] = text.split(" ");
    const numbers = new Numbers(body), long = [], entry = {key, names: []};
    const list = (field) => {
      const n = numbers.next(), tf = Math.floor(n / 2), made = {tf, files: [], wdf: [], headings: field === "section" ? [] : null};
      if (n % 2) long.push(made);
      else this.readList(numbers, made);
      return made;
    };
    const fields = numbers.next();
    if (fields & 1)
      for (let count = numbers.next(); count > 0; --count) {
        const spelling = spellingOf(key, numbers.take(numbers.next())), ranks = numbers.next();
        const name = {spelling, list: list(), definitions: []};
        for (let rank = 1; rank <= kDefinitionRanks; ++rank)
          if (ranks & (1 << (rank - 1))) name.definitions.push({rank, list: list()});
        entry.names.push(name);
      }
    kFields.forEach((field, i) => {
      if (fields & (2 << i)) entry[field] = list(field);
    });
    let read = null;
    entry.withLists = async () => {
      if (long.length) await (read = read || this.readLongLists(entries.lists, new Numbers(where), long));
      return entry;
    };
    return entry;
  }

  readList(numbers, list) {
    const count = Math.min(list.tf, this.head.postings);
    for (let next = 0; list.files.length < count;) {
      const n = numbers.next(), file = next + Math.floor(n / 2);
      list.files.push(file);
      list.wdf.push(n % 2 ? numbers.next() : 1);
      if (list.headings) list.headings.push(numbers.next());
      next = file + 1;
    }
  }

  async readLongLists(names, where, lists) {
    let chunk = where.next(), place = where.next(), texts = null;
    const nameOf = (i) => names.slice(i * kChunkNameLength, (i + 1) * kChunkNameLength);
    for (const list of lists) {
      texts = texts || await this.chunk(nameOf(chunk), (data) => data);
      if (place === texts.length) {
        texts = await this.chunk(nameOf(++chunk), (data) => data);
        place = 0;
      }
      this.readList(new Numbers(texts[place++]), list);
    }
  }

  // Calls `take` with the keys that begin with `start`, in order, until it returns false.
  async scan(start, take) {
    let number = placeOf(this.head.firstKeys, (first) => compareKeys(first, start) > 0);
    for (; number < this.head.chunks.t.length; ++number) {
      const entries = await this.terms(number);
      for (const [key, text] of entries) {
        if (key.startsWith(start)) {
          if (!await take(key, () => this.decode(entries, key, text).withLists())) return;
        } else if (compareKeys(key, start) > 0) {
          return;
        }
      }
    }
  }

  // For each file its length and the files that are one result with it. A length that is not asked exactly is at most
  // 1.6 % off, and loads half as much.
  async numbersOf(files, isExact = false) {
    const size = this.head.numbers, chunkOf = (file) => Math.floor(file / size), rows = new Map();
    await Promise.all([...new Set(files.map(chunkOf))].map(async (chunk) => rows.set(chunk, await this.rowsOf(chunk, isExact))));
    return new Map(files.map((file) => [file, rows.get(chunkOf(file))[file % size]]));
  }

  // Rows are cached by place, not by the chunk's name: two places with the same bytes share a chunk.
  async rowsOf(place, isExact) {
    const {n, r} = this.head.chunks, whole = (text) => text;
    const rows = this.once(`n${place}`, async () =>
      this.readNumbers(await this.chunk(n[place], whole), place * this.head.numbers));
    if (isExact) await this.once(`r${place}`, async () => addRests(await this.chunk(r[place], whole), await rows));
    return rows;
  }

  readNumbers(text, first) {
    const [lengths, groups] = text.split(" ").map((part) => new Numbers(part)), read = [];
    while (!lengths.atEnd) {
      const code = lengths.next(), more = Math.max(0, Math.floor(code / kRoundHalf) - 1);
      const least = (code - kRoundHalf * more) * 2 ** more, length = more ? least + 2 ** (more - 1) : least;
      read.push({length, least, more, others: [], isSource: false});
    }
    while (!groups.atEnd) {
      const place = groups.next(), n = groups.next(), row = read[place];
      row.isSource = n % 2 === 1;
      for (let i = Math.floor(n / 2); i > 0; --i) row.others.push(first + place + groups.nextSigned());
    }
    return read;
  }

  // The paths of all files, by their numbers: [{path, page}]; no page where it is an unusual one, which
  // details() tells.
  async paths() {
    if (this.allPaths) return this.allPaths;
    const all = [];
    for (const text of await Promise.all(this.head.chunks.f.map((name) => this.chunk(name, (data) => data)))) {
      let before = "";
      for (const entry of text.split(kPathEnd)) {
        const numbers = new Numbers(entry), n = numbers.next();
        const path = before.slice(0, Math.floor(n / 2)) + entry.slice(numbers.at);
        all.push({path, page: n % 2 ? "" : usualPage(path)});
        before = path;
      }
    }
    return this.allPaths = all;
  }

  // What results are filtered by: [{field, value, runs}], runs of files as [first, behind the last].
  async filters() {
    const chunks = await Promise.all(this.head.chunks.l.map((name) => this.chunk(name, (data) =>
      data.map(([field, value, text]) => {
        const numbers = new Numbers(text), runs = [];
        for (let next = 0; !numbers.atEnd;) {
          const from = next + numbers.next();
          runs.push([from, next = from + numbers.next() + 1]);
        }
        return {field, value, runs};
      }))));
    return chunks.flat();
  }

  // The text of a file: the parts that hold some lines, and from the first on others, `most` in all:
  // [{line, text}], `line` that of the part's first.
  async text(details, lines, most) {
    const {parts, place} = details.text;
    const wanted = new Set(lines.map((line) => placeOf(parts, (part) => part.line > line)));
    for (let i = 0; i < parts.length && wanted.size < most; ++i) wanted.add(i);
    return Promise.all([...wanted].sort((a, b) => a - b).map(async (i) => {
      const texts = await this.chunk(parts[i].name, async (data) => JSON.parse(await unpacked(data)));
      return {line: parts[i].line, text: texts[place]};
    }));
  }

  // What is shown of a file.
  async details(file) {
    const chunk = placeOf(this.head.firstFiles, (first) => first > file);
    const [path, page, title, definitions, sections, texts] =
      (await this.chunk(this.head.chunks.d[chunk], (data) => data))[file - this.head.firstFiles[chunk]];
    const made = {path, title, definitions: [], sections: [], text: {place: texts[0], parts: []}};
    for (let i = 1; i < texts.length; i += 2)
      made.text.parts.push({line: i > 1 ? texts[i - 1] : 1, name: texts[i]});
    made.page = page || usualPage(path);
    for (let i = 0, line = 0; i < definitions.length; i += 4)
      made.definitions.push({line: line += definitions[i], name: definitions[i + 1],
                             kind: definitions[i + 2], scope: definitions[i + 3]});
    for (let i = 0, line = 0; i < sections.length; i += 2)
      made.sections.push({line: line += sections[i], title: sections[i + 1]});
    return made;
  }
}
