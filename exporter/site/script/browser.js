// SPDX-License-Identifier: GPL-2.0-or-later
// Where the search ends that needs no page, and its elements begin.

// Without a page, Node gets what stands in the files before this one.
if (typeof module === "object") {
  module.exports = {Index, search, parseQuery, bestPlace, bestLines, docOf, kTierText, fold, stripMarks, nameKey,
                    splitName, startOfWords, stem, tokensOf};
  return;
}
const {root, input, element, button, whenIdle, isWide} = globalThis.kwPage;
