import assert from "node:assert/strict";
import { test } from "node:test";

import { Undo } from "../../../../../viz/ui/browser/exercise/undo.js";

/** A field of which only the text matters, and what its undo makes of it. */
class Field {
  text = "";
  undo = new Undo();

  get now() { return { text: this.text, start: this.text.length, end: this.text.length }; }

  write(text, kind, at) {
    this.undo.keep(this.now, kind, at);
    this.text = text;
  }

  turn(way) { return (this.text = (this.undo.turn(way, this.now) ?? this.now).text); }
}

test("what was written comes back step by step, and again", () => {
  const field = new Field(), steps = ["", "a", "b", "c"];
  for (const text of steps.slice(1)) field.write(text);
  assert.deepEqual([1, 2, 3, 4].map(() => field.turn("back")), ["b", "a", "", ""]);
  assert.deepEqual([1, 2, 3, 4].map(() => field.turn("forth")), ["a", "b", "c", "c"]);
});

test("letters typed in one go are one step, up to a pause, a deletion or a line that a script writes", () => {
  const field = new Field();
  field.write("x", "insertText", 100);
  field.write("xy", "insertText", 200);
  field.write("xyz", "insertText", 5000);
  field.write("xy", "deleteContentBackward", 5100);
  field.write("x", "deleteContentBackward", 5200);
  field.write("    x");
  field.write("    xa", "insertText", 5300);
  assert.deepEqual([1, 2, 3, 4, 5].map(() => field.turn("back")), ["    x", "x", "xyz", "xy", ""]);
});

test("what is written after a step back is another future, and a change of nothing is no step", () => {
  const field = new Field();
  field.write("a");
  field.write("b");
  field.turn("back");
  field.write("c");
  assert.equal(field.turn("forth"), "c");
  field.write("c");
  assert.equal(field.turn("back"), "a");
});

test("the field comes back with its selection", () => {
  const undo = new Undo();
  undo.keep({ text: "abc", start: 0, end: 3 });
  assert.deepEqual(undo.turn("back", { text: "", start: 0, end: 0 }), { text: "abc", start: 0, end: 3 });
});
