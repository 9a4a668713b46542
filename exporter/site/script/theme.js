/* Keyword Index: SPDX-License-Identifier: GPL-2.0-or-later */
// Before the page is drawn: the colours that a reader chose (the button is in page.js), whether all of it is laid out
// at once, as where a reader comes back to the place that was left, and what a page of results will need first.
"use strict";
const [visit] = performance.getEntriesByType("navigation");
if (visit && visit.type !== "navigate") document.documentElement.dataset.whole = "";
if (/\/search\.html\?(?:.*&)?q=[^&#]/.test(location.href))
  document.head.append(Object.assign(document.createElement("link"), {rel: "preload", as: "script", href: "search/head.js"}));
try {
  const theme = localStorage.getItem("kw-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows the system's.
}
