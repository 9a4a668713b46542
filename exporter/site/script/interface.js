// SPDX-License-Identifier: GPL-2.0-or-later
// The search on a page: typing, results, the keyboard, the address. Nothing from a chunk or a query
// is ever taken as HTML.

const kShown = 10, kDebounce = 120, kPatience = 150;
const list = document.getElementById("kw-results");
const status = document.getElementById("kw-status");
const isMissingPage = location.protocol !== "file:" && !/\/search\.html$/.test(location.pathname);

// Old links to a search lead to the home.
const oldQuery = new URL(location.href).searchParams.get("q");
if (!list && oldQuery && document.querySelector("main > .examples, main > .facts") &&
    /(?:\/|\/index\.html)$/.test(location.pathname) && !document.querySelector(".path"))
  location.replace(`${root}/search.html?q=${encodeURIComponent(oldQuery)}`);
if (!list || !status) return;  // the form leads to the page that has them

let mayReload = true;
let asked = 0;  // the newest question: results of others are dropped
let shownFor = null;  // the query that the list answers

// What ctags calls a kind, in people's words.
const kKindText = {func: "function", member: "field", enumerator: "enum value", typedef: "type",
                   externvar: "variable", prototype: "function"};

// A text with the words of the query marked.
function marked(query, text) {
  const lower = text.toLowerCase(), parts = [];
  if (lower.length !== text.length) return [text];
  const words = [query.compoundKey, ...query.leaves.map((leaf) => leaf.folded)].filter(Boolean);
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

async function itemOf(from, query, result) {
  const details = await from.details(result.file);
  const place = result.isNamed ? {line: result.line} : bestPlace(query, details, result.tier);
  const link = element("a", "", ...marked(query, details.path));
  link.href = `${root}/${details.page}` + (place.line ? `#L${place.line}` : "");
  const item = element("li", "kw-result", link);
  if (details.title && details.title !== details.path)
    item.append(" ", element("span", "kw-title", details.title));
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
  item.append(about);
  const also = await Promise.all(result.also.map((file) => from.details(file)));
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

const quotedForShell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function say(answer, suggested) {
  const {query, results, files, any, partial} = answer, said = [];
  if (!results.length) {
    said.push("Nothing found. ");
    const last = query.leaves.at(-1);
    if (!suggested && query.leaves.length === 1 && !last.isPrefix)
      said.push("Names that begin so: ", askLink(last.text + "*"), ".");
    else if (!suggested) said.push("Fewer words, or the start of one with a *, find more.");
  } else {
    if (any) said.push("No file has all of these words; these have some. ");
    said.push(files === 1 ? "1 file" : `${files.toLocaleString("en")} files`);
    said.push(results.length < files ? `, the first ${results.length} results.` : ".");
    if (partial) said.push(" It stands in so many that only the best are counted.");
  }
  if (suggested) said.push(" Did you mean ", askLink(suggested), "?");
  if (query.unsupported.length)
    said.push(" A site takes words, prefix*, NOT, OR and paths; of ", element("code", "", query.unsupported.join(" ")),
              " it takes the words alone. On the command line: ",
              element("code", "", `kwsearch ${quotedForShell(input.value.trim())}`));
  status.replaceChildren(...said);
}

function setUrl(text, how) {
  const url = new URL(location.href);
  if (text) url.searchParams.set("q", text);
  else url.searchParams.delete("q");
  url.hash = "";
  if (url.href !== location.href && !isMissingPage) history[how](null, "", url);
}

const pageTitle = document.title;
function setTitle(text) {
  document.title = text ? `${text} · ${pageTitle}` : pageTitle;
}

// The answer to a query and its list. After a new deployment the head that a browser has kept names
// chunks that are gone: it is loaded once more, past every cache.
async function answerOf(text, wanted) {
  const from = index;
  try {
    const answer = await search(from, text, wanted);
    const items = await Promise.all(answer.results.map((r) => itemOf(from, answer.query, r)));
    const isPoor = !answer.results.length || answer.any;
    const suggested = isPoor ? await suggestion(from, answer.query) : "";
    mayReload = true;
    return {answer, items, suggested};
  } catch (error) {
    if (from !== index) return answerOf(text, wanted);  // another query has done it
    if (!mayReload) throw error;
    mayReload = false;
    index = new Index((name) => load(name, name === "head" ? `?${Date.now()}` : ""));
    return answerOf(text, wanted);
  }
}

async function ask(wanted) {
  const text = input.value.trim(), number = ++asked;
  for (const button of document.querySelectorAll(".kw-more")) button.remove();
  setUrl(text, "replaceState");
  setTitle(text);
  if (!text) {
    list.replaceChildren();
    status.replaceChildren();
    shownFor = null;
    return;
  }
  list.setAttribute("aria-busy", "true");
  const late = setTimeout(() => status.textContent = "Searching…", kPatience);
  try {
    const {answer, items, suggested} = await answerOf(text, wanted);
    if (number !== asked) return;
    list.replaceChildren(...items);
    say(answer, suggested);
    if (answer.results.length === wanted && wanted < answer.files) addMore(wanted);
    shownFor = text;
  } catch (error) {
    if (number !== asked) return;
    list.replaceChildren();
    status.textContent = `The search could not read its files: ${error.message}.`;
  } finally {
    clearTimeout(late);
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

// Of a URL that leads nowhere: what it calls the page.
function wordsOfUrl() {
  const name = decodeURIComponent(location.pathname).split("/").filter(Boolean).at(-1) || "";
  return tokensOf(name.replace(/\.html?$/, "")).join(" ");
}

function askUrl() {
  const text = isMissingPage ? wordsOfUrl() : new URL(location.href).searchParams.get("q") || "";
  if (text === input.value.trim() && text === (shownFor || "")) return;
  input.value = text;
  ask(kShown);
}
addEventListener("popstate", askUrl);
addEventListener("pageshow", askUrl);
