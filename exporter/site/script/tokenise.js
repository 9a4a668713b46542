// SPDX-License-Identifier: GPL-2.0-or-later
// Text to words and stems, as schema/text/splitter.h cuts and Snowball's "english" stems them: the
// script and the index must agree, which tests/site/splitter_cases.tsv holds both to.

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
  const seen = text.replace(/\p{DI}/gu, "");
  return Array.from(seen, foldChar).join("").normalize("NFC");
}

function stripMarks(folded) {
  if (isAscii(folded)) return folded;
  return folded.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC");
}

// Soft hyphen and zero-width characters: part of the word around them, and not of what is compared.
const kUnseen = "\\xad\\u200b-\\u200d\\u2060\\ufeff", kWordChar = "[\\p{L}\\p{M}\\p{N}\\p{Pc}]";
const kWords = new RegExp(`${kWordChar}(?:[${kUnseen}]*${kWordChar})*`, "gu");
const kNeutral = new RegExp(`[\\p{M}\\p{Pc}${kUnseen}]`, "u");
const kAllUnseen = new RegExp(`[${kUnseen}]`, "g");
const kAsciiWords = /\w+/g;  // what kWords finds in ASCII; kWords takes milliseconds to compile

// A token ends where a script without blanks begins or ends.
function tokensOf(text) {
  if (isAscii(text)) return text.match(kAsciiWords) || [];
  return (text.match(kWords) || []).flatMap((word) => {
    const tokens = [];
    let script = null;
    for (const c of word) {
      const here = kNeutral.test(c) ? script : isUnspaced(c.codePointAt(0));
      if (tokens.length && (script === null || here === script)) tokens[tokens.length - 1] += c;
      else tokens.push(c);
      script = here;
    }
    return tokens;
  });
}

function nameKey(name) {
  const folded = stripMarks(fold(name));
  return folded.replace(/[_ ]/g, "") || folded;
}

function isUnspaced(code) {
  return (code >= 0x0e01 && code <= 0x0edf) || (code >= 0x1000 && code <= 0x109f) ||
    (code >= 0x1780 && code <= 0x17ff) || (code >= 0x19e0 && code <= 0x19ff) ||
    (code >= 0xa9e0 && code <= 0xa9fe) || (code >= 0xaa60 && code <= 0xaa7f) ||
    (code >= 0x2e80 && code <= 0x2fdf) || (code >= 0x3005 && code <= 0x3007) ||
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
  if (isUnspaced(c.codePointAt(0))) return "unspaced";
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
  for (const c of name.replace(kAllUnseen, "")) {
    const kind = classOf(c, before);
    if (kind === "unspaced") {
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

// --- English stems ------------------------------------------------------------------------------

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
  const longest = (endings) => endings.find((change) => w.endsWith(change[0]));
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

// What all words of a stem begin with: all but its last letter ("happy", "happi"), or the last two
// ("dying", "die").
function startOfWords(stemmed) {
  return stemmed.slice(0, stemmed.endsWith("ie") ? -2 : Math.max(stemmed.length - 1, 1));
}

// The words that have a stem and are made of it and a usual ending.
function inflections(stemmed) {
  const words = new Set();
  for (const ending of kWordEndings)
    for (const start of [stemmed, startOfWords(stemmed)]) words.add(start + ending);
  for (const ending of kEndingsAfterDoubled) words.add(stemmed + stemmed.slice(-1) + ending);
  return [...words].filter((word) => stem(word) === stemmed).sort();
}
