// SPDX-License-Identifier: GPL-2.0-or-later
// Drives a headless Firefox by WebDriver BiDi, with the interface of browser.js. Node alone, no packages.
"use strict";

const {spawn} = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const {AnyPage, withDeadline} = require("./page.js");
const {connect} = require("./websocket.js");

// Nothing asks the network by itself, and nothing is shown at the first start.
const kPreferences = {
  "app.normandy.enabled": false, "app.update.auto": false, "browser.aboutConfig.showWarning": false,
  "browser.newtabpage.enabled": false, "browser.safebrowsing.downloads.enabled": false,
  "browser.safebrowsing.malware.enabled": false, "browser.safebrowsing.phishing.enabled": false,
  "browser.search.update": false, "browser.shell.checkDefaultBrowser": false, "browser.startup.page": 0,
  "captivedetect.canonicalURL": "", "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.update.enabled": false, "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false, "network.prefetch-next": false,
  "services.settings.server": "data:,#remote-settings-dummy/v1", "toolkit.telemetry.enabled": false};

const kPatience = 10000;

class Firefox {
  constructor(program) {
    this.program = program;
    this.profile = fs.mkdtempSync(path.join(os.tmpdir(), "kwsearch-firefox-"));
    fs.writeFileSync(path.join(this.profile, "user.js"), Object.entries(kPreferences).map(([name, value]) =>
      `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(""));
    this.calls = new Map();
    this.listeners = new Set();
    this.lastId = 0;
  }

  async start() {
    this.child = spawn(this.program, ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", this.profile],
                       {stdio: ["ignore", "ignore", "pipe"], env: {...process.env, ...this.folders()}});
    this.ended = new Promise((resolve) => this.child.on("exit", resolve));
    const said = new Promise((resolve, reject) => {
      let text = "";
      this.child.on("error", reject);
      this.child.on("exit", () => reject(new Error(`firefox ended: ${text}`)));
      this.child.stderr.on("data", (bytes) => {
        text += bytes;
        const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(text);
        if (found) resolve(found[1]);
      });
    });
    const url = await withDeadline(said, "firefox");
    this.socket = await connect(`${url}/session`, (text) => this.receive(JSON.parse(text)));
    await this.send("session.new", {capabilities: {alwaysMatch: {unhandledPromptBehavior: {default: "dismiss"}}}});
    await this.send("session.subscribe", {events: ["log.entryAdded", "network.beforeRequestSent",
                                                   "browsingContext.userPromptOpened", "browsingContext.load"]});
    return this;
  }

  // It does not start where it cannot make its folders.
  folders() {
    const names = ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"];
    return Object.fromEntries(names.map((name) => [name, this.profile]));
  }

  receive(message) {
    const call = this.calls.get(message.id);
    this.calls.delete(message.id);
    if (call && message.type === "error") call.reject(new Error(`${call.method}: ${message.error}: ${message.message}`));
    else if (call) call.resolve(message.result);
    if (message.method) for (const listener of this.listeners) listener(message);
  }

  send(method, params = {}) {
    const id = ++this.lastId;
    this.socket.send(JSON.stringify({id, method, params}));
    return withDeadline(new Promise((resolve, reject) => this.calls.set(id, {resolve, reject, method})), method);
  }

  async open(url) {
    const {context} = await this.send("browsingContext.create", {type: "tab"});
    const page = new FirefoxPage(this, context);
    if (url) await page.go(url);
    return page;
  }

  async close() {
    await this.send("browser.close").catch(() => this.child.kill());
    await this.ended;
    this.socket.close();
    fs.rmSync(this.profile, {recursive: true, force: true, maxRetries: 5});
  }
}

const kKeys = {Enter: "\ue007", Escape: "\ue00c", ArrowDown: "\ue015", ArrowUp: "\ue013", Backspace: "\ue003", Tab: "\ue004"};

class FirefoxPage extends AnyPage {
  constructor(browser, context) {
    super();
    Object.assign(this, {browser, context, giveUp: () => {}});
    browser.listeners.add(this.listener = ({method, params}) => {
      if ((params.context || (params.source && params.source.context)) !== context) return;
      if (method === "browsingContext.load") this.giveUp(new Error("another page was loaded"));
      if (method === "log.entryAdded") this.complaints.push(params.text || "");
      if (method === "network.beforeRequestSent") this.requests.push(params.request.url);
      if (method === "browsingContext.userPromptOpened") this.complaints.push(`a dialog: ${params.message}`);
    });
  }

  send(method, params) {
    return this.browser.send(method, {context: this.context, ...params});
  }

  async go(url) {
    await this.send("browsingContext.navigate", {url, wait: "complete"});
  }

  leftThePage(error) {
    return /another page|no such frame|destroyed|unloaded|AbortError|navigat|discarded|aborted/i.test(error.message);
  }

  evaluate(expression, awaitPromise) {
    return this.browser.send("script.evaluate", {expression, awaitPromise, target: {context: this.context},
                                                 userActivation: true});
  }

  async valueOnce(expression) {
    // What an old page was asked for is never answered, nor is it said that a page came back from memory.
    const left = new Promise((_, reject) => this.giveUp = reject);
    const timer = setTimeout(this.giveUp, kPatience, new Error("another page is there"));
    const asked = this.evaluate(`(async () => JSON.stringify({value: await (${expression})}))()`, true);
    asked.catch(() => {});
    const {type, result, exceptionDetails} = await Promise.race([asked, left])
      .finally(() => clearTimeout(timer));
    if (type === "exception") throw new Error(exceptionDetails.text);
    return JSON.parse(result.value).value;
  }

  async leave(expression) {
    await this.evaluate(expression, false).catch((error) => {
      if (!this.leftThePage(error)) throw error;
    });
  }

  key(key) {
    return this.press([kKeys[key] || key]);
  }

  type(text) {
    return this.press([...text]);
  }

  async press(keys) {
    const actions = keys.flatMap((value) => [{type: "keyDown", value}, {type: "keyUp", value}]);
    await this.send("input.performActions", {actions: [{type: "key", id: "keyboard", actions}]}).catch((error) => {
      if (!this.leftThePage(error)) throw error;  // Enter opened a result
    });
  }

  async front() {
    await this.send("browsingContext.activate");
  }

  async size(width, height) {
    await this.send("browsingContext.setViewport", {viewport: {width, height}});
  }

  async screenshot(file) {
    const {data} = await this.send("browsingContext.captureScreenshot", {});
    fs.writeFileSync(file, Buffer.from(data, "base64"));
  }

  async close() {
    this.browser.listeners.delete(this.listener);
    await this.send("browsingContext.close");
  }
}

module.exports = {Firefox};
