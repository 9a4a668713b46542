// SPDX-License-Identifier: GPL-2.0-or-later
// A site in a real browser, from file:// and from a server below a prefix:
//   node check_site.js BROWSER SITE
// SITE is the one that tests/integration/site_browser_test.cc exports. Prints a line a check; exit 1 if one
// fails.
"use strict";

const {pathToFileURL} = require("url");
const {start} = require("./browser.js");
const {serve, paths, said, done, ask, Checks} = require("./server.js");

const [program, site] = process.argv.slice(2);
let withoutPolicy = false;  // serve pages whose content security policy has been taken away
let staleHead = false;  // serve a head that names chunks which are not there

function change(name, bytes, url) {
  if (staleHead && name.endsWith("/head.js") && !url.includes("?"))
    return bytes.toString().replace(/chunks:{.*?}/, (names) => names.replace(/"[a-z2-7]+"/g,
      (text) => `"${"a".repeat(text.length - 2)}"`));
  if (withoutPolicy && name.endsWith(".html"))
    return bytes.toString().replace(/<meta http-equiv=Content-Security-Policy[^>]*>/, "");
  return bytes;
}

const checks = new Checks(), expect = checks.expect.bind(checks);
const focused = `document.activeElement.textContent || document.activeElement.id`;

const kMeta = "docs/aot/schemas.py_docs.md";

async function checkSearch(page, base) {
  await page.go(base + "search.html");
  await page.key("/", "/");
  expect("/ leads to the search", await page.value(focused), "kw-query");
  await page.type("ViewAndMutationMeta");
  await page.until(done("ViewAndMutationMeta"));
  expect("a name: its definition first", (await page.value(paths)).slice(0, 2),
         [kMeta, "docs/aot/use.py_docs.md"]);
  expect("its kind and line", await page.value(`document.querySelector(".kw-about").textContent`),
         "defines class ViewAndMutationMeta, line 6");
  expect("announced", await page.value(said), "2 files.");
  expect("the query is in the URL", await page.value(`new URL(location.href).search`),
         "?q=ViewAndMutationMeta");
  await page.key("ArrowDown");
  expect("down to the first result", await page.value(focused), kMeta);
  await page.key("ArrowDown");
  await page.key("ArrowUp");
  await page.key("ArrowUp");
  expect("and up again", await page.value(focused), "kw-query");
  await page.key("ArrowDown");
  await page.key("Escape");
  expect("Escape leads back", await page.value(focused), "kw-query");
  await page.key("ArrowDown");
  await page.key("Enter");
  await page.until(`location.pathname.endsWith("schemas.py_docs.md.html")`);
  expect("Enter opens it at its line", await page.value(`location.hash`), "#L6");
  await page.until(`document.readyState === "complete"`);
  expect("the line is there", await page.value(`!!document.querySelector("[id='L6']")`), true);
  expect("what it defines leads to its uses",
         await page.value(`document.querySelector("[id='L6'] b a").href`),
         base + "search.html?q=ViewAndMutationMeta");

  await page.leave(`history.back()`);
  await page.until(`document.readyState === "complete" && location.pathname.endsWith("search.html") &&
    ${done("ViewAndMutationMeta")}`);
  expect("back: the question and its answer", (await page.value(paths))[0], kMeta);
  await ask(page, "viewandmutationmeta");
  expect("folded", (await page.value(paths))[0], kMeta);
  await ask(page, "view mutation");
  expect("two words: as kwsearch ranks them", await page.value(paths), [kMeta, "docs/guide.md", "docs/aot/use.py_docs.md"]);
  expect("both are marked", await page.value(`[...document.querySelector(".kw-about code")
    .querySelectorAll("mark")].map((m) => m.textContent)`), ["View", "Mutation"]);
  await ask(page, "ViewAndM*");
  expect("by its start", (await page.value(paths))[0], kMeta);
  await ask(page, "nosuchname");
  expect("nothing", [await page.value(paths), await page.value(said)],
         [[], "Nothing found. Names that begin so: nosuchname*."]);
  await ask(page, "\"exact\"");
  expect("other syntax is named, with the command line that takes it",
         (await page.value(said)).endsWith(`of "exact" it takes the words alone. On the command line: kwsearch '"exact"'`),
         true);
  await ask(page, "def:merge");
  expect("def: finds what is defined", await page.value(paths), [kMeta]);
  await ask(page, "def:Fourth");
  expect("and nothing else", await page.value(paths), []);
  await ask(page, "section:fourth");
  expect("section:", await page.value(paths), ["docs/contents.md"]);
  await ask(page, "path:aot ViewAndMutationMeta");
  expect("path:", await page.value(paths), [kMeta, "docs/aot/use.py_docs.md"]);
  await ask(page, "schemas.py_docs.md");
  expect("a file by its name", [(await page.value(paths))[0],
         await page.value(`document.querySelector(".kw-about").textContent`)], [kMeta, "file"]);
  await ask(page, "aot/schemas.py_docs.md:7");
  expect("a line of a file", await page.value(`document.querySelector(".kw-result > a").hash`), "#L7");
  await ask(page, "VeiwAndMutationMeta");
  expect("a slip in a word", await page.value(said), "Nothing found.  Did you mean ViewAndMutationMeta?");
  await page.leave(`document.querySelector("#kw-status a").click()`);
  await page.until(done("ViewAndMutationMeta"));
  await ask(page, "ViewAndMutationMeta NOT merge");
  expect("NOT", await page.value(paths), ["docs/aot/use.py_docs.md"]);
  await ask(page, "merge OR Fourth");
  expect("OR", (await page.value(paths)).sort(), [kMeta, "docs/contents.md"]);
  await ask(page, "schemas nosuchname");
  expect("some words", /No file has all/.test(await page.value(said)), true);
  await page.key("Escape");
  await page.until(`${said} === "" && location.search === ""`);
  expect("Escape clears", await page.value(`document.getElementById("kw-query").value`), "");

  await checkLines(page);
  await checkFilters(page);
  await page.key("/", "/");
  await page.key("Escape");
  // Enter right behind the word: the answer is waited for, and no older one opens.
  await page.type("ViewAndMutationMeta");
  await page.key("Enter");
  await page.until(`location.pathname.endsWith("schemas.py_docs.md.html")`);
}

