import assert from "node:assert/strict";
import { test } from "node:test";

import { pieces } from "../../../../../viz/ui/browser/exercise/colours.js";
import { keep, keptOf } from "../../../../../viz/ui/browser/exercise/kept.js";
import { broken, indented, lineAt, outdented } from "../../../../../viz/ui/browser/exercise/typing.js";

/** The text after a change, with | at both ends of the selection. */
function after(text, { start, end, text: more, from, to }) {
  const changed = text.slice(0, start) + more + text.slice(end);
  return `${changed.slice(0, from)}|${from === to ? "" : `${changed.slice(from, to)}|`}${changed.slice(to)}`;
}

test("Tab goes to the next step of four", () => {
  assert.equal(after("x", indented("x", 0, 0)), "    |x");
  assert.equal(after("ab", indented("ab", 2, 2)), "ab  |");
  assert.equal(after("a\nbc", indented("a\nbc", 3, 3)), "a\nb   |c");
});

test("Tab on several lines moves each of them, and no empty one", () => {
  assert.equal(after("a\n\nb\nc", indented("a\n\nb\nc", 0, 4)), "    |a\n\n    b|\nc");
});

test("Shift+Tab takes a step back, as far as there is one", () => {
  assert.equal(after("      x", outdented("      x", 7, 7)), "  x|");
  assert.equal(after("  x", outdented("  x", 1, 1)), "|x");
  assert.equal(after("x", outdented("x", 1, 1)), "x|");
  assert.equal(after("    a\n  b\nc", outdented("    a\n  b\nc", 4, 9)), "|a\nb|\nc");
});

test("Shift+Tab undoes Tab", () => {
  const text = "def f():\n    x = 1\n    return x";
  const change = indented(text, 0, text.length);
  const back = outdented(change.text, change.from, change.to);
  assert.equal(back.text, text);
});

test("Enter keeps the indentation, and begins a block after a colon", () => {
  assert.equal(after("    x", broken("    x", 5, 5)), "    x\n    |");
  assert.equal(after("def f():", broken("def f():", 8, 8)), "def f():\n    |");
  assert.equal(after("  if x:  # why", broken("  if x:  # why", 14, 14)), "  if x:  # why\n      |");
  assert.equal(after("x[1:]", broken("x[1:]", 5, 5)), "x[1:]\n|");
});

test("a line is found by its number, the last one if there are fewer", () => {
  const text = "a\nbcd\ne";
  assert.deepEqual(lineAt(text, 1), { start: 0, end: 1 });
  assert.deepEqual(lineAt(text, 2), { start: 2, end: 5 });
  assert.deepEqual(lineAt(text, 9), { start: 6, end: 7 });
});

test("the pieces of a text are the text, and each is what it is", () => {
  const code = "def f(x1):\n    return \"a # b\" + x1[12] # why 'not'\n";
  assert.equal(pieces(code).map(({ text }) => text).join(""), code);
  const kinds = pieces(code).filter(({ kind }) => kind).map(({ kind, text }) => [kind, text]);
  assert.deepEqual(kinds, [["word", "def"], ["word", "return"], ["text", "\"a # b\""], ["number", "12"], ["comment", "# why 'not'"]]);
  assert.deepEqual(pieces(""), []);
});

test("what is kept comes back, and nothing else is believed", () => {
  const store = new Map();
  const storage = { getItem: (key) => store.get(key) ?? null, setItem: (key, value) => { store.set(key, value); } };
  assert.equal(keptOf("a", storage), null);
  keep("a", { code: "x = 1", help: 2, solved: true }, storage);
  assert.deepEqual(keptOf("a", storage), { code: "x = 1", help: 2, solved: true });
  assert.equal(keptOf("b", storage), null);
  for (const odd of ["", "{", "3", "null", "{\"code\": 3}", "{\"code\": \"x\", \"help\": -1}", "{\"code\": \"x\", \"help\": \"2\"}"]) {
    store.set([...store.keys()][0], odd);
    assert.equal(keptOf("a", storage), null);
  }
  assert.doesNotThrow(() => keep("a", { code: "", help: 0, solved: false }, { setItem: () => { throw new Error("full"); } }));
});
