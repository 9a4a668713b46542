// SPDX-License-Identifier: GPL-2.0-or-later
// The best lines of a file for a query, as searcher/match/file_match.cc chooses them, and what to mark in them.

const kLinesShown = 3, kLongestLine = 200;

// The words of a query as they are found in texts.
class TextWords {
  constructor(leaves) {
    const asked = leaves.filter((leaf) => !["path", "section"].includes(leaf.field));
    const isSalient = (leaf) => !kStopWordSet.has(leaf.folded);
    this.leaves = asked.some(isSalient) ? asked.filter(isSalient) : asked;
    const escaped = this.leaves.map((leaf) => (leaf.isPrefix ? leaf.folded : leaf.start).replace(/[^\p{L}\p{N}_]/gu, ""));
    this.may = escaped.length ? new RegExp(escaped.join("|"), "i") : /$^/;
  }

  mayHold(text) {
    return this.may.test(text) || (!isAscii(text) && this.may.test(stripMarks(fold(text))));
  }

  // [{begin, end, leaf, grade}]: 4 a name as it is, 1 a word by its stem, 2 a part of a name.
  spansIn(text) {
    const spans = [];
    if (!this.mayHold(text)) return spans;
    for (const match of text.matchAll(kWords)) {
      const token = match[0];
      if (!this.mayHold(token)) continue;
      for (const [i, leaf] of this.leaves.entries()) {
        const span = this.spanIn(token, leaf);
        if (!span) continue;
        spans.push({begin: match.index + span.begin, end: match.index + span.end, leaf: i, grade: span.grade});
        if (span.grade !== 2) break;
      }
    }
    return spans.sort((a, b) => a.begin - b.begin);
  }

  spanIn(token, leaf) {
    const folded = fold(token), whole = {begin: 0, end: token.length};
    if (leaf.isPrefix) return folded.startsWith(leaf.folded) ? {...whole, grade: 4} : null;
    if (folded === leaf.folded || stripMarks(folded) === leaf.folded)
      return {...whole, grade: /[_\d]|[a-z][A-Z]/.test(token) ? 4 : 1};
    if (stemOf(folded) === leaf.stem) return {...whole, grade: 1};
    const part = splitName(token).find((word) => word === leaf.folded || stemOf(word) === leaf.stem);
    if (!part) return null;
    const at = folded.length === token.length ? folded.indexOf(part) : -1;
    return at < 0 ? {...whole, grade: 2} : {begin: at, end: at + part.length, grade: 2};
  }
}

// Markdown's marks, which a reader of a line does without.
function withoutMarks(text) {
  return text.replace(/^\s*(?:#{1,6}|>|[-*+]|\d+[.)])\s+/, "").replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\*\*|__|`|<\/?[a-z][^>]*>/gi, "").replace(/(^|\W)[*_](\S[^*_]*)[*_](?=\W|$)/g, "$1$2");
}

// The line of a text that begins at a place.
function lineFrom(text, start) {
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? text.length : end);
}

// The lines of a part of a text that may hold a word, as [line, text, isCode]: what holds none is not cut into
// lines. Fences tell what is code in a document.
function* likelyLines(words, {text, line: firstLine}, isProse) {
  const fence = isProse ? "^[ \\t]*(?:```|~~~)" : "$^";
  const may = new RegExp(`(${fence})|${isAscii(text) ? words.may.source : "^"}`, "gim");
  let line = firstLine, at = 0, isCode = !isProse;
  for (let match; (match = may.exec(text));) {
    for (let end; (end = text.indexOf("\n", at)) >= 0 && end < match.index; at = end + 1) ++line;
    if (match[1] !== undefined) isCode = !isCode;
    else yield [line, lineFrom(text, at), isCode];
    const end = text.indexOf("\n", match.index);
    if (end < 0) return;
    may.lastIndex = end + 1;
  }
}

// A line by its number, or "" where no part has it.
function lineNumbered(parts, number) {
  const part = parts.filter(({line}) => line <= number).at(-1);
  let at = 0;
  for (let line = part ? part.line : number; part && line < number; ++line) {
    at = part.text.indexOf("\n", at) + 1;
    if (!at) return "";
  }
  return part ? lineFrom(part.text, at) : "";
}

// The `kLinesShown` lines to show: [{line, text, spans}]. `first` is shown in any case, and first.
function bestLines(query, details, parts, first) {
  const words = new TextWords(query.leaves), isProse = isDocument(details.path);
  const headings = new Set(details.sections.map((section) => section.line));
  const defining = new Set(details.definitions.filter((definition) => gradeOf(query, definition.name) > 1).map(({line}) => line));
  const found = [], counts = words.leaves.map(() => 0);
  const add = (line, raw, isCode) => {
    const text = (isCode ? raw : withoutMarks(raw)).trim(), spans = words.spansIn(text);
    if (!text || (line !== first && (!spans.length || text === details.title))) return;
    const held = [...new Set(spans.map((span) => span.leaf))];
    for (const leaf of held) ++counts[leaf];
    const grade = defining.has(line) ? 6 : headings.has(line) ? 5 : Math.max(0, ...spans.map((span) => span.grade));
    found.push({line, text, spans, held, grade});
  };
  if (first) add(first, lineNumbered(parts, first), !isProse || !headings.has(first));
  for (const part of parts)
    for (const [line, raw, isCode] of likelyLines(words, part, isProse)) if (line !== first) add(line, raw, isCode);
  for (const one of found)
    one.strength = (one.held.length * 10 + one.grade) * 100 + 100 - Math.min(100, ...one.held.map((leaf) => counts[leaf]));
  const isFirst = (one) => Number(one.line === first);
  return found.sort((a, b) => isFirst(b) - isFirst(a) || b.strength - a.strength || a.line - b.line)
    .slice(0, kLinesShown).sort((a, b) => isFirst(b) - isFirst(a) || a.line - b.line).map(cutLine);
}

// A long line around its first match.
function cutLine({line, text, spans}) {
  if (text.length <= kLongestLine) return {line, text, spans};
  const begin = Math.max(0, Math.min((spans[0] ? spans[0].begin : 0) - kLongestLine / 3, text.length - kLongestLine));
  const from = Math.floor(begin), end = from + kLongestLine, shift = from ? 1 - from : 0;
  return {line, text: (from ? "…" : "") + text.slice(from, end) + (end < text.length ? "…" : ""),
          spans: spans.filter((span) => span.begin >= from && span.end <= end)
            .map((span) => ({...span, begin: span.begin + shift, end: span.end + shift}))};
}
