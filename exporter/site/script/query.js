// SPDX-License-Identifier: GPL-2.0-or-later
// What is typed to what is searched: words, prefix*, NOT, OR, fields, filters, names with their scope, paths.

// kwsearch's fields of words, and those that choose files.
const kWordFields = ["def", "ident", "path", "section"], kFilterFields = ["lang", "ext", "folder", "origin"];

// Of other syntax of kwsearch's the words that it holds are taken; `unsupported` has it part by part. An OR binds
// what stands at its sides. `groups` and `filters` are lists of alternatives: one of each must hold, and none of
// `excluded` and `without`. `plain`: words alone, filters aside.
function parseQuery(text) {
  const query = {leaves: [], groups: [], excluded: [], filters: [], without: [], unsupported: [], plain: ""};
  const pieces = (text.match(/(?:[a-z]+:)?"[^"]*"?|\S+/g) || []), words = [];
  let isExcluded = false, isOr = false, hasSyntax = false, last = null;
  pieces.forEach((piece, i) => {
    const isLast = i + 1 === pieces.length;
    if (piece === "NOT" && !isLast) isExcluded = hasSyntax = true;
    else if (piece === "OR" && last && !isLast && !isExcluded) isOr = hasSyntax = true;
    else {
      const {leaves, filter, isSyntax, isKnown} = readPiece(piece);
      if (!isKnown) query.unsupported.push(piece);
      if (isSyntax) hasSyntax = true;
      if (!isSyntax && !filter) words.push(piece);
      const from = filter ? query.filters : query.groups, into = isExcluded ? filter ? query.without : query.excluded : from;
      for (const item of filter ? [filter] : leaves)
        if (isExcluded) into.push(item);
        else if (isOr && last === from && from.length) from.at(-1).push(item);
        else from.push([item]);
      last = from;
      isExcluded = isOr = false;
    }
  });
  if (!query.groups.length && query.excluded.length && !query.filters.length) {  // nothing to find: NOT is a word
    query.groups.push(...query.excluded.map((leaf) => [leaf]));
    query.excluded = [];
  }
  query.leaves = query.groups.flat();
  if (!hasSyntax) query.plain = words.join(" ");
  query.name = hasSyntax ? null : nameOf(query.plain);
  return query;
}

function readPiece(piece) {
  const [, prefix, rest] = /^(?:([a-z]+):(?=[^:]))?(.*)$/s.exec(piece);
  if (kFilterFields.includes(prefix))
    return {leaves: [], filter: {field: prefix, value: rest.replace(/^"|"$/g, "")}, isSyntax: false, isKnown: true};
  const field = kWordFields.includes(prefix) ? prefix : "", asked = field ? rest : piece;
  const tokens = tokensOf(asked), only = tokens.length === 1 ? tokens[0] : "";
  const isPrefix = only && asked === only + "*" && /[^_]/.test(only);
  const leaves = tokens.map((token) => leafOf(token, field, Boolean(isPrefix)));
  // Quotes and stars ask for exact text and patterns, a word without a letter for signs.
  const isKnown = isPrefix || (!/["*]/.test(asked) && Boolean(tokens.length) && !/\w\?\w/.test(asked) && !isSigns(asked));
  return {leaves, isSyntax: Boolean(field || isPrefix || /["*]/.test(asked)), isKnown};
}

// Whether a word is code that only its exact text would find: signs beside it that no prose has.
const isSigns = (text) => /[=<>{}\[\]|^%~\\+;]|&&|^--?\w/.test(text);

function leafOf(text, field, isPrefix) {
  const folded = fold(text), stemmed = stem(folded);
  return {text, field, isPrefix, folded, stem: stemmed, start: startOfWords(stemmed)};
}

// A name with its scope (A.b, A::b, A#b, A->b), a call or a decorator: {name, scope, sign}, or null. One that may be
// a file's is that first.
function nameOf(text) {
  const match = /^@?([\p{L}\p{N}\p{Pc}$]+(?:(?:\.|::|#|->)~?[\p{L}\p{N}\p{Pc}$]+)*)(\(.*\))?$/u.exec(text.trim());
  if (!match) return null;
  const sign = (match[1].match(/\.|::|#|->/g) || []).at(-1), parts = match[1].split(/\.|::|#|->/).map((part) => part.replace(/[^\p{L}\p{N}\p{Pc}\p{M}]/gu, "")).filter(Boolean);
  if (!parts.length || parts.some((part) => /^\d/.test(part)) || tokensOf(parts.at(-1)).length !== 1) return null;
  return parts.length > 1 || match[2] || text[0] === "@" ? {name: parts.at(-1), scope: parts.slice(0, -1), sign} : null;
}

// --- filters ------------------------------------------------------------------------------------------

const kOriginNames = ["original", "test", "vendored", "generated"];

// The files of a filter, 1 for each.
async function filesOfFilter(index, {field, value}) {
  const held = new Uint8Array(index.head.files);
  if (field === "origin") {
    const place = kOriginNames.indexOf(fold(value));
    return held.map((_, file) => Number(index.head.origins[file] === place));
  }
  const folder = value.replace(/\/+$/, ""), wanted = field === "folder" ? folder : fold(value);
  const known = (await index.filters()).filter((filter) => filter.value === wanted);
  // What people call a language is often its extension: `py`, `rs`.
  const found = known.find((filter) => filter.field === field) ||
    (field === "lang" && known.find((filter) => filter.field === "ext"));
  if (found) for (const [from, to] of found.runs) held.fill(1, from, to);
  else if (field === "folder")
    (await index.paths()).forEach(({path}, file) => held[file] = Number(path.startsWith(folder + "/")));
  return held;
}

// The files that all filters of a query leave, or null for all.
async function filesLeft(index, query) {
  if (!query.filters.length && !query.without.length) return null;
  const left = new Uint8Array(index.head.files).fill(1);
  for (const alternatives of query.filters) {
    const each = await Promise.all(alternatives.map((filter) => filesOfFilter(index, filter)));
    left.forEach((held, file) => left[file] = Number(held && each.some((one) => one[file])));
  }
  for (const filter of query.without)
    (await filesOfFilter(index, filter)).forEach((held, file) => held && (left[file] = 0));
  return left;
}
