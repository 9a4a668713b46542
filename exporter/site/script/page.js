// SPDX-License-Identifier: GPL-2.0-or-later
// What every page does at once: colours, contents that follow the reader, lines that are marked, copies. The search,
// a script of its own, is loaded when the reader asks for it.

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

// Functions that take a `time` stop when it is over and go on when the browser is idle again; without one they run to
// their end.
const whenIdle = globalThis.requestIdleCallback || ((act) => setTimeout(act, 50));
const isOver = (time) => Boolean(time) && time.timeRemaining() < 5;

// --- the search: loaded when it is needed ----------------------------------------------------------------

const isWide = matchMedia("(min-width: 64rem)").matches;
const kwPage = globalThis.kwPage = {root, input, element, button, whenIdle, openLists, isWide, ui: null};  // `ui` by the search

let loading = null;
function withSearch() {
  return loading = loading || new Promise((resolve, reject) => {
    // The page of results has it in its head.
    const own = document.querySelector("script[src*='kwsearch.js?']"), script = own || element("script");
    const fail = () => {
      loading = null;
      script.remove();  // the next who asks adds another
      reject(new Error("kwsearch.js did not load"));
    };
    script.onload = () => kwPage.ui ? resolve(kwPage.ui) : fail();
    script.onerror = fail;
    if (own) return;
    script.src = `${root}/kwsearch.js?${kSearchVersion}`;
    document.head.append(script);
  });
}
const isAsked = new URL(location.href).searchParams.get("q");
if (isAsked || document.getElementById("kw-results")) withSearch().catch(() => {});  // the page stands without it
input.addEventListener("focus", () => withSearch().catch(() => {}));
input.form.addEventListener("submit", (event) => {
  if (kwPage.ui) return;
  event.preventDefault();
  withSearch().then(() => input.form.requestSubmit(), () => input.form.submit());
});

function openFinder() {
  withSearch().then((ui) => ui.openFinder(), () => {});
}
if (typeof HTMLDialogElement === "function") {
  const opener = button("kw-files", "Files", openFinder);
  opener.title = "Find a file: t";
  input.form.after(opener);
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

if (isWide) for (const folded of document.querySelectorAll(".fold")) folded.open = true;
else for (const group of document.querySelectorAll("#Keywords > details")) group.open = false;

// --- a name that is defined leads to where it is used: some at once, thousands in idle time ----------------

const unlinked = [...document.querySelectorAll(".code b")], kNamesAtOnce = 200;
function linkName(name) {
  const link = element("a", "", ...name.childNodes);
  link.href = `${input.form.getAttribute("action")}?q=${encodeURIComponent(link.textContent)}`;
  name.append(link);
}
function linkNames(time) {
  for (let name; (name = unlinked.shift());) {
    linkName(name);
    if (isOver(time)) break;
  }
  if (unlinked.length) whenIdle(linkNames);
}
unlinked.splice(0, kNamesAtOnce).forEach(linkName);
whenIdle(linkNames);

// --- long code: its later lists are the text of <noscript> until the browser is idle ------------------------

const closedLists = [...document.querySelectorAll(".code > div > noscript")];
function openLists(time) {
  for (let closed; (closed = closedLists.shift());) {
    const part = closed.parentElement;
    part.innerHTML = closed.textContent;
    unlinked.push(...part.querySelectorAll("b"));
    if (isOver(time)) break;
  }
  if (closedLists.length) whenIdle(openLists);
  else linkNames(time);
}
if (closedLists.length) {
  addEventListener("beforeprint", () => openLists());
  whenIdle(openLists);
}

// Goes to what the address names where it was in a closed list when the browser looked for it.
function openAddressed() {
  if (!closedLists.length || !location.hash || addressed(location.hash)) return;
  openLists();
  if (addressed(location.hash)) location.replace(location.href);
}

function addressed(hash) {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;  // no UTF-8
  }
}

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
  const part = line.parentElement.parentElement, next = part.matches(".code > div") && part.nextElementSibling;
  return line.nextElementSibling || (next ? next.querySelector("li") : null);
}

function markLines() {
  openAddressed();
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
else openAddressed();

// A click on a number selects its line, with the shift key all lines from the one selected.
function numberOf(list, line) {
  return Number(list.getAttribute("start") || 1) + [...list.children].indexOf(line);
}
document.addEventListener("click", (event) => {
  if (!event.target.matches("ol.code, .code ol")) return;
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

function textOf(block) {
  openLists();
  return [...block.querySelectorAll("li")].map((line) => line.textContent).join("");
}
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

const isTyping = () => /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping()) return;
  if (event.key === "/") {
    input.focus();
    input.select();
  } else if (event.key === "t") {
    openFinder();
  } else if (event.key !== "i" || !showName(nameAtReader())) {
    return;
  }
  event.preventDefault();
});

// --- names in code: where each is defined and used -----------------------------------------------------------

const isName = (text) => /^[\p{L}_$][\p{L}\p{N}\p{M}_$]*$/u.test(text) && text.length > 1;

// The name that has the focus, or that is selected.
function nameAtReader() {
  const link = document.activeElement.closest(".code a, .names a");
  return link ? link.textContent : String(getSelection()).trim();
}

// Opens the panel of a name, or of a word where it is defined somewhere. Whether it may. `instead`: the URL to go to
// where the panel does not load.
function showName(text, isWord = false, instead = "") {
  if (!isName(text)) return false;
  withSearch().then((ui) => ui.showName(text, isWord), () => instead && location.assign(instead));
  return true;
}

// The word of a line of code at a point, with neither a link nor a comment or string around it.
function wordAt(x, y) {
  const spot = document.caretPositionFromPoint ? document.caretPositionFromPoint(x, y)
    : document.caretRangeFromPoint ? document.caretRangeFromPoint(x, y) : null;
  const node = spot && (spot.offsetNode || spot.startContainer), at = spot && (spot.offset ?? spot.startOffset);
  if (!node || node.nodeType !== Node.TEXT_NODE || node.parentElement.closest("a, i, u, button")) return "";
  const before = /[\p{L}\p{N}\p{M}_$]*$/u.exec(node.data.slice(0, at))[0];
  return before + /^[\p{L}\p{N}\p{M}_$]*/u.exec(node.data.slice(at))[0];
}

document.addEventListener("click", (event) => {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest(".code b a");
  if (link ? showName(link.textContent, false, link.href) : event.target.closest("#Text .code li") && !event.target.closest("a, button") &&
      !String(getSelection()) && showName(wordAt(event.clientX, event.clientY), true)) event.preventDefault();
});

// What a name's definition says of itself, when the reader stays at it.
const kStay = 250;
let staying = 0;
for (const kind of ["mouseover", "focusin"])
  document.addEventListener(kind, (event) => {
    const link = event.target.closest ? event.target.closest(".code a, .names a") : null;
    clearTimeout(staying);
    if (link && !link.title && isName(link.textContent))
      staying = setTimeout(() => withSearch().then((ui) => ui.describe(link)).catch(() => {}), kStay);
  });
