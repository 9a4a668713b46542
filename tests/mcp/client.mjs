// SPDX-License-Identifier: GPL-2.0-or-later
// Asks kwsearch --serve-stdio with the client of the Model Context Protocol's own SDK, and compares its
// answers with the command line's. Run by tools/check_mcp, which installs the SDK.
//
// usage: node client.mjs KWSEARCH TREE     (the folder of node_modules is the current one)
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";

const require = createRequire(process.cwd() + "/x.js");
const load = (name) => import(pathToFileURL(require.resolve(name)).href.replace("/cjs/", "/esm/"));
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");

const [kwsearch, tree] = process.argv.slice(2);
const client = new Client({ name: "kwsearch-check", version: "1" }, { capabilities: {} });
await client.connect(new StdioClientTransport({ command: kwsearch, args: ["--serve-stdio", "--db", tree] }));

const text = async (name, args) => {
  const answer = await client.callTool({ name, arguments: args });
  assert.equal(answer.isError, false, JSON.stringify(answer));
  return answer.content[0].text;
};

const { tools } = await client.listTools();
assert.deepEqual(tools.map((tool) => tool.name).sort(), ["outline", "read_lines", "search"]);

let compared = 0;
for (const query of ["ViewAndMutationMeta", "view and mutation meta", "def:Executor", "plan*", "\"class View\""]) {
  const line = execFileSync(kwsearch, ["--json", "--db", tree, query], { encoding: "utf8" });
  assert.equal(await text("search", { query }), line, query);
  for (const hit of line.trim().split("\n").map((one) => JSON.parse(one))) {
    const outline = JSON.parse(await text("outline", { path: hit.path }));
    for (const d of hit.definitions)
      assert.ok(outline.definitions.some((o) => o.name === d.name && o.line === d.line), d.name);
    const lines = await text("read_lines", { path: hit.path });
    assert.equal(lines, readFileSync(tree + "/" + hit.path, "utf8"), hit.path);
    compared += 1;
  }
}

// Each file is a resource, with its text.
const { resources } = await client.listResources();
for (const { uri, name } of resources) {
  const { contents } = await client.readResource({ uri });
  assert.equal(contents[0].text, readFileSync(tree + "/" + name, "utf8"), uri);
}
assert.ok(resources.length > 0);
assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);

// What is wrong is refused, and the next question answered.
await assert.rejects(client.callTool({ name: "search", arguments: { query: 7 } }));
await assert.rejects(client.callTool({ name: "rm", arguments: {} }));
assert.equal((await client.callTool({ name: "read_lines", arguments: { path: "../x" } })).isError, true);
await client.ping();
await client.close();
console.log(`${compared} results compared`);
