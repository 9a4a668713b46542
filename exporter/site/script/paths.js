// SPDX-License-Identifier: GPL-2.0-or-later
// Files and modules by their paths, as searcher/engine/path_plan.cc orders them.

const kSourceFolders = new Set(["src", "lib", "source", "include", "java", "kotlin", "main", "packages"]);
const kMainFiles = new Set(["__init__", "index", "mod", "lib", "main", "_index", "__main__", "readme"]);

const pathParts = (path) => path.split(/[/\\]/).filter((part) => part && part !== "." && part !== "..");

function withoutExtension(name) {
  const dot = name.indexOf(".", 1);
  return dot < 0 ? name : name.slice(0, dot);
}

// A page's path without the documentation's suffixes and folder: that of the source that it is about.
function groupKey({docSuffixes, docRoot}, path) {
  const isEnd = (suffix) => key.endsWith(suffix) && key.length > suffix.length && key.at(-suffix.length - 1) !== "/";
  let key = path;
  for (let suffix = ""; (suffix = docSuffixes.find(isEnd));) key = key.slice(0, -suffix.length);
  return key !== path && docRoot && key.startsWith(docRoot) && key !== docRoot ? key.slice(docRoot.length) : key;
}

// Where a file's code is found by its name: its folders and its name, but for those that all have.
function moduleOf(path) {
  const parts = pathParts(path), name = withoutExtension(parts.pop() || "");
  if (!kMainFiles.has(fold(name))) parts.push(name);
  return parts.filter((part) => !kSourceFolders.has(fold(part)));
}

// A file that the query names by its path, with or without a line: {parts, line, isCertain}, or null.
function placeOfQuery(text) {
  const match = /^(?:\.?\/)*([^\s:"'*#]*[./][^\s:"'*#]*?)\/*(?::(\d+)(?::\d+)?:?|#L(\d+)(?:-L?\d+)?)?$/.exec(text.trim());
  const line = match ? Number(match[2] || match[3] || 0) : 0, parts = match ? pathParts(match[1]) : [];
  return parts.some((part) => part.length > 1 && /\p{L}/u.test(part)) ? {parts, line, isCertain: line > 0} : null;
}

// How well a path agrees with the parts that were asked, from its end: more is better, 0 is no result.
function agreementOf({parts, isCertain}, path) {
  const names = pathParts(path), last = parts.at(-1), depth = names.length / 1000;
  let isExact = true, isMain = false;
  const same = (asked, name) => {
    if (asked === name) return true;
    if (fold(asked) !== fold(name)) return false;
    isExact = false;
    return true;
  };
  const name = names.at(-1) || "", dot = name.lastIndexOf(".");
  let agrees = same(last, name) || same(last, withoutExtension(name)) || (dot > 0 && same(last, name.slice(0, dot)));
  if (!agrees && names.length > 1 && kMainFiles.has(fold(withoutExtension(name)))) {
    names.pop();
    isMain = agrees = same(last, names.at(-1));
  }
  if (!agrees) return 0;
  let found = 1;
  while (found < parts.length && found < names.length && same(parts.at(-1 - found), names.at(-1 - found))) ++found;
  const isWholePath = found === names.length, isWhole = found === parts.length;
  if (!isWhole && !(isCertain && (found > 1 || isWholePath))) return 0;
  return found * 8 + (isExact ? 4 : 0) + (isWholePath ? 2 : 0) + (isMain ? 0 : 1) - depth +
    (/^readme/i.test(name) ? 0 : 0.5);
}

// The files that a place names, best first; of a place with a line the best alone.
async function filesNamed(index, place, left) {
  const scores = new Float64Array(index.head.files), found = [];
  (await index.paths()).forEach(({path}, file) => {
    if (left && !left[file]) return;
    const key = groupKey(index.head, path);
    scores[file] = Math.max(agreementOf(place, path), key === path ? 0 : agreementOf(place, key));
    if (scores[file]) found.push(file);
  });
  sortByScore(found, scores);
  return place.isCertain ? found.filter((file) => Math.floor(scores[file]) === Math.floor(scores[found[0]])) : found;
}

// Whether some file's path has the words of all parts: the list of all paths is long.
async function mayBeNamed(index, {parts}) {
  const lists = await Promise.all(parts.flatMap(tokensOf).map(async (token) => {
    const entry = await index.entry(fold(token));
    return entry && entry.path;
  }));
  return lists.every(Boolean) && filesOf(index, [lists]).includes(1);
}

// On a page that holds its source, line N is line N of the source: of the longest fenced block.
function lineOfSource(text, line) {
  let longest = [0, 0], fence = "", begin = 0;
  text.split("\n").forEach((one, i) => {
    const mark = /^(`{3,}|~{3,})(.*)$/.exec(one);
    if (!mark) return;
    if (!fence) [fence, begin] = [mark[1], i + 1];
    else if (mark[1].startsWith(fence) && !mark[2].trim()) {
      if (i + 1 - begin > longest[1] - longest[0]) longest = [begin, i + 1];
      fence = "";
    }
  });
  return longest[0] + line < longest[1] ? longest[0] + line : line;
}
