// SPDX-License-Identifier: GPL-2.0-or-later
// What every page can do: colours, contents that follow the reader, lines that are marked, copies.

// Without a page, Node gets what stands in the files before this one.
if (typeof module === "object") {
  module.exports = {Index, search, parseQuery, bestPlace, bestLines, kTierText, fold, stripMarks, nameKey,
                    splitName, startOfWords, stem, tokensOf};
  return;
}

const root = document.currentScript.src.replace(/\/[^/]*$/, "");
const input = document.getElementById("kw-query");
if (!input) return;

function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);  // strings become text
  return made;
}

function button(className, text, act) {
  const made = element("button", className, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

// --- colours: theme.js has set those that were chosen before ----------------------------------------

const isDark = () => {
  const {theme} = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};
const themeButton = button("kw-theme", "◐", () => {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("kw-theme", theme);
  } catch {
    // It holds for this page.
  }
  nameTheme();
});
function nameTheme() {
  themeButton.ariaLabel = themeButton.title = isDark() ? "Light colours" : "Dark colours";
}
nameTheme();
input.form.after(themeButton);

// --- folded on phones, open beside the text -------------------------------------------

const isWide = matchMedia("(min-width: 64rem)").matches;
if (isWide) for (const folded of document.querySelectorAll(".fold")) folded.open = true;
else for (const group of document.querySelectorAll("#Keywords > details")) group.open = false;

// --- the contents follow the reader ------------------------------------------------------------------

const entries = [...document.querySelectorAll(".contents a[href^='#']")].map((link) =>
  ({link, heading: document.getElementById(decodeURIComponent(link.hash.slice(1)))}))
  .filter(({heading}) => heading);
let current = null, isDue = false;
function followReader() {
  isDue = false;
  const bar = document.querySelector("header").offsetHeight + 32;
  let here = null;
  for (const entry of entries) {
    if (entry.heading.getBoundingClientRect().top > bar) break;
    here = entry;
  }
  if (here === current) return;
  if (current) current.link.removeAttribute("aria-current");
  current = here;
  if (!here) return;
  here.link.setAttribute("aria-current", "true");
  const side = here.link.closest(".side");
  if (!side || side.scrollHeight <= side.clientHeight) return;
  const box = here.link.getBoundingClientRect(), frame = side.getBoundingClientRect();
  if (box.top < frame.top || box.bottom > frame.bottom)
    side.scrollTop += box.top - frame.top - frame.height / 3;
}
if (entries.length) {
  addEventListener("scroll", () => {
    if (!isDue) requestAnimationFrame(followReader);
    isDue = true;
  }, {passive: true});
  requestAnimationFrame(followReader);
}

// --- lines: #L3 and #L3-L9 -----------------------------------------------------------------------------

function linesOf(hash) {
  const match = /^#L(\d+)(?:-L?(\d+))?$/.exec(hash);
  if (!match) return null;
  const from = Number(match[1]), to = Number(match[2] || from);
  return {from: Math.min(from, to), to: Math.max(from, to)};
}

// Long code is several lists.
function lineAfter(line) {
  const list = line.parentElement, next = list.parentElement.matches(".code") && list.nextElementSibling;
  return line.nextElementSibling || (next ? next.firstElementChild : null);
}

function markLines() {
  for (const line of document.querySelectorAll(".code .marked")) line.classList.remove("marked");
  const lines = linesOf(location.hash);
  if (!lines) return null;
  let first = null;
  // Blank lines have no anchor, so the items are counted from one that has.
  for (let at = lines.from; at <= lines.to && !first; ++at) first = document.getElementById(`L${at}`);
  const item = first && first.closest(".code li");
  if (!item) return first;
  let left = lines.to - Number(first.id.slice(1));
  for (let line = item; line && left >= 0; line = lineAfter(line), --left) line.classList.add("marked");
  return first;
}

function showLines() {
  const first = markLines();
  if (first && location.hash.includes("-")) first.scrollIntoView({block: "center"});
}
addEventListener("hashchange", showLines);
addEventListener("popstate", markLines);
if (linesOf(location.hash)) showLines();

// A click on a number selects its line, with the shift key all lines from the one selected.
function numberOf(list, line) {
  return Number(list.getAttribute("start") || 1) + [...list.children].indexOf(line);
}
document.addEventListener("click", (event) => {
  if (!event.target.matches("ol.code, .code > ol")) return;
  const list = event.target, inside = list.firstElementChild.getBoundingClientRect().left;
  if (event.clientX >= inside) return;
  const hit = document.elementFromPoint(Math.min(inside + 2, innerWidth - 1), event.clientY);
  const line = hit && hit.closest(".code li");
  if (!line || line.parentElement !== list) return;
  const number = numberOf(list, line), before = event.shiftKey ? linesOf(location.hash) : null;
  const from = before ? Math.min(before.from, number) : number;
  const to = before ? Math.max(before.to, number) : number;
  history.pushState(null, "", from === to ? `#L${from}` : `#L${from}-L${to}`);
  markLines();
});

// A name that is defined leads to the search for its uses. Thousands are linked when there is time.
const whenIdle = globalThis.requestIdleCallback || ((act) => setTimeout(act, 50));
const isOver = (time) => Boolean(time) && time.timeRemaining() < 5;
const names = [...document.querySelectorAll(".code b")], kNamesAtATime = 200;
function linkNames() {
  for (const name of names.splice(0, kNamesAtATime)) {
    const link = element("a", "", ...name.childNodes);
    link.href = `${input.form.getAttribute("action")}?q=${encodeURIComponent(link.textContent)}`;
    name.append(link);
  }
  if (names.length) whenIdle(linkNames);
}
linkNames();

// --- copies ----------------------------------------------------------------------------------------------

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = element("textarea", "", text);  // a page that came by plain http
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

function copyButton(what, textOf) {
  const made = button("kw-copy", what, async () => {
    try {
      await copy(textOf());
      made.textContent = "Copied";
    } catch {
      made.textContent = "Not copied";
    }
    setTimeout(() => made.textContent = what, 2000);
  });
  return made;
}

const textOf = (block) => [...block.querySelectorAll("li")].map((line) => line.textContent).join("");
const facts = document.querySelector("#Text") && document.querySelector(".path") &&
  document.querySelector(".facts");
const whole = document.querySelector("#Text > .code:only-child");
if (facts) {
  if (whole) facts.append(copyButton("Copy file", () => textOf(whole)));
  facts.append(copyButton("Copy link", () => location.href));
}

// The keyboard reaches a box that it must scroll. Whether it must is measured when there is time, as a box out of sight
// is laid out for it. A whole file is not measured, which may be long.
const boxes = [...document.querySelectorAll("#Text .code, .wide")].filter((box) => box !== whole);
const tables = boxes.filter((box) => box.matches(".wide")), unmeasured = [...boxes];
function reach(box) {
  box.tabIndex = 0;
  box.ariaLabel = tables.includes(box) ? `Table ${tables.indexOf(box) + 1}` : "Code";
  if (!box.matches("ol")) box.role = "region";
}
function measure(time) {
  for (let box; (box = unmeasured.shift());) {
    box.firstElementChild.getBoundingClientRect();
    if (box.scrollWidth > box.clientWidth) reach(box);
    if (isOver(time)) break;
  }
  if (unmeasured.length) whenIdle(measure);
}
if (whole) reach(whole);
whenIdle(measure);

// A block of code has its button when it comes into sight.
function frame(block) {
  const made = element("div", "block");
  block.replaceWith(made);
  made.append(copyButton("Copy", () => textOf(block)), block);
}
const blocks = boxes.filter((box) => !box.matches(".wide"));
if (typeof IntersectionObserver !== "function") blocks.forEach(frame);
else {
  const near = new IntersectionObserver((seen) => {
    for (const {target, isIntersecting} of seen)
      if (isIntersecting) {
        near.unobserve(target);
        frame(target);
      }
  });
  for (const block of blocks) near.observe(block);
}

// What is out of sight is laid out once the reader scrolls, when there is time: then the scroll bar is right, and so is
// the place at which the browser opens the page again. Only where what is in sight stays there while that above grows.
const left = CSS.supports("overflow-anchor", "auto") ? [...document.querySelectorAll("#Text > *")] : [];
function layOut(time) {
  for (let block; (block = left.shift());) {
    const inside = block.isConnected && block.parentElement.matches(".block") ? block.parentElement : block;
    inside.style.contentVisibility = "visible";
    inside.getBoundingClientRect();
    if (isOver(time)) break;
  }
  if (left.length) whenIdle(layOut);
}
addEventListener("scroll", () => whenIdle(layOut), {once: true, passive: true});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
  if (event.key === "/" && !isTyping) {
    event.preventDefault();
    input.focus();
    input.select();
  }
});
