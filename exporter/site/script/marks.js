// SPDX-License-Identifier: GPL-2.0-or-later
// The words of a search in the page that it led to: marked, with a way from one to the next.

const kMostMarks = 500;
const askedWords = new URL(location.href).searchParams.get("q") || "";
const article = document.getElementById("Text");

function markWords(words) {
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT), nodes = [], marks = [];
  for (let node = walker.nextNode(); node && nodes.length < kMostMarks; node = walker.nextNode())
    if (node.data.trim() && words.mayHold(node.data) && !node.parentElement.closest("button, summary")) nodes.push(node);
  for (const node of nodes) {
    const spans = words.spansIn(node.data);
    if (!spans.length) continue;
    const parts = document.createDocumentFragment();
    let from = 0;
    for (const {begin, end} of spans) {
      if (begin < from) continue;
      const mark = element("mark", "", node.data.slice(begin, end));
      marks.push(mark);
      parts.append(node.data.slice(from, begin), mark);
      from = end;
    }
    parts.append(node.data.slice(from));
    node.replaceWith(parts);
  }
  return marks;
}

function showMarks(query) {
  kwPage.openLists();
  const marks = markWords(new TextWords(query.leaves));
  if (!marks.length) return;
  const count = element("span", "", `${marks.length.toLocaleString("en")} marked`);
  let at = -1;
  const go = (step) => {
    if (at < 0) {  // from where the reader is
      const bar = document.querySelector("header").offsetHeight;
      const next = marks.findIndex((mark) => mark.getBoundingClientRect().top > bar);
      at = step > 0 ? (next < 0 ? 0 : next) : (next < 0 ? marks.length : next) - 1;
    } else {
      marks[at].classList.remove("here");
      at += step;
    }
    at = (at + marks.length) % marks.length;
    marks[at].classList.add("here");
    marks[at].scrollIntoView({block: "center"});
    count.textContent = `${at + 1} of ${marks.length.toLocaleString("en")}`;
  };
  const named = (made, name) => {
    made.ariaLabel = made.title = name;
    return made;
  };
  const bar = element("div", "kw-marks", count, named(button("", "↑", () => go(-1)), "Previous marked word"),
    named(button("", "↓", () => go(1)), "Next marked word"),
    named(button("", "✕", () => {
      for (const mark of marks) mark.replaceWith(...mark.childNodes);
      bar.remove();
    }), "No marks"));
  bar.role = "region";
  bar.ariaLabel = "Words of the search";
  document.body.append(bar);
}

if (askedWords && article && document.querySelector(".path")) whenIdle(() => showMarks(parseQuery(askedWords)));
