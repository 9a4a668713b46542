// SPDX-License-Identifier: GPL-2.0-or-later
// The search on a page: typing, results, the keyboard, the address. The page of results has it all; on every other
// page the first results stand in a panel below the search.

const kShown = 10, kShownInPanel = 6, kDebounce = 120, kPatience = 150;
const ownList = document.getElementById("kw-results");
const isMissingPage = Boolean(ownList) && location.protocol !== "file:" && !/\/search\.html$/.test(location.pathname);
const panel = ownList ? null : element("div", "kw-panel");
const list = ownList || element("ol");
const status = document.getElementById("kw-status") || element("p");
const shown = ownList ? kShown : kShownInPanel;

// Old links to a search lead to the home.
const asked = new URL(location.href).searchParams.get("q") || "";
if (!ownList && asked && document.querySelector("main > .examples, main > .facts") &&
    /(?:\/|\/index\.html)$/.test(location.pathname) && !document.querySelector(".path"))
  location.replace(`${root}/search.html?q=${encodeURIComponent(asked)}`);

if (panel) {
  status.setAttribute("role", "status");
  panel.append(status, list);
  panel.hidden = true;
  input.form.append(panel);
  if (asked && !input.value) input.value = asked;
}

let newest = 0;  // the newest question: results of others are dropped
let shownFor = null;  // the query that the list answers

// A link that asks another query.
function askLink(text) {
  const link = element("a", "", text);
  link.href = `${root}/search.html?q=${encodeURIComponent(text)}`;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    input.value = text;
    input.focus();
    ask(shown);
  });
  return link;
}

const quotedForShell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function sayNothingFound({query}, suggested) {
  const said = ["Nothing found. "], last = query.leaves.at(-1);
  if (!suggested && query.leaves.length === 1 && !last.isPrefix)
    said.push("Names that begin so: ", askLink(last.text + "*"), ".");
  else if (!suggested) said.push("Fewer words, or the start of one with a *, find more.");
  return said;
}

function say(answer, suggested) {
  const {query, results, files, any, partial, leftOut} = answer, said = [];
  if (results.length) {
    if (any) said.push("No file has all of these words; these have some. ");
    said.push(files === 1 ? "1 file" : `${files.toLocaleString("en")} files`);
    said.push(results.length < files ? `, the first ${results.length} results.` : ".");
    if (partial) said.push(" It stands in so many that only the best are counted.");
    if (leftOut.length) said.push(" By its rarest words, without ", element("code", "", leftOut.join(" ")), ".");
  } else {
    said.push(...sayNothingFound(answer, suggested));
  }
  if (suggested) said.push(" Did you mean ", askLink(suggested), "?");
  if (query.unsupported.length)
    said.push(" A site takes words, prefix*, NOT, OR, fields and paths; of ", element("code", "", query.unsupported.join(" ")),
              " it takes the words alone. On the command line: ",
              element("code", "", `kwsearch ${quotedForShell(input.value.trim())}`));
  status.replaceChildren(...said);
}

const kindAsked = () => new URL(location.href).searchParams.get("kind") || "";

function setUrl(text, kind) {
  if (panel || isMissingPage) return;
  const url = new URL(location.href);
  for (const [name, value] of [["q", text], ["kind", text && kind]])
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  url.hash = "";
  if (url.href !== location.href) history.replaceState(null, "", url);
}

const pageTitle = document.title;
function setTitle(text) {
  if (ownList) document.title = text ? `${text} · ${pageTitle}` : pageTitle;
}

// The answer to a query and its list.
async function answerOf(from, text, wanted, kind) {
  const answer = await search(from, text, wanted, kind);
  const items = await Promise.all(answer.results.map((result) => itemOf(from, answer.query, result, Boolean(ownList))));
  const isPoor = !answer.results.length || answer.any;
  const suggested = isPoor ? await suggestion(from, answer.query) : "";
  return {from, answer, items, suggested};
}

// The page of results as the server has it now: where this page is older than the site.
function newPageLink(text) {
  const link = element("a", "", "Load it, and search again");
  link.href = `${root}/search.html?q=${encodeURIComponent(text)}`;
  return link;
}

async function ask(wanted, kind = "") {
  const text = input.value.trim(), number = ++newest;
  for (const button of document.querySelectorAll(".kw-more")) button.remove();
  setUrl(text, kind);
  setTitle(text);
  if (panel) panel.hidden = !text;
  if (!text) {
    list.replaceChildren();
    status.replaceChildren();
    showFilters(null);
    shownFor = null;
    return;
  }
  list.setAttribute("aria-busy", "true");
  const late = setTimeout(() => status.textContent = "Searching…", kPatience);
  try {
    const {from, answer, items, suggested} = await withIndex((now) => answerOf(now, text, wanted, kind));
    if (number !== newest) return;
    list.replaceChildren(...items.map(({item}) => item));
    say(answer, suggested);
    if (ownList) showPage(from, answer, items, wanted, kind);
    else list.append(allLink(text, answer));
    shownFor = text;
  } catch (error) {
    if (number !== newest) return;
    list.replaceChildren();
    status.textContent = `The search could not read its files: ${error.message}.`;
    if (error instanceof StaleScript) status.append(" ", newPageLink(text));
  } finally {
    clearTimeout(late);
  }
  list.removeAttribute("aria-busy");
}

// Runs `act` after the next paint; in a hidden tab, when it is shown.
const afterPaint = (act) => requestAnimationFrame(() => setTimeout(act));