async function checkLines(page) {
  await ask(page, "merge");
  await page.until(`document.querySelector(".kw-lines.there")`);
  expect("a result has its best lines", await page.value(`[...document.querySelectorAll(".kw-lines a")].map((line) =>
    [line.textContent, line.hash])`), [["9def merge(self, other):", "#L9"]]);
  expect("with the word marked", await page.value(`document.querySelector(".kw-lines mark").textContent`), "merge");
}

async function checkFilters(page) {
  const buttons = `[...document.querySelectorAll("#kw-filters button")].map((one) => one.textContent)`;
  const press = (text) => page.leave(`[...document.querySelectorAll("#kw-filters button")]
    .find((one) => one.textContent.startsWith(${JSON.stringify(text)})).click()`);
  await ask(page, "view");
  await page.until(`${buttons}.includes("python 2")`);
  expect("filters have their counts", await page.value(buttons),
         ["Definitions 1", "Titles, headings, paths 1", "Uses of the name 1", "markdown 3", "python 2"]);
  await press("python");
  await page.until(done("view lang:python"));
  expect("a filter is a word of the query", (await page.value(paths)).sort(), [kMeta, "docs/aot/use.py_docs.md"]);
  await page.until(`document.querySelector("#kw-filters [aria-pressed=true]")`);
  await press("python");
  await page.until(done("view"));
  await page.until(`${buttons}.includes("Definitions 1")`);
  await press("Definitions");
  await page.until(`new URL(location.href).searchParams.get("kind") === "definition" && ${paths}.length === 1`);
  expect("a kind is in the URL", await page.value(paths), [kMeta]);
  await ask(page, "view folder:docs/aot");
  expect("folder:", (await page.value(paths)).sort(), [kMeta, "docs/aot/use.py_docs.md"]);
}

