// SPDX-License-Identifier: GPL-2.0-or-later
// A site that is deployed again while tabs have it open, from a server that lets browsers keep everything for ten
// minutes, and from one that lets them keep nothing:
//   node check_deployment.js BROWSER FOLDER KWINDEX KWEXPORT
// Makes a tree and its site in FOLDER, changes the tree, exports it to the same place, and asks in tabs that are as
// old as the first export, and in new ones of the same profile. Each result must lead to the file that it names, or
// to a page that says that it is gone. What a browser has kept it may show as long as it is let: all of it is as old.
// Prints a line a check; exit 1 if one fails.
"use strict";

const {execFileSync} = require("child_process");
const fs = require("fs");
const path = require("path");
const {start} = require("./browser.js");
const {serve, paths, said, done, ask, Checks} = require("./server.js");

const [program, folder, kwindex, kwexport] = process.argv.slice(2);
const tree = path.join(folder, "tree"), site = path.join(folder, "site");
const checks = new Checks(), expect = checks.expect.bind(checks);

// --- the tree and its exports ------------------------------------------------------------------------------

function write(name, text) {
  fs.mkdirSync(path.dirname(path.join(tree, name)), {recursive: true});
  fs.writeFileSync(path.join(tree, name), text);
}
const remove = (name) => fs.rmSync(path.join(tree, name));
const rename = (from, to) => fs.renameSync(path.join(tree, from), path.join(tree, to));

// Files enough for several chunks of each kind, each with words of its own.
function writeMany(from, to) {
  for (let i = from; i < to; ++i) {
    const name = `${"abcdefghij"[i % 10]}${"klmnopqrst"[Math.floor(i / 10) % 10]}${"uvwxyz"[Math.floor(i / 100)]}`;
    const words = Array.from({length: 40}, (_, n) => `${name}${"aeiou"[n % 5]}${"bcdfghjk"[n >> 3]}`).join(" ");
    write(`part-${name}/page.md`, `# Page ${name}\n\nCommon words: ${words}.\n\n## Section ${name}\n\nText.\n`);
    write(`part-${name}/code.c`, `int run_${name}(int common) {\n  return common;\n}\n`);
  }
}

function writeTree() {
  writeMany(0, 150);
  write("guide/alpha.md", "# Alpha\n\nThe meadow of the heron.\n");
  write("guide/beta.md", "# Beta\n\nThe meadow of the otter.\n");
  write("guide/gamma.md", "# Gamma\n\nThe meadow of the badger.\n");
  write("src/lantern.c", "int light_lantern(int oil) {\n  return oil;\n}\n");
}

// Numbers of files change, as do most chunks.
function changeTree() {
  writeMany(150, 250);
  for (const name of ["aku", "bku"]) fs.rmSync(path.join(tree, `part-${name}`), {recursive: true});
  write("a-first/page.md", "# Before all others\n\nThe meadow of the lynx.\n");
  rename("guide/beta.md", "guide/delta.md");
  remove("guide/gamma.md");
  rename("src/lantern.c", "src/lamp.c");
}

function changeTreeAgain() {
  rename("a-first/page.md", "a-first/other.md");
  write("guide/gamma.md", "# Gamma again\n\nThe meadow of the marten.\n");
  for (const name of ["cku", "dku"]) fs.rmSync(path.join(tree, `part-${name}`), {recursive: true});
}

let whereTo;  // since the last export: what is seen at a URL, whatever its query marks

function deploy(base) {
  whereTo = new Map();
  execFileSync(kwindex, ["-q", "--config=", tree]);
  execFileSync(kwexport, ["-q", "--config=", "--db", tree, "--format", "html", "--base-url", base, "--out", site]);
}

// --- what leads where ----------------------------------------------------------------------------------------

const links = `[...document.querySelectorAll("#kw-results .kw-result > a, .kw-panel .kw-result:not(.kw-all) > a, .kw-finder a")]
  .map((link) => [link.textContent, link.href])`;
// What a reader sees where a link has led: the path of the file, or that there is none.
const seen = `(document.querySelector("h1") || {}).textContent === "Page not found" ? "Page not found" :
  [...document.querySelectorAll("nav.path li")].slice(1).map((item) => item.textContent.trim()).join("/")`;