// What the page of results has and the panel has not.
function showPage(from, answer, items, wanted, kind) {
  for (const one of items) addLines(from, answer.query, one);
  if (answer.results.length === wanted && wanted < answer.files) addMore(wanted, kind);
  const number = newest;
  afterPaint(() => number === newest && showFilters(answer, kind, from).catch(() => {}));  // the results stand without them
}

function allLink(text, {files}) {
  const link = element("a", "", files ? `All results: ${files.toLocaleString("en")} files` : "The page of results");
  link.href = `${root}/search.html?q=${encodeURIComponent(text)}`;
  return element("li", "kw-result kw-all", link);
}

function addMore(wanted, kind) {
  const more = button("kw-more", "More results", async () => {
    await ask(wanted + 2 * kShown, kind);
    const links = list.querySelectorAll(".kw-result > a");
    if (links[wanted]) links[wanted].focus();
  });
  list.after(more);
}

// --- filters -------------------------------------------------------------------------------------------

const filterBox = document.getElementById("kw-filters");
const kFieldTitles = {kind: "Kind", lang: "Language", folder: "Folder", origin: "Part of the tree"};

// A filter is a word of the query, as kwsearch takes it: a click puts it there, and another takes it away.
function toggledQuery(field, value) {
  const word = `${field}:${/\s/.test(value) ? `"${value}"` : value}`, words = input.value.trim().split(/\s+/);
  return words.includes(word) ? words.filter((one) => one !== word).join(" ") : [...words, word].join(" ");
}

function filterButton(text, count, isOn, act) {
  const made = button("", "", act);
  made.append(element("span", "", text), " ", element("small", "", count.toLocaleString("en")));
  made.setAttribute("aria-pressed", String(isOn));
  return element("li", "", made);
}

async function showFilters(answer, kind, from) {
  if (!filterBox) return;
  const number = newest, groups = [], isOpen = Boolean(filterBox.querySelector("details[open]"));
  if (answer && answer.all && answer.all.length + answer.query.filters.length > 1) {
    const has = ({field, value}) => answer.query.filters.flat().some((on) => on.field === field && on.value === value);
    const found = await countFilters(from, answer.all), {kinds} = answer;
    for (const field of ["lang", "folder", "origin"]) {
      const of = found.filter((one) => one.field === field);
      const on = answer.query.filters.flat().filter((one) => one.field === field && !of.some(({value}) => value === one.value));
      const buttons = [...on.map(({value}) => ({field, value, count: answer.all.length})), ...of].slice(0, kFiltersShown)
        .map((one) => filterButton(one.value, one.count, has(one), () => {
          input.value = toggledQuery(field, one.value);
          ask(shown, kind);
        }));
      if (of.length > 1 || on.length || of.some(has)) groups.push([field, buttons]);
    }
    if (kinds.length > 1 || kind)
      groups.unshift(["kind", kinds.map(([name, count]) => filterButton(kKinds[name], count, name === kind,
                                                                          () => ask(shown, name === kind ? "" : name)))]);
  }
  if (number !== newest) return;
  if (!groups.length) return filterBox.replaceChildren();
  const details = element("details", "fold", element("summary", "", "Filters"));
  details.open = isWide || isOpen;
  for (const [field, buttons] of groups)
    details.append(element("h2", "", kFieldTitles[field]), element("ul", "", ...buttons));
  filterBox.replaceChildren(details);
}

// --- the keyboard and the address ----------------------------------------------------------------------

let timer = 0;
input.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(ask, kDebounce, shown);
});
if (panel) {
  input.addEventListener("focus", () => input.value.trim() && input.value.trim() === shownFor && (panel.hidden = false));
  document.addEventListener("click", (event) => input.form.contains(event.target) || (panel.hidden = true));
  input.form.addEventListener("focusout", (event) =>
    event.relatedTarget && !input.form.contains(event.relatedTarget) && (panel.hidden = true));
}

// Enter opens the first result, if need be after the search for what was just typed.
input.form.addEventListener("submit", async (event) => {
  event.preventDefault();
  clearTimeout(timer);
  const text = input.value.trim();
  if (shownFor !== text) await ask(shown);
  const first = list.querySelector(".kw-result > a");
  if (first && shownFor === text && text === input.value.trim()) first.click();
});

// Arrows go through the results, Escape back to the question, then it clears it.
document.addEventListener("keydown", (event) => {
  const links = [...list.querySelectorAll(".kw-result > a")];
  const at = links.indexOf(document.activeElement), isInput = document.activeElement === input;
  if (at < 0 && !isInput) return;
  if (event.key === "ArrowDown" && links[at + 1]) links[at + 1].focus();
  else if (event.key === "ArrowUp" && at >= 0) (links[at - 1] || input).focus();
  else if (event.key === "Escape" && at >= 0) input.focus();
  else if (event.key === "Escape" && input.value) {
    input.value = "";
    ask(shown);
  } else return;
  event.preventDefault();
});

// Of a URL that leads nowhere: what it calls the page.
function wordsOfUrl() {
  const name = decodeURIComponent(location.pathname).split("/").filter(Boolean).at(-1) || "";
  return tokensOf(name.replace(/\.html?$/, "")).join(" ");
}

function askUrl() {
  const text = isMissingPage ? wordsOfUrl() : new URL(location.href).searchParams.get("q") || "";
  if (text === input.value.trim() && text === (shownFor || "")) return;
  input.value = text;
  ask(kShown, kindAsked());
}
if (ownList) {
  addEventListener("popstate", askUrl);
  addEventListener("pageshow", askUrl);
  if (document.readyState === "complete") askUrl();
} else if (input.value.trim() && input.value !== asked) {
  ask(shown);  // typed before this script was there
}
globalThis.kwPage.ui = {openFinder, showName, describe};
