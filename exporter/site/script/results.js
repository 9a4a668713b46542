// SPDX-License-Identifier: GPL-2.0-or-later
// Results as elements. Nothing from a chunk or a query is ever taken as HTML.

// What ctags calls a kind, in people's words.
const kKindText = {func: "function", member: "field", enumerator: "enum value", typedef: "type",
                   externvar: "variable", prototype: "function"};

// A text with the words of the query marked; `spans` that are known, or those that are found.
function marked(query, text, spans = new TextWords(query.leaves).spansIn(text)) {
  const parts = [];
  let from = 0;
  for (const {begin, end} of spans) {
    if (begin < from) continue;
    parts.push(text.slice(from, begin), element("mark", "", text.slice(begin, end)));
    from = end;
  }
  return [...parts, text.slice(from)];
}

// The URL of a result: its page finds and marks the words of the query.
function urlOf(query, page, line) {
  const words = query.leaves.map((leaf) => leaf.text + (leaf.isPrefix ? "*" : "")).join(" ");
  return `${root}/${page}${words ? `?q=${encodeURIComponent(words)}` : ""}${line ? `#L${line}` : ""}`;
}

function aboutOf(query, result, place) {
  const about = element("div", "kw-about");
  if (place.definition) {
    const {name, kind, scope} = place.definition;
    about.append(`defines ${kKindText[kind] || kind} `, element("code", "", ...marked(query, name)));
    if (scope) about.append(` in ${scope}`);
  } else if (place.section) {
    about.append("section ", ...marked(query, place.section.title));
  } else {
    about.append(result.isNamed ? "file" : kTierText[result.tier]);
  }
  if (place.line) about.append(`, line ${place.line}`);
  if (place.more) about.append(` (and ${place.more} more)`);
  return about;
}

// The place in a file to go to: the one that the answer names, or the best.
async function placeIn(from, query, details, result) {
  if (result.isNamed) {
    const isPage = result.line && groupKey(from.head, details.path) !== details.path && typeof DecompressionStream === "function";
    return {line: isPage ? lineOfSource((await from.text(details, [1], 1))[0].text, result.line) : result.line};
  }
  if (!result.line) return bestPlace(query, details, result.tier);
  const definition = details.definitions.find(({line, name}) => line === result.line && sameName(name, query.name.name));
  return {definition, line: result.line};
}

// A result of an answer: {item, details, place}. `hasAlso`: the item names the files that are one result with it.
async function itemOf(from, query, result, hasAlso) {
  const [details, ...also] = await Promise.all([result.file, ...hasAlso ? result.also : []].map((file) => from.details(file)));
  const place = await placeIn(from, query, details, result);
  const link = element("a", "", ...marked(query, details.path));
  link.href = urlOf(query, details.page, place.line);
  const item = element("li", "kw-result", link);
  if (details.title && details.title !== details.path)
    item.append(" ", element("span", "kw-title", details.title));
  item.append(aboutOf(query, result, place));
  if (also.length) item.append(alsoOf(query, also));
  return {item, details, place};
}

function alsoOf(query, files) {
  const links = files.flatMap(({path, page}, i) => {
    const a = element("a", "", path);
    a.href = urlOf(query, page, 0);
    return i ? [", ", a] : [a];
  });
  return element("div", "kw-also", "also ", ...links);
}

// --- lines: fetched for the results that are in sight ----------------------------------------------------

const kPartsRead = 3;  // of a long file
const fillers = new WeakMap();  // an item to what fills its lines
const sight = typeof IntersectionObserver !== "function" ? null : new IntersectionObserver((seen) => {
  for (const {target, isIntersecting} of seen) {
    if (!isIntersecting) continue;
    sight.unobserve(target);
    setTimeout(fillers.get(target));  // the results are painted first
  }
}, {rootMargin: "200px"});

// A place of fixed height for the lines of a result, so that nothing moves when they come.
function addLines(from, query, {item, details, place}) {
  if (!sight || typeof DecompressionStream !== "function" || !details.text.parts.length) return;
  const lines = element("div", "kw-lines");
  item.append(lines);
  fillers.set(item, async () => {
    try {
      const parts = await from.text(details, place.line ? [place.line] : [], kPartsRead);
      for (const {line, text, spans} of bestLines(query, details, parts, place.line)) {
        const link = element("a", "", element("span", "", String(line)), element("code", "", ...marked(query, text, spans)));
        link.href = urlOf(query, details.page, line);
        lines.append(link);
      }
    } catch {
      // The result stands without them: a chunk is gone since, or the browser cannot unpack it.
    }
    lines.classList.add("there");
  });
  sight.observe(item);
}

// --- filters -----------------------------------------------------------------------------------------------

const kFiltersShown = 12;

// How many of some files each filter leaves: [{field, value, count}], the most first. Of folders those one level
// below the one that holds all.
async function countFilters(from, files) {
  const held = new Uint8Array(from.head.files);
  for (const file of files) held[file] = 1;
  const before = new Uint32Array(held.length + 1);
  held.forEach((one, file) => before[file + 1] = before[file] + one);
  const counted = (await from.filters()).filter(({field}) => field !== "ext").map(({field, value, runs}) =>
    ({field, value, count: runs.reduce((sum, [first, end]) => sum + before[end] - before[first], 0)}))
    .filter(({count}) => count);
  const folders = counted.filter(({field}) => field === "folder"), isWhole = ({count}) => count === files.length;
  const whole = folders.filter(isWhole).reduce((deepest, {value}) => value.length > deepest.length ? value : deepest, "");
  const inside = whole ? whole + "/" : "";
  const isBelow = ({field, value}) => field !== "folder" ||
    (value.startsWith(inside) && value.length > inside.length && !value.slice(inside.length).includes("/"));
  const origins = kOriginNames.map((value, place) =>
    ({field: "origin", value, count: files.filter((file) => from.head.origins[file] === place).length}));
  return [...counted.filter(isBelow), ...origins.filter(({count}) => count)].sort((a, b) => b.count - a.count);
}
