// SPDX-License-Identifier: GPL-2.0-or-later
// Runs the site's script without a browser:
//   node check_script.js SCRIPT splitter TABLE          the table's cases; prints those that differ
//   node check_script.js SCRIPT docs TABLE              likewise, of what definitions say of themselves
//   node check_script.js SCRIPT answers SHARDS QUERIES  for each line of QUERIES one of JSON: paths,
//                                                       place shown, names and sizes of shards read
"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");
const zlib = require("zlib");

const [script, mode, input, queries] = process.argv.slice(2);
const kw = require(path.resolve(script));
const lines = (file) => fs.readFileSync(file, "utf8").split("\n").filter((line) => line !== "");

function checkSplitter() {
  const does = {
    tokens: (text) => kw.tokensOf(text).join(" "),
    fold: kw.fold,
    plain: (text) => kw.stripMarks(kw.fold(text)),
    key: kw.nameKey,
    words: (text) => kw.splitName(text).join(" "),
    stem: (text) => {
      const stem = kw.stem(text);
      return text.startsWith(kw.startOfWords(stem)) ? stem : `${stem}, and does not begin so`;
    },
  };
  let failed = 0;
  for (const line of lines(input)) {
    if (line.startsWith("#")) continue;
    const [what, text, expected, why] = line.split("\t");
    const got = does[what](text);
    if (got === expected) continue;
    ++failed;
    console.log(`${what} ${text}: ${got}, not ${expected}: ${why}`);
  }
  process.exitCode = failed ? 1 : 0;
}

function checkDocs() {
  for (const line of lines(input)) {
    if (line.startsWith("# A text")) continue;
    const [text, number, expected, why] = line.split("\t"), got = kw.docOf(text.replaceAll("\\n", "\n"), 1, Number(number));
    if (got === expected) continue;
    process.exitCode = 1;
    console.log(`${why}: '${got}', not '${expected}'`);
  }
}

async function answer() {
  const sizes = new Map();
  const load = async (name) => {
    const bytes = fs.readFileSync(path.join(input, `${name}.js`));
    sizes.set(name, bytes);
    let loaded;
    vm.runInNewContext(bytes.toString(), {kwShard: (_, data) => loaded = data});
    return loaded;
  };
  for (const query of lines(queries)) {
    const index = new kw.Index(load);
    sizes.clear();
    const begun = process.hrtime.bigint();
    const found = await kw.search(index, query, 10);
    const searched = process.hrtime.bigint();
    const details = await Promise.all(found.results.map((result) => index.details(result.file)));
    const also = [];
    for (const result of found.results)
      also.push(await Promise.all(result.also.map(async (f) => (await index.details(f)).path)));
    let again = 0;  // with everything read: what the search itself takes
    if (process.env.KW_TIMES) {
      const from = process.hrtime.bigint();
      await kw.search(index, query, 10);
      again = Number(process.hrtime.bigint() - from) / 1e6;
    }
    console.log(JSON.stringify({
      query, files: found.files, any: found.any, partial: found.partial,
      paths: details.map((d) => d.path), also,
      scores: found.results.map((result) => result.score),
      places: details.map((d, i) => kw.bestPlace(found.query, d, found.results[i].tier).line),
      ms: Number(searched - begun) / 1e6, again,
      bytes: process.env.KW_TIMES
        ? [...sizes.values()].reduce((sum, bytes) => sum + zlib.gzipSync(bytes).length, 0) : 0,
    }));
  }
}

if (mode === "splitter") checkSplitter();
else if (mode === "docs") checkDocs();
else answer();
