// SPDX-License-Identifier: GPL-2.0-or-later
// What a page is to a test, whatever browser shows it; browser.js and firefox.js say how each does it.
"use strict";

const kDeadline = 120000;  // only a hang takes as long; a browser on a busy machine may take half a minute

function withDeadline(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${kDeadline} ms`)), kDeadline);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

class AnyPage {
  constructor() {
    this.complaints = [];  // whatever the console shows, and dialogs
    this.requests = [];
  }

  // The value of an expression in the page; promises are waited for. The expression may run again:
  // where the page gives way to another one meanwhile, the value is that of the other.
  async value(expression) {
    const begun = Date.now();
    for (;;) {
      try {
        return await this.valueOnce(expression);
      } catch (error) {
        if (!this.leftThePage(error) || Date.now() - begun > kDeadline) throw error;
      }
    }
  }

  // Waits until an expression is true in the page, whatever page that is by then.
  async until(expression) {
    const begun = Date.now();
    const frames = `new Promise((done) => {
      const look = (n) => (${expression}) ? done(true) : n ? requestAnimationFrame(() => look(n - 1)) : done(false);
      look(20);
    })`;
    while (Date.now() - begun < kDeadline)
      if (await this.value(frames)) return;
    throw new Error(`never true: ${expression}`);
  }

  async type(text) {
    for (const c of text) await this.key(c, c);
  }
}

module.exports = {AnyPage, withDeadline, kDeadline};