async function checkPanel(page, base) {
  const found = `[...document.querySelectorAll(".kw-panel .kw-result > a")].map((a) => a.textContent)`;
  await page.go(base + "docs/contents.md.html");
  await page.key("/", "/");
  await page.type("ViewAndMutationMeta");
  await page.until(`${found}.at(-1) === "All results: 2 files"`);
  expect("results on every page", await page.value(found),
         [kMeta, "docs/aot/use.py_docs.md", "All results: 2 files"]);
  await page.key("ArrowDown");
  expect("down to the first", await page.value(focused), kMeta);
  await page.key("Escape");
  expect("Escape leads back", await page.value(focused), "kw-query");
  await page.key("Escape");
  await page.until(`document.querySelector(".kw-panel").hidden`);
  expect("and clears", await page.value(`document.getElementById("kw-query").value`), "");
  await page.type("ViewAndMutationMeta");
  await page.key("Enter");
  await page.until(`location.pathname.endsWith("schemas.py_docs.md.html") && document.readyState === "complete"`);
  await page.until(`document.querySelector(".kw-marks")`);
  expect("the words are marked on the page", await page.value(
    `[...document.querySelectorAll("#Text mark")].map((mark) => mark.textContent)`), ["ViewAndMutationMeta"]);
  expect("the search is kept", await page.value(`document.getElementById("kw-query").value`), "ViewAndMutationMeta");
  await page.leave(`document.querySelector(".kw-marks [aria-label^=Next]").click()`);
  expect("a way to the next", await page.value(`document.querySelector(".kw-marks").textContent`), "1 of 1↑↓✕");
  await page.leave(`document.querySelector(".kw-marks [aria-label^=No]").click()`);
  expect("and none", await page.value(`document.querySelectorAll("#Text mark, .kw-marks").length`), 0);
}

async function checkHostile(page, base) {
  await page.go(base + "search.html?q=hostile_name");
  await page.until(done("hostile_name"));
  expect("a path of markup is text", (await page.value(paths))[0],
         "<script>alert(1)</script><img src=x onerror=alert(2)>.py");
  expect("and makes no element", await page.value(
    `document.querySelectorAll("#kw-results script, #kw-results img").length`), 0);
  await page.key("ArrowDown");
  await page.leave(`document.querySelector(".kw-result > a").click()`);
  await page.until(`document.title.includes("onerror") && document.readyState === "complete"`);
  expect("its page opens", await page.value(`document.querySelectorAll("img").length`), 0);
  const query = "<img src=x onerror=alert(3)>";
  await page.go(base + "search.html?q=" + encodeURIComponent(query));
  await page.until(done(query));
  expect("a query of markup is text", await page.value(
    `document.querySelectorAll("main img").length`), 0);
}

async function checkDocuments(page, base) {
  await page.go(base + "docs/hostile.md.html");
  expect("a hostile document ends where it ends",
         await page.value(`document.getElementById("Text").textContent.trimEnd().endsWith("the last line")`),
         true);
  expect("and holds nothing that acts", await page.value(`[...document.querySelectorAll(
    "#Text :is(script, style, iframe, object, embed, form, svg, math, link, meta, base, [style], [srcdoc])")]
    .length`), 0);
  expect("no attribute either", await page.value(`[...document.querySelectorAll("#Text *")].flatMap((e) =>
    e.getAttributeNames().filter((name) => name.startsWith("on") ||
      (["href", "src"].includes(name) && !/^(?:https?|file|mailto):$/.test(new URL(e[name], location).protocol))))`), []);
  expect("a drawing of the tree is shown, one that acts is not", await page.value(
    `[...document.querySelectorAll("#Text img")].map((img) => [img.alt, img.naturalWidth])`), [["good", 9]]);
  await page.value(`document.querySelectorAll("#Text details, #Text a").forEach((e) => e.focus())`);
}

async function checkFinder(page, base) {
  const found = `[...document.querySelectorAll(".kw-finder a")].map((link) => link.textContent)`;
  await page.go(base + "docs/contents.md.html");
  await page.key("t", "t");
  await page.until(`${found}.length > 3`);
  await page.type("use");
  await page.until(`${found}.length === 1`);
  expect("t finds a file by a part of its name", await page.value(found), ["docs/aot/use.py_docs.md"]);
  await page.key("Enter");
  await page.until(`location.pathname.endsWith("use.py_docs.md.html") && document.readyState === "complete"`);
  await page.key("t", "t");
  await page.until(`${found}.length > 3`);
  await page.type("onerror");
  await page.until(`${found}.length === 1`);
  expect("a name of markup is text", await page.value(`document.querySelectorAll(".kw-finder img").length`), 0);
  await page.key("Enter");
  await page.until(`document.title.includes("onerror") && document.readyState === "complete"`);
}

