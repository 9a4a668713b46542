// SPDX-License-Identifier: GPL-2.0-or-later
// What a definition says of itself: the comment above it, or the docstring below.

const kDocLines = 40, kDocLength = 240, kSignatureLines = 30;
const kCommentLine = /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?!\s*(?:include|define|if|ifdef|ifndef|endif|else|elif|pragma|undef)\b|!?\[)|--(?:\s|-|\|)|;+\s|%+\s|\(\*|"""|''')/;
// What may stand between a comment and its definition: decorators, attributes, templates, what is exported.
const kBetween = /^\s*(?:@\w|#!?\[|\[\[|\[\w+.*\]\s*$|template\s*<|__attribute__)/;

const withoutCommentMarks = (line) => line.trim().replace(/^(?:\/\/[\/!]?<?|\/\*[*!]?|\*(?!\/)|#+:?|--+\|?|;+|%+|\(\*+)\s?/, "")
  .replace(/\s*(?:\*+\/|\*\))\s*$/, "").trim();

// The first paragraph of lines, in one line, cut at a word.
function firstParagraph(lines) {
  const words = [];
  for (const line of lines) {
    // Tags, parameters and rules are no sentence.
    const isEnd = !line || /^(?:[@\\]\w|:\w+.*:|Args:|Parameters\b|Returns?:|Example|[-=*_~]{3,}|```)/.test(line);
    if (isEnd && words.length) break;
    const brief = line.replace(/^[@\\](?:brief|summary)\s+/, "").replace(/<\/?[a-z][^>]*>/gi, "").trim();
    if (!isEnd || brief !== line) words.push(brief);
  }
  const text = words.join(" ").replace(/\s+/g, " ").trim();
  if (text.length <= kDocLength) return text;
  return text.slice(0, text.lastIndexOf(" ", kDocLength)) + " …";
}

function commentAbove(lines, at) {
  let last = at - 1;
  while (last >= 0 && at - last < kDocLines && kBetween.test(lines[last])) --last;
  if (last < 0 || !lines[last].trim()) return "";
  let first = last;
  if (/\*\/\s*$/.test(lines[last]) && !/\/\*/.test(lines[last])) {  // a block whose lines need no marks
    while (first > 0 && last - first < kDocLines && !/\/\*/.test(lines[first])) --first;
    if (!/^\s*\/\*/.test(lines[first])) return "";
  } else {
    if (!kCommentLine.test(lines[last])) return "";
    while (first > 0 && last - first < kDocLines && kCommentLine.test(lines[first - 1])) --first;
  }
  if (/SPDX-|Copyright|License/.test(lines.slice(first, last + 1).join("\n"))) return "";
  return firstParagraph(lines.slice(first, last + 1).map(withoutCommentMarks));
}

// Python's: behind the colon that ends the signature.
function docstringBelow(lines, at) {
  if (!/^\s*(?:async\s+def|def|class)\b/.test(lines[at])) return "";
  let line = at;
  while (line < lines.length && line - at < kSignatureLines && !/:\s*(?:#.*)?$/.test(lines[line])) ++line;
  const open = /^\s*[rRuU]?("""|''')(.*)$/.exec(lines[line + 1] || "");
  if (!open) return "";
  const text = [];
  for (let rest = open[2], next = line + 2;; rest = lines[next++]) {
    const end = rest.indexOf(open[1]);
    text.push((end < 0 ? rest : rest.slice(0, end)).trim());
    if (end >= 0 || next >= lines.length || text.length > kDocLines) break;
  }
  return firstParagraph(text[0] ? text : text.slice(1));
}

// Of the definition in a line of a text, "" for none. `first` is the number of the text's first line.
function docOf(text, first, line) {
  const lines = text.split("\n"), at = line - first;
  if (at < 0 || at >= lines.length) return "";
  return docstringBelow(lines, at) || commentAbove(lines, at);
}
