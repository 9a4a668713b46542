// SPDX-License-Identifier: GPL-2.0-or-later
// Drives a headless browser. Chromium over its debugging pipe: messages of JSON, each ended by a zero byte,
// on its descriptors 3 and 4; Firefox by firefox.js. Node alone, no packages. Waiting is for events, with a
// deadline.
"use strict";

const {spawn} = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const {AnyPage, withDeadline} = require("./page.js");
const {Firefox} = require("./firefox.js");

class Browser {
  constructor(program) {
    this.profile = fs.mkdtempSync(path.join(os.tmpdir(), "kwsearch-browser-"));
    const flags = ["--headless=new", "--remote-debugging-pipe", `--user-data-dir=${this.profile}`,
      "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions",
      "--disable-background-networking", "--disable-component-update", "--no-default-browser-check"];
    if (process.getuid() === 0) flags.push("--no-sandbox");  // root may not have one
    this.child = spawn(program, [...flags, "about:blank"],
                       {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
    this.calls = new Map();
    this.listeners = new Set();
    this.lastId = 0;
    this.ended = new Promise((resolve) => this.child.on("exit", resolve));
    this.child.on("error", (error) => this.failAll(error));
    this.child.on("exit", () => this.failAll(new Error("the browser ended")));
    this.child.stdio[3].on("error", () => {});
    let rest = Buffer.alloc(0);
    this.child.stdio[4].on("data", (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1))
        this.receive(JSON.parse(rest.subarray(0, end).toString()));
    });
  }

  failAll(error) {
    for (const call of this.calls.values()) call.reject(error);
    this.calls.clear();
  }

  receive(message) {
    const call = this.calls.get(message.id);
    if (call) {
      this.calls.delete(message.id);
      if (message.error) call.reject(new Error(`${call.method}: ${message.error.message}`));
      else call.resolve(message.result);
    }
    if (message.method) for (const listener of this.listeners) listener(message);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.lastId;
    this.child.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + "\0");
    const answer = new Promise((resolve, reject) => this.calls.set(id, {resolve, reject, method}));
    return withDeadline(answer, method);
  }

  async open(url) {
    const {targetId} = await this.send("Target.createTarget", {url: "about:blank"});
    const {sessionId} = await this.send("Target.attachToTarget", {targetId, flatten: true});
    const page = new Page(this, sessionId, targetId);
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.send(`${domain}.enable`);
    if (url) await page.go(url);
    return page;
  }

  async close() {
    await this.send("Browser.close").catch(() => this.child.kill());
    await this.ended;
    fs.rmSync(this.profile, {recursive: true, force: true, maxRetries: 5});
  }
}

class Page extends AnyPage {
  constructor(browser, sessionId, targetId) {
    super();
    Object.assign(this, {browser, sessionId, targetId});
    browser.listeners.add(this.listener = ({method, params, sessionId: from}) => {
      if (from !== sessionId) return;
      if (method === "Runtime.consoleAPICalled")
        this.complaints.push(params.args.map((a) => a.value).join(" "));
      if (method === "Runtime.exceptionThrown")
        this.complaints.push(params.exceptionDetails.exception?.description ||
                             params.exceptionDetails.text);
      if (method === "Log.entryAdded") this.complaints.push(`${params.entry.text} ${params.entry.url || ""}`);
      if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
      if (method === "Page.javascriptDialogOpening") {
        this.complaints.push(`a dialog: ${params.message}`);
        this.send("Page.handleJavaScriptDialog", {accept: false}).catch(() => {});
      }
    });
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  // The next event of a name; ask before what causes it.
  next(event) {
    const seen = new Promise((resolve) => {
      const listener = ({method, params, sessionId}) => {
        if (method !== event || sessionId !== this.sessionId) return;
        this.browser.listeners.delete(listener);
        resolve(params);
      };
      this.browser.listeners.add(listener);
    });
    return withDeadline(seen, event);
  }

  async go(url) {
    const loaded = this.next("Page.loadEventFired");
    const {errorText} = await this.send("Page.navigate", {url});
    if (errorText) throw new Error(`${url}: ${errorText}`);
    await loaded;
  }

  // Whether an error says that the page which was asked has given way to another one.
  leftThePage(error) {
    return /destroyed|navigated|Cannot find|Inspected target/.test(error.message);
  }

  async valueOnce(expression) {
    const {result, exceptionDetails} = await this.send(
      "Runtime.evaluate", {expression, returnByValue: true, awaitPromise: true});
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
    return result.value;
  }

  // Runs an expression once, which may lead to another page before there is an answer.
  async leave(expression) {
    await this.send("Runtime.evaluate", {expression}).catch((error) => {
      if (!this.leftThePage(error)) throw error;
    });
  }

  async key(key, text = "") {
    const codes = {Enter: 13, Escape: 27, ArrowDown: 40, ArrowUp: 38, Backspace: 8, Tab: 9};
    // The codes of punctuation are those of other keys: a dot's is Delete.
    const code = codes[key] || (/^[a-z0-9]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : 0);
    const params = {key, code: key, windowsVirtualKeyCode: code};
    const typed = text || (key === "Enter" ? "\r" : "");
    const press = {type: typed ? "keyDown" : "rawKeyDown", ...params, text: typed || undefined};
    for (const event of [press, {type: "keyUp", ...params}])
      await this.send("Input.dispatchKeyEvent", event).catch((error) => {
        if (!this.leftThePage(error)) throw error;  // Enter opened a result
      });
  }

  // Of several tabs one is in sight: the others draw nothing, and are not typed into.
  async front() {
    await this.send("Page.bringToFront");
  }

  async size(width, height, dark = false) {
    await this.send("Emulation.setDeviceMetricsOverride",
                    {width, height, deviceScaleFactor: 1, mobile: width < 600});
    await this.send("Emulation.setEmulatedMedia",
                    {features: [{name: "prefers-color-scheme", value: dark ? "dark" : "light"}]});
  }

  async withoutScript() {
    await this.send("Emulation.setScriptExecutionDisabled", {value: true});
  }

  // Whether the page has an element, script or not.
  async has(selector) {
    const {root} = await this.send("DOM.getDocument", {depth: -1, pierce: true});
    return (await this.send("DOM.querySelector", {nodeId: root.nodeId, selector})).nodeId > 0;
  }

  async screenshot(file) {
    const format = path.extname(file).slice(1);  // png or webp
    const {data} = await this.send("Page.captureScreenshot", {format, quality: format === "webp" ? 70 : undefined});
    fs.writeFileSync(file, Buffer.from(data, "base64"));
  }

  async close() {
    this.browser.listeners.delete(this.listener);
    await this.browser.send("Target.closeTarget", {targetId: this.targetId});
  }
}

// A browser by its program.
async function start(program) {
  return /firefox/.test(path.basename(program)) ? new Firefox(program).start() : new Browser(program);
}

module.exports = {Browser, start};