async function checkPage(page, base) {
  await page.go(base + "index.html?q=ViewAndMutationMeta");
  await page.until(`location.pathname.endsWith("search.html") && document.readyState === "complete" &&
    ${done("ViewAndMutationMeta")}`);
  expect("an old link to a search on the home", (await page.value(paths))[0], kMeta);
  expect("the results' own title", await page.value("document.title"), "ViewAndMutationMeta · Search · tree");

  await page.size(1440, 900);
  await page.go(base + "docs/contents.md.html");
  expect("the contents are open beside the text", await page.value(`document.querySelector(".fold").open`), true);
  const here = `(document.querySelector(".contents [aria-current]") || {}).textContent`;
  expect("no section yet", await page.value(here), undefined);
  await page.value(`document.getElementById("third").scrollIntoView()`);
  await page.until(`${here} === "Third"`);
  const before = await page.value("getComputedStyle(document.body).backgroundColor");
  await page.leave(`document.querySelector(".kw-theme").click()`);
  const after = await page.value("getComputedStyle(document.body).backgroundColor");
  expect("other colours", before === after, false);
  await page.go(base + "docs/aot/use.py_docs.md.html");
  expect("stay on the next page", await page.value("getComputedStyle(document.body).backgroundColor"), after);
  await page.leave(`document.querySelector(".kw-theme").click()`);
  await page.size(390, 800);
  await page.go(base + "docs/contents.md.html");
  expect("the contents are folded on a phone", await page.value(`document.querySelector(".fold").open`), false);

  await page.size(1440, 900);
  await page.value(`location.hash = "#L5-L7"`);
  await page.until(`document.querySelector(".marked")`);
  const marked = `[...document.querySelectorAll(".marked")].map((line) => line.textContent.trim())`;
  expect("a range of lines is marked", await page.value(marked), ["two", "", "four"]);
  const click = (line, keys) => page.value(`(() => {
    const list = document.querySelector("ol.code"), box = list.children[${line}].getBoundingClientRect();
    list.dispatchEvent(new MouseEvent("click", {bubbles: true, clientX: box.left - 9, clientY: box.top + 5, ...${keys}}));
  })()`);
  await click(0, "{}");
  expect("a click on a number", [await page.value("location.hash"), await page.value(marked)], ["#L4", ["one"]]);
  await click(2, "{shiftKey: true}");
  expect("with shift: a range", [await page.value("location.hash"), await page.value(marked)],
         ["#L4-L6", ["one", "two", ""]]);
  await page.value(`navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }`);
  await page.leave(`document.querySelector(".block .kw-copy").click()`);
  await page.until(`document.querySelector(".block .kw-copy").textContent === "Copied"`);
  expect("a block is copied as it is", await page.value("copied"), "one\ntwo\n\nfour\n");
}

// Of a long text what is out of sight is laid out when the reader scrolls: places stay where they are.
async function checkLongText(page, base) {
  const top = `Math.round(document.getElementById("third").getBoundingClientRect().top)`;
  await page.go("about:blank");
  await page.go(base + "docs/contents.md.html#fourth");
  await page.until(`(() => {
    const {top} = document.getElementById("fourth").getBoundingClientRect();
    return top >= 0 && top < innerHeight;
  })()`);
  await page.until(`[...document.querySelectorAll("#Text > *")].every(({style}) => style.contentVisibility === "visible")`);
  expect("an anchor stays in sight", await page.value(`(() => {
    const {top} = document.getElementById("fourth").getBoundingClientRect();
    return top >= 0 && top < innerHeight;
  })()`), true);
  await page.value(`document.getElementById("third").scrollIntoView()`);
  const before = await page.value(top);
  await page.leave(`location.reload()`);
  await page.until(`document.querySelector("[data-whole]") && document.readyState === "complete"`);
  const isThere = `Math.abs(${top} - ${before}) < 2`;  // browsers round
  await page.until(isThere);
  expect("a page that is loaded again stands where it stood", await page.value(isThere), true);
}

