// SPDX-License-Identifier: GPL-2.0-or-later
// A panel with where a name is defined and used, by file and line, and what its definition says of itself: made from
// the search's chunks.

const kDefinersShown = 6, kUsersShown = 6, kLinesOfUser = 3, kPartsOfUser = 2;

const bareName = (text) => text.replace(/^\$/, "");

// Where a name is defined and used: {definers, users}, numbers of files, originals first, then types before functions
// before others, then by path; and the spellings that are meant: as it is written, else in other case.
async function filesOfName(index, name) {
  await index.open();
  const entry = await index.entry(nameKey(name)), all = entry ? entry.names : [], {origins} = index.head;
  const exact = all.filter(({spelling}) => spelling === name), names = exact.length ? exact : all;
  const ranks = new Map();  // of files that define it: the best
  for (const {rank, list} of names.flatMap(({definitions}) => definitions))
    for (const file of list.files) ranks.set(file, Math.min(rank, ranks.get(file) ?? rank));
  const inOrder = (files, rankOf) =>
    [...new Set(files)].sort((a, b) => origins[a] - origins[b] || rankOf(a) - rankOf(b) || a - b);
  const users = names.flatMap(({list}) => [...list.files]).filter((file) => !ranks.has(file));
  return {definers: inOrder(ranks.keys(), (file) => ranks.get(file)), users: inOrder(users, () => 0),
          spellings: names.map(({spelling}) => spelling)};
}

// The definitions of a name in a file: [{line, kind, scope}], and what each says of itself if `withDocs`.
async function definitionsIn(index, details, spellings, withDocs) {
  const found = details.definitions.filter((one) => spellings.includes(one.name)).slice(0, kLinesOfUser);
  if (!withDocs || !found.length || typeof DecompressionStream !== "function") return found;
  const parts = await index.text(details, found.map(({line}) => line), 1);
  return found.map((one) => {
    const part = parts.filter(({line}) => line <= one.line).at(-1);
    return {...one, doc: part ? docOf(part.text, part.line, one.line) : ""};
  });
}

// The first lines of a file that have a name: [{line, text}].
async function usesIn(index, details, spellings) {
  if (typeof DecompressionStream !== "function" || !details.text.parts.length) return [];
  const found = [], escaped = spellings.map((one) => one.replace(/\$/g, "\\$")).join("|");
  const word = new RegExp(`(?<![\\p{L}\\p{N}\\p{M}_])(?:${escaped})(?![\\p{L}\\p{N}\\p{M}_])`, "u");
  for (const {line, text} of await index.text(details, [], kPartsOfUser))
    for (const [i, one] of text.split("\n").entries()) {
      if (found.length === kLinesOfUser) return found;
      if (spellings.some((spelling) => one.includes(spelling)) && word.test(one))
        found.push({line: line + i, text: one.trim().slice(0, 160)});
    }
  return found;
}

let namePanel = null, nameShown = 0, cameFrom = null;

function makeNamePanel() {
  const close = button("kw-close", "✕", closeNames), title = element("h2"), body = element("div");
  close.ariaLabel = close.title = "Close";
  title.tabIndex = -1;
  namePanel = element("section", "kw-names", close, title, body);
  namePanel.ariaLabel = "Where a name is defined and used";
  namePanel.addEventListener("keydown", (event) => {
    const links = [...namePanel.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if (event.key === "Escape") closeNames();
    else if (event.key === "ArrowDown" && links[at + 1]) links[at + 1].focus();
    else if (event.key === "ArrowUp" && at >= 0) (links[at - 1] || title).focus();
    else return;
    event.preventDefault();
  });
  document.body.append(namePanel);
}

function closeNames() {
  ++nameShown;
  namePanel.hidden = true;
  if (cameFrom && cameFrom.isConnected) cameFrom.focus();
}

const lineLink = (page, line, ...content) => {
  const link = element("a", "", ...content);
  link.href = `${root}/${page}#L${line}`;
  return link;
};

function definitionItem(details, name, {line, kind, scope, doc}) {
  const item = element("li", "", lineLink(details.page, line, `${details.path}:${line}`), ` ${kKindText[kind] || kind}`);
  if (scope) item.append(` in ${scope}`);
  if (doc) item.append(element("p", "", doc));
  return item;
}

function userItem(details, lines) {
  const file = element("a", "", details.path), list = element("div", "kw-lines");
  file.href = `${root}/${details.page}${lines[0] ? `#L${lines[0].line}` : ""}`;
  for (const {line, text} of lines) list.append(lineLink(details.page, line, element("span", "", String(line)), element("code", "", text)));
  return element("li", "", file, ...lines.length ? [list] : []);
}

// What the panel says of a name: its elements.
async function saidOfName(index, name) {
  const {definers, users, spellings} = await filesOfName(index, name);
  const listOf = async (heading, files, most, itemsOf) => {
    const items = await Promise.all(files.slice(0, most).map(async (file) => itemsOf(await index.details(file))));
    const count = `${files.length.toLocaleString("en")} file${files.length === 1 ? "" : "s"}`;
    return files.length ? [element("h3", "", `${heading} ${count}`), element("ul", "", ...items.flat())] : [];
  };
  const [defined, used] = await Promise.all([
    listOf("Defined in", definers, kDefinersShown, async (details) =>
      (await definitionsIn(index, details, spellings, true)).map((one) => definitionItem(details, name, one))),
    listOf("Used in", users, kUsersShown, async (details) => [userItem(details, await usesIn(index, details, spellings))])]);
  const all = element("a", "", "All results");
  all.href = `${root}/search.html?q=${encodeURIComponent(name)}`;
  const nothing = defined.length || used.length ? [] : [element("p", "", "No file has this name.")];
  return [...defined, ...used, ...nothing, element("p", "", all)];
}

// Shows the panel. `isWord`: only if it is defined somewhere.
async function showName(text, isWord) {
  const name = bareName(text), number = ++nameShown;
  if (isWord) {
    const {definers} = await withIndex((from) => filesOfName(from, name)).catch(() => ({definers: []}));
    if (!definers.length || number !== nameShown) return;
  }
  if (!namePanel) makeNamePanel();
  if (!namePanel.contains(document.activeElement)) cameFrom = document.activeElement;
  const [title, body] = [...namePanel.children].slice(1);
  title.replaceChildren(element("code", "", name));
  body.replaceChildren(element("p", "", "Searching…"));
  namePanel.hidden = false;
  title.focus({preventScroll: true});
  const said = await withIndex((from) => saidOfName(from, name)).catch((error) =>
    [element("p", "", `The files of the search could not be read: ${error.message}.`)]);
  if (number === nameShown) body.replaceChildren(...said);
}

// Gives a link to a definition what the definition says of itself, as its title.
async function describe(link) {
  const name = bareName(link.textContent), pageOf = (url) => decodeURI(url.slice(root.length + 1).replace(/[?#].*/, ""));
  const target = pageOf(link.closest("b") ? location.href : link.href);
  link.title = await withIndex(async (from) => {
    const {definers, spellings} = await filesOfName(from, name);
    for (const file of definers.slice(0, kDefinersShown)) {
      const details = await from.details(file);
      if (decodeURI(details.page) !== target) continue;
      const [one] = await definitionsIn(from, details, spellings, true);
      if (!one) break;
      const kind = `${kKindText[one.kind] || one.kind}${one.scope ? ` in ${one.scope}` : ""}, line ${one.line}`;
      return one.doc ? `${kind}\n${one.doc}` : kind;
    }
    return "";
  });
}
