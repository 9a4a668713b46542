// SPDX-License-Identifier: GPL-2.0-or-later
// The index as a page loads it, and the search for a file by its name: `t` opens it on every page.

// Script elements load from file: as well as from a server.
const waiting = new Map();
globalThis.kwShard = (name, data) => {
  const wait = waiting.get(name);
  if (wait) wait.resolve(data);
};
function load(name, query = "") {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script"), wait = {};
    const end = (act) => (value) => {
      if (waiting.get(name) === wait) waiting.delete(name);  // else the same is loaded once more
      script.remove();
      act(value);
    };
    wait.resolve = end(resolve);
    waiting.set(name, wait);
    script.onerror = end(() => reject(new Error(`search/${name}.js did not load`)));
    script.onload = end(() => reject(new Error(`search/${name}.js is damaged`)));
    script.src = `${root}/search/${name}.js${query}`;
    document.head.append(script);
  });
}

let index = new Index(load), mayReload = true, renewal = null;

// Loads what this page is made of past the browser's cache: the next time that it is opened, it is as new as its site.
function renew() {
  const names = ["search.html", `kwpage.js?${kSearchVersion}`, `kwsearch.js?${kSearchVersion}`, "kwtheme.js", "style.css"];
  const urls = [location.href.replace(/#.*/, ""), ...names.map((name) => `${root}/${name}`)];
  return renewal = renewal || Promise.allSettled(urls.map((url) => fetch(url, {cache: "reload"})));
}

// What `use` makes of the index. After a new deployment the head that a browser or this page has kept names chunks
// that are gone: it is loaded once more, past every cache, and `use` called again. Numbers of files mean nothing to
// another head, so all of an answer comes from the one that `use` is given.
async function withIndex(use) {
  const from = index;
  try {
    const made = await use(from);
    mayReload = true;
    return made;
  } catch (error) {
    if (from !== index) return withIndex(use);  // another query has loaded it
    if (!mayReload && error instanceof StaleScript) await renew();
    if (!mayReload) throw error;
    mayReload = false;
    index = new Index((name) => load(name, name === "head" ? `?${Date.now()}` : ""));
    return withIndex(use);
  }
}

const kFilesShown = 20;
let finder = null;

// How well a path fits the words typed: lower is better, Infinity does not. All words must stand in it, or
// all letters in their order; the name of the file counts more than its folders, a short path more than a
// long one.
function distanceOf(path, words) {
  const lower = path.toLowerCase(), name = lower.slice(lower.lastIndexOf("/") + 1);
  if (words.every((word) => lower.includes(word)))
    return lower.length + (words.every((word) => name.includes(word)) ? name.startsWith(words[0] || "") ? 0 : 300 : 1000);
  let at = 0;
  for (const letter of words.join("")) {
    at = lower.indexOf(letter, at) + 1;
    if (!at) return Infinity;
  }
  return lower.length + 4000;
}

async function itemsOf(from, words) {
  const paths = await (await from.open()).paths();
  const best = paths.map(({path}, file) => ({file, path, far: distanceOf(path, words)}))
    .filter(({far}) => far < Infinity).sort((a, b) => a.far - b.far || a.file - b.file).slice(0, kFilesShown);
  return Promise.all(best.map(async ({file, path}) => {
    const link = element("a", "", path);
    link.href = `${root}/${paths[file].page || (await from.details(file)).page}`;
    return element("li", "", link);
  }));
}

function makeFinder() {
  const field = element("input"), found = element("ul"), said = element("p", "kw-said");
  const dialog = element("dialog", "kw-finder", field, said, found);
  field.type = "search";
  field.ariaLabel = field.placeholder = "Find a file by its name";
  said.role = "status";
  dialog.ariaLabel = "Find a file";
  document.body.append(dialog);
  const links = () => [...found.querySelectorAll("a")];
  let asked = 0;
  const show = async () => {
    const number = ++asked, words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    try {
      const items = await withIndex((from) => itemsOf(from, words));
      if (number !== asked) return;
      found.replaceChildren(...items);
      said.textContent = items.length ? "" : "No file has such a name.";
    } catch (error) {
      said.textContent = `The list of files could not be read: ${error.message}.`;
    }
  };
  field.addEventListener("input", show);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("keydown", async (event) => {
    const all = links(), at = all.indexOf(document.activeElement);
    if (event.key === "ArrowDown" && all[at + 1]) all[at + 1].focus();
    else if (event.key === "ArrowUp" && at >= 0) (all[at - 1] || field).focus();
    else if (event.key === "Enter" && at < 0) {
      event.preventDefault();
      await show();
      if (links()[0]) links()[0].click();
      return;
    } else return;
    event.preventDefault();
  });
  return {open() {
    dialog.showModal();
    field.select();
    show();
  }};
}

function openFinder() {
  finder = finder || makeFinder();
  finder.open();
}
