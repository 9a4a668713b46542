// SPDX-License-Identifier: GPL-2.0-or-later
// The definitions around the first line of code in sight, below the bar: told by how far their lines are indented.

const kContextLines = isWide ? 3 : 2, kFarthest = 5000, kHeadLines = 12;

function lineBefore(line) {
  const part = line.parentElement.parentElement, before = part.matches(".code > div") && part.previousElementSibling;
  return line.previousElementSibling || (before ? before.querySelector("li:last-child") : null);
}

// Columns before the text of a line; -1 where it has none.
function indentOf(text) {
  const blanks = /^\s*/.exec(text)[0];
  return blanks.length === text.length ? -1 : blanks.replace(/ {0,3}\t/g, "    ").length;
}

// What says nothing of the lines below it, however little it is indented: comments and texts, the preprocessor's
// lines, labels.
function isAside(line, text) {
  const first = line.firstElementChild;
  return /^\s*#\s*\w/.test(text) || /^(?!(?:else|try|finally|default)\b)\w+:\s*$/.test(text) ||
    Boolean(first && first.matches("i") && first.textContent && text.trim().startsWith(first.textContent.trim()));
}

// What says in which type its members are, and defines no name itself.
const kBlockLine = /^\s*(?:(?:pub|unsafe|export|public)\s+)*(?:impl|mod|namespace|extension)\b/;

// The line that defines what a line opens: itself, or one that a bracket goes on from.
function headOf(line, text, indent) {
  if (line.querySelector("b") || kBlockLine.test(text)) return line;
  if (!/^\s*[{)]/.test(text)) return null;
  for (let at = lineBefore(line), n = 0; at && n < kHeadLines; at = lineBefore(at), ++n) {
    const above = indentOf(at.textContent);
    if (above < indent || /[;}]\s*$/.test(at.textContent)) return null;
    if (above === indent && at.querySelector("b")) return at;
  }
  return null;
}

// The lines of definitions around a line, the outermost first.
function definitionsAround(line) {
  let inside = line, text = inside.textContent;
  while (inside && (indentOf(text) < 0 || isAside(inside, text))) {
    inside = lineAfter(inside);
    text = inside ? inside.textContent : "";
  }
  if (!inside) return [];
  // What closes a block is a line of it.
  const isEnd = (one) => /^\s*(?:[}\])]|end\b)/.test(one);
  const around = [];
  let depth = indentOf(text) + (isEnd(text) || /^\s*\{/.test(text) ? 1 : 0);
  for (let at = lineBefore(inside), n = 0; at && depth > 0 && n < kFarthest; at = lineBefore(at), ++n) {
    text = at.textContent;
    const indent = indentOf(text);
    if (indent < 0 || indent >= depth || isAside(at, text)) continue;
    const head = isEnd(text) && !/[{(]\s*$/.test(text) ? null : headOf(at, text, indent);
    if (head && !around.includes(head)) around.unshift(head);
    depth = indent;
  }
  return around;
}

const blocksOfCode = document.querySelector("#Text .code :is(b, noscript)") && document.getElementById("Text");
if (blocksOfCode) {
  const context = element("nav", "context");
  context.ariaLabel = "Around the first line";
  context.hidden = true;
  blocksOfCode.before(context);
  let shownFor = null, isComing = false;
  const firstLine = () => {
    const box = blocksOfCode.getBoundingClientRect(), y = document.querySelector("header").offsetHeight + 2;
    if (box.top > y || box.bottom < y) return null;
    for (const at of document.elementsFromPoint(box.left + box.width / 2, y)) {
      const line = at.closest("#Text .code li");
      if (line) return line;
    }
    return null;
  };
  const show = () => {
    isComing = false;
    const line = firstLine();
    if (line === shownFor) return;
    shownFor = line;
    const heads = line ? definitionsAround(line).filter((head) => head !== line).slice(-kContextLines) : [];
    context.hidden = !heads.length;
    context.replaceChildren(...heads.map((head) => {
      const number = numberOf(head.parentElement, head);
      const link = element("a", "", element("span", "", String(number)), element("code", "", head.textContent.trimEnd()));
      link.href = `#L${number}`;
      return link;
    }));
  };
  addEventListener("scroll", () => {
    if (!isComing) requestAnimationFrame(show);
    isComing = true;
  }, {passive: true});
  requestAnimationFrame(show);
}
