// SPDX-License-Identifier: GPL-2.0-or-later
// What a word was meant to be, where nothing has it.

// Letters put in, left out, put for others or with their neighbours: how many, or `most` + 1 for more
// (optimal string alignment).
function editsBetween(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let older = [], old = Array.from({length: b.length + 1}, (_, i) => i);
  for (let i = 1; i <= a.length; ++i) {
    const row = [i];
    for (let k = 1; k <= b.length; ++k) {
      row[k] = Math.min(old[k] + 1, row[k - 1] + 1, old[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1));
      if (k > 1 && i > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1])
        row[k] = Math.min(row[k], older[k - 2] + 1);
    }
    if (Math.min(...row) > most) return most + 1;
    [older, old] = [old, row];
  }
  return old[b.length];
}

// The nearest name or word of the vocabulary, the one in most files of several; null for none. Only keys
// that share their first letters, a slip in these aside, are looked at: a few chunks.
async function nearestWord(index, folded) {
  const key = nameKey(folded), most = key.length < 5 ? 1 : 2, near = [];
  if (key.length < 3 || !isAscii(key)) return null;
  const first = key.slice(0, kSharedLetters);
  const starts = [first, key[1] + key[0] + key.slice(2, kSharedLetters),
                  key[0] + key.slice(2, kSharedLetters + 1), key.slice(1, kSharedLetters + 1),
                  key[0] + key[2] + key[1], key.slice(0, 2) + key.slice(3, kSharedLetters + 1)];
  for (const start of [...new Set(starts), key.slice(0, 2)]) {
    if (start.length < kSharedLetters && near.length) break;  // a third letter that is another
    let left = kKeysLookedAt;
    await index.scan(start, async (candidate, read) => {
      const edits = candidate === key ? most + 1 : editsBetween(key, candidate, most);
      if (edits <= most && candidate.length > 2) near.push({edits, candidate, read});
      return --left > 0;
    });
  }
  near.sort((a, b) => a.edits - b.edits);
  let best = null;
  for (const {edits, candidate, read} of near.filter((one) => one.edits === near[0].edits).slice(0, kShownNear)) {
    const entry = await read(), name = entry.names.reduce((a, b) => !a || b.list.tf > a.list.tf ? b : a, null);
    const files = Math.max(name ? name.list.tf : 0, entry.word ? entry.word.tf : 0);
    if (!best || files > best.files) best = {files, text: name ? name.spelling : candidate};
  }
  return best && best.text;
}
const kSharedLetters = 3, kKeysLookedAt = 3000, kShownNear = 20;

// The query with words that nothing has put right; "" where there is nothing to put right.
async function suggestion(index, query) {
  const words = [];
  let isChanged = false;
  for (const leaf of query.leaves) {
    const entry = leaf.isPrefix ? {} : await index.entry(nameKey(leaf.text)) || await index.entry(leaf.stem);
    const better = entry ? null : await nearestWord(index, leaf.folded);
    if (better) isChanged = true;
    words.push(better || leaf.text + (leaf.isPrefix ? "*" : ""));
  }
  return isChanged ? words.join(" ") : "";
}