// Long code is lists that are laid out in sight only.
async function checkLongCode(page, base) {
  const marked = `[...document.querySelectorAll(".marked")].map((line) => line.textContent.trim())`;
  const isInSight = (id) => `(() => {
    const {top} = document.getElementById("${id}").getBoundingClientRect();
    return top >= 0 && top < innerHeight;
  })()`;
  await page.go(base + "src/long.c.html#L2500");
  await page.until(isInSight("L2500"));
  expect("an anchor far below is in sight", await page.value(marked), ["long line_2500();"]);
  await page.value(`location.hash = "#L1199-L1202"`);
  await page.until(`document.querySelectorAll(".marked").length === 4 && ${isInSight("L1200")}`);
  expect("a range over two lists", await page.value(marked), [1199, 1200, 1201, 1202].map((n) => `long line_${n}();`));
  await page.value(`navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }`);
  await page.leave(`document.querySelector(".facts .kw-copy").click()`);
  await page.until("globalThis.copied");
  expect("all of it is copied", await page.value("copied.split('\\n').length"), 3001);
  await page.go(base + "src/long.c.html");
  await page.until(`document.querySelectorAll(".code li").length === 3000`);
  expect("all lines are there when there is time", await page.value(`!document.querySelector(".code noscript")`), true);
  await page.go(base + "src/long.c.html?q=line_2900");
  await page.until(`document.querySelector(".kw-marks")`);
  expect("a word far below is marked", await page.value(`document.querySelector("mark").closest("li").id`), "L2900");
  await page.go(base + "src/long.c.html#L9999");
  await page.until(`document.querySelectorAll(".code li").length === 3000`);
  expect("a line that is not there leads to the begin", await page.value("scrollY"), 0);
  await page.go("about:blank");
}

// The definitions around the first line in sight stand below the bar, and cover no line that a link leads to.
async function checkContext(page, base) {
  const shown = `[...document.querySelectorAll("nav.context:not([hidden]) a")].map((link) => link.textContent.trim())`;
  const bring = (line) => page.value(`scrollBy(0, document.getElementById("L${line}").getBoundingClientRect().top -
    document.querySelector("header").offsetHeight)`);
  const around = ["1class Outer {", "3  int inner(int a)"];
  await page.go(base + "src/around.cc.html");
  expect("the first line has nothing around it", await page.value(shown), []);
  for (const line of [30, 90, 107]) {
    await bring(line);
    await page.until(`${shown}.length === 2`);
    expect(`what is around line ${line}`, await page.value(shown), around);
  }
  await bring(120);
  await page.until(`${shown}.length === 0`);
  expect("behind its end a definition is not shown", await page.value(shown), []);
  await page.value(`location.hash = "#L60"`);
  await page.until(`${shown}.length === 2`);
  expect("a line that a link leads to is not covered", await page.value(`document.getElementById("L60").getBoundingClientRect().top >=
    document.querySelector("nav.context").lastElementChild.getBoundingClientRect().bottom - 1`), true);
  await page.leave(`document.querySelector("nav.context a").click()`);
  await page.until(`location.hash === "#L1"`);
  expect("a click leads to the definition", await page.value("location.hash"), "#L1");
}

// Where a name is defined and used, by click and by keyboard; what its definition says of itself.
async function checkNames(page, base) {
  const links = `[...document.querySelectorAll(".kw-names li a")].map((link) => [link.textContent, link.hash])`;
  const isThere = (count) => `(document.querySelector(".kw-names") || {}).hidden === false && ${links}.length === ${count} &&
    /All results/.test(document.querySelector(".kw-names").textContent)`;
  await page.go(base + "src/docs.py.html");
  await page.value(`document.querySelector("[id='L1'] b a").focus()`);
  await page.key("Enter");
  await page.until(isThere(4));
  expect("a name: its definition and its uses", await page.value(links), [["src/docs.py:1", "#L1"], ["src/other.py", "#L1"],
         ["1from docs import Documented", "#L1"], ["3thing = Documented()", "#L3"]]);
  expect("what it says of itself", await page.value(`document.querySelector(".kw-names li p").textContent`), "Says what it is.");
  await page.key("ArrowDown");
  expect("arrows go through them", await page.value(focused), "src/docs.py:1");
  await page.key("Escape");
  expect("Escape leads back", [await page.value(`document.querySelector(".kw-names").hidden`), await page.value(focused)],
         [true, "Documented"]);
  await page.go(base + "src/other.py.html");
  const use = `document.querySelector("[id='L3'] > a")`;
  await page.value(`${use}.focus()`);
  await page.until(`${use}.title`);
  expect("what a used name's definition says", await page.value(`${use}.title`), "class, line 1\nSays what it is.");
  await page.key("i", "i");
  await page.until(isThere(4));
  await page.leave(`document.querySelector(".kw-names li a").click()`);
  await page.until(`location.pathname.endsWith("src/docs.py.html") && location.hash === "#L1" && document.readyState === "complete"`);
  expect("a place opens at its line", await page.value(`document.querySelector(".marked").textContent.trim()`), "class Documented:");
  expect("reserved words are marked", await page.value(`document.querySelector("#Text u").textContent`), "class");
}

