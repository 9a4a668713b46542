// SPDX-License-Identifier: GPL-2.0-or-later
// A server of a site on this machine, below a prefix as a project's pages have one, and what its search shows.
"use strict";

const fs = require("fs");
const http = require("http");
const path = require("path");

const kTypes = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css",
                ".svg": "image/svg+xml"};
const kPrefix = "/some/pre fix/";

// Gives {base, close}. `headers` go with all that is sent; `change(name, bytes, url)` gives what is sent for a
// file; its 404.html, if there is one, is sent for what is not there.
function serve(site, {headers = {}, change = (name, bytes) => bytes} = {}) {
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const read = (file) => fs.existsSync(file) && fs.statSync(file).isFile() ? fs.readFileSync(file) : null;
    const bytes = name.startsWith(kPrefix) ? read(path.join(site, name.slice(kPrefix.length))) : null;
    const missing = bytes ? null : read(path.join(site, "404.html"));
    const type = kTypes[path.extname(missing ? "404.html" : name)] || "text/plain";
    response.writeHead(bytes ? 200 : 404, {...headers, "Content-Type": type});
    response.end(bytes ? change(name, bytes, request.url) : missing || "");
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve({
    base: `http://127.0.0.1:${server.address().port}${encodeURI(kPrefix)}`, close: () => server.close()})));
}

// --- expressions in a page that searches, and a question to it -----------------------------------------

const paths = `[...document.querySelectorAll("#kw-results .kw-result > a")].map((a) => a.textContent)`;
const said = `document.getElementById("kw-status").textContent`;
const done = (text) => `document.getElementById("kw-query").value === ${JSON.stringify(text)} &&
  new URL(location.href).searchParams.get("q") === ${JSON.stringify(text)} &&
  !document.getElementById("kw-results").hasAttribute("aria-busy") && ${said} !== ""`;

async function ask(page, text) {
  await page.value(`document.getElementById("kw-query").select()`);
  await page.value(`document.getElementById("kw-query").focus()`);
  await page.type(text);
  await page.until(done(text));
}

// Counts what holds: expect() prints a line a check, `failed` is how many did not hold.
class Checks {
  constructor() {
    this.failed = 0;
  }
  expect(what, got, wanted) {
    const fine = JSON.stringify(got) === JSON.stringify(wanted);
    if (!fine) ++this.failed;
    console.log(`${fine ? "ok" : "FAILED"} ${what}${fine ? "" : `: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`}`);
  }
}

module.exports = {serve, paths, said, done, ask, Checks};