const kMissing = "Page not found";

// Follows what a page shows, in another tab. Returns the files that are found.
async function follow(browser, page, what) {
  const other = await browser.open(), found = [], wrong = [];
  for (const [file, href] of await page.value(links)) {
    const url = href.replace(/[?#].*/, "");
    if (!whereTo.has(url)) {
      await other.go(href);
      whereTo.set(url, await other.value(seen));
    }
    const at = whereTo.get(url);
    if (at !== file && at !== kMissing) wrong.push(`${file} led to ${at}`);
    if (at === file) found.push(file);
  }
  await other.close();
  expect(`${what}: each result leads to its file, or says that it is gone`, wrong, []);
  return found.sort();
}

const kQuestions = ["meadow", "otter", "badger", "lynx", "light_lantern", "run_aku", "run_ckw", "page aku", "beta.md",
                    "Section bku"];

async function askAll(browser, page, what) {
  const found = {};
  for (const text of kQuestions) {
    await page.front();
    await ask(page, text);
    found[text] = await follow(browser, page, `${what}, ${text}`);
  }
  return found;
}

async function askPanel(browser, page, text, what) {
  await page.front();
  await page.value(`document.getElementById("kw-query").focus()`);
  await page.value(`document.getElementById("kw-query").select()`);
  await page.type(text);
  await page.until(`(document.querySelector(".kw-panel .kw-all a") || {search: ""}).search === "?q=${text}"`);
  return follow(browser, page, `${what}, ${text}`);
}

// The finder of files on a page: what it lists for a part of a name.
async function findFiles(browser, page, part, what) {
  await page.front();
  await page.value(`document.activeElement.blur()`);
  await page.key("t", "t");
  await page.until(`document.querySelector(".kw-finder[open]") !== null`);
  await page.type(part);
  await page.until(`(() => {
    const names = [...document.querySelectorAll(".kw-finder a")], said = document.querySelector(".kw-said").textContent;
    return said !== "" || (names.length > 0 && names.every((name) => name.textContent.includes(${JSON.stringify(part)})));
  })()`);
  expect(`${what}: the finder reads its list`, await page.value(`document.querySelector(".kw-said").textContent`), "");
  const found = await follow(browser, page, `${what}, finder`);
  await page.key("Escape");
  return found;
}

// What is found in the end: answers of the tree as it is now.
function expectNow(what, found) {
  expect(`${what}: a renamed document`, found.otter, ["guide/delta.md"]);
  expect(`${what}: a renamed source`, found.light_lantern, ["src/lamp.c"]);
  expect(`${what}: an added document`, found.lynx, ["a-first/other.md"]);
  expect(`${what}: all that have a word`, found.meadow,
         ["a-first/other.md", "guide/alpha.md", "guide/delta.md", "guide/gamma.md"]);
  expect(`${what}: a file that is gone`, found.run_aku, []);
}

// Everything for ten minutes: old tabs and new ones of the profile are answered from what it has.
async function checkKept(browser, base, asked) {
  const tabs = {search: await browser.open(base + "search.html"), document: await browser.open(base + "guide/alpha.md.html")};
  const found = await askAll(browser, tabs.search, "first export");
  expect("first export: all that have a word", found.meadow, ["guide/alpha.md", "guide/beta.md", "guide/gamma.md"]);
  await askPanel(browser, tabs.document, "meadow", "panel, first export");
  expect("the browser keeps what it has", [asked.get("head.js"), asked.get("search.html")], [1, 1]);
  for (const [when, change] of [["second export", changeTree], ["third export", changeTreeAgain]]) {
    change();
    deploy(base);
    await askAll(browser, tabs.search, `${when}, a tab that was asked before`);
    await askPanel(browser, tabs.document, "otter", `${when}, panel`);
    await findFiles(browser, tabs.document, "page.md", when);
    const fresh = await browser.open(base + "search.html");
    await askAll(browser, fresh, `${when}, a new tab`);
    await fresh.close();
  }
}

// Nothing: of what an old tab has not in memory, two exports later the server has nothing either.
async function checkUnkept(browser, base) {
  const tabs = {search: await browser.open(base + "search.html"), document: await browser.open(base + "guide/alpha.md.html")};
  await tabs.search.front();
  await ask(tabs.search, "common");
  await askPanel(browser, tabs.document, "common", "unkept, panel");
  for (const change of [changeTree, changeTreeAgain]) {
    change();
    deploy(base);
  }
  expectNow("an old tab", await askAll(browser, tabs.search, "unkept, an old tab"));
  expect("an old tab without its list of files",
         (await findFiles(browser, tabs.document, "lamp", "unkept")).includes("src/lamp.c"), true);
  expectNow("a new tab", await askAll(browser, await browser.open(base + "search.html"), "unkept, a new tab"));
}

// A site of another version of kwexport, whose script reads what the older one would misread: here, the chunks of
// details in the opposite order.
let isOtherVersion = false;
function otherVersion(name, bytes) {
  if (!isOtherVersion || !/(?:\.js|\.html)$/.test(name)) return bytes;
  const [, version] = /kSearchVersion = "(\w+)"/.exec(fs.readFileSync(path.join(site, "kwsearch.js"), "utf8"));
  const reversed = (names) => names.match(/.{8}/g).reverse().join("");
  return String(bytes).replaceAll(version, "otherone").replace("return {...head, origins,", "chunks.d.reverse(); return {...head, origins,")
    .replace(/(\bd:")(\w+)(",f:)/, (all, before, names, after) => before + reversed(names) + after);
}

// What the browser has kept of the older version answers nothing from the files of the newer one.
async function checkVersions(browser, base) {
  const tabs = {search: await browser.open(base + "search.html"), document: await browser.open(base + "guide/alpha.md.html")};
  await tabs.search.front();
  await ask(tabs.search, "common");
  await askPanel(browser, tabs.document, "common", "older version, panel");
  for (const change of [changeTree, changeTreeAgain]) {
    change();
    deploy(base);
  }
  isOtherVersion = true;
  const isStale = (place) => `/older than the site/.test(document.querySelector("${place}").textContent)`;
  for (const [tab, place] of [["document", ".kw-panel"], ["search", "#kw-status"]]) {
    const page = tabs[tab];
    await page.front();
    await page.value(`document.getElementById("kw-query").focus()`);
    await page.value(`document.getElementById("kw-query").select()`);
    await page.type("lynx");
    await page.until(isStale(place));
    expect(`${tab}: the older script shows no result`, await page.value(`document.querySelectorAll(".kw-result:not(.kw-all)").length`), 0);
    await page.leave(`document.querySelector("${place} a[href*='search.html?q=lynx']").click()`);
    await page.until(`document.getElementById("kw-status") && ${done("lynx")} && !${isStale("#kw-status")}`);
    expect(`${tab}: the page that is loaded is of the newer version`, await page.value(paths), ["a-first/other.md"]);
    expect(`${tab}: it leads to the file`, await follow(browser, page, `newer version, ${tab}`), ["a-first/other.md"]);
  }
  isOtherVersion = false;
}

// One of these under its server, from a new tree on, in a browser of its own.
async function run(what, header, check) {
  console.log(`# ${what}`);
  for (const made of [tree, site]) fs.rmSync(made, {recursive: true, force: true});
  const asked = new Map();
  const server = await serve(site, {headers: {"Cache-Control": header}, change: (name, bytes) => {
    const file = name.replace(/.*\//, "");
    asked.set(file, (asked.get(file) || 0) + 1);
    return otherVersion(name, bytes);
  }});
  const browser = await start(program);
  try {
    writeTree();
    deploy(server.base);
    await check(browser, server.base, asked);
  } catch (error) {
    ++checks.failed;
    console.log(`FAILED ${error.stack}`);
  } finally {
    await browser.close();
    server.close();
  }
}

async function main() {
  await run("kept for ten minutes", "max-age=600", checkKept);
  await run("kept by nobody", "no-store", checkUnkept);
  await run("another version of kwexport", "max-age=600", checkVersions);
  process.exitCode = checks.failed ? 1 : 0;
}

main();