// A browser that has kept the head of the search from an older deployment.
async function checkStaleHead(browser, base) {
  const page = await browser.open();
  staleHead = true;
  await page.go(base + "search.html?q=ViewAndMutationMeta");
  await page.until(done("ViewAndMutationMeta"));
  expect("chunks of an older head are gone: it is loaded again", (await page.value(paths))[0], kMeta);
  expect("past the cache", page.requests.filter((url) => /head\.js\?/.test(url)).length, 1);
  staleHead = false;
  await page.close();
}

// Nothing may run because of the policy alone.
async function checkWithoutPolicy(browser, base) {
  const page = await browser.open();
  withoutPolicy = true;
  await checkHostile(page, base);
  await checkDocuments(page, base);
  expect("it had no policy", await page.value(`!document.querySelector("meta[http-equiv]")`), true);
  expect("without a policy: nothing ran", page.complaints, []);
  withoutPolicy = false;
  await page.close();
}

async function checkOtherPages(page, base) {
  await page.go(base + "docs/aot/use.py_docs.md.html");
  await page.key("/", "/");
  await page.type("view mutation");
  await page.until(`/q=view%20mutation$/.test((document.querySelector(".kw-panel .kw-all a") || {}).href)`);
  await page.leave(`document.querySelector(".kw-panel .kw-all a").click()`);
  await page.until(`location.pathname.endsWith("search.html") && document.readyState === "complete" &&
    ${done("view mutation")}`);
  expect("all results have a page of their own", (await page.value(paths))[0], kMeta);
  for (const [width, height] of [[320, 640], [1600, 900]]) {
    await page.size(width, height);
    for (const name of ["search.html?q=view", "docs/aot/schemas.py_docs.md.html", "docs/index.html"]) {
      await page.go(base + name);
      if (name.includes("?")) await page.until(done("view"));
      expect(`${name} fits ${width} pixels`,
             await page.value(`document.documentElement.scrollWidth <= innerWidth`), true);
    }
  }
}

async function checkWithoutScript(browser, base) {
  const page = await browser.open();
  if (!page.withoutScript) return page.close();  // Firefox has no command for it
  await page.withoutScript();
  await page.go(base + "search.html");
  expect("without JavaScript it says so", await page.has("noscript p"), true);
  expect("and has links", await page.has("main a[href]"), true);
  await page.go(base + "docs/aot/schemas.py_docs.md.html");
  expect("a file page has its lines", await page.has("[id='L6']"), true);
  expect("without JavaScript: nothing in the console", page.complaints, []);
  await page.close();
}

async function main() {
  const server = await serve(site, {change}), browser = await start(program);
  try {
    for (const base of [pathToFileURL(site).href + "/", server.base]) {
      console.log(`# ${base.startsWith("file:") ? "file:" : "http:"}`);
      const page = await browser.open();
      for (const check of [checkSearch, checkHostile, checkDocuments, checkPage, checkFinder, checkPanel, checkLongText, checkLongCode, checkContext,
                           checkNames, checkOtherPages]) await check(page, base);
      expect("nothing in the console", page.complaints, []);
      expect("no request to elsewhere",
             page.requests.filter((url) => !url.startsWith(base) && !/^(?:about|data):|\/favicon\.ico$/.test(url)), []);
      await page.close();
      await checkWithoutScript(browser, base);
      if (!base.startsWith("http:")) continue;
      await checkStaleHead(browser, base);
      await checkWithoutPolicy(browser, base);
    }
  } catch (error) {
    ++checks.failed;
    console.log(`FAILED ${error.stack}`);
  } finally {
    await browser.close();
    server.close();
  }
  process.exitCode = checks.failed ? 1 : 0;
}

main();
