import assert from "node:assert/strict";
import { test } from "node:test";

import { begin, go, MOST_PAST, redo, undo } from "../../../../../viz/ui/browser/look/history.js";
import { FIRST } from "../../../../../viz/ui/browser/look/fields.js";
import { step } from "../../../../../viz/ui/browser/look/look.js";
import { forAll, madeUpAction, oneOf, several } from "./made_up.js";

const gone = (layers) => layers.reduce((history, layer) => go(history, step(history.now, { type: "layer", layer })), begin(FIRST));
const walk = (history, steps) => steps.reduce((at, one) => one(at), history);
const act = (chance) => {
  const action = madeUpAction(chance);
  return (history) => go(history, step(history.now, action));
};
const wandered = (chance) => walk(begin(FIRST), several(chance, 30, () => (chance() < 0.3 ? oneOf(chance, [undo, redo]) : act(chance))));

test("undo and redo walk through the looks", () => {
  const history = gone(["a", "b", "c"]);
  assert.equal(undo(history).now.layer, "b");
  assert.equal(walk(history, [undo, undo, undo]).now, FIRST);
  assert.equal(walk(history, [undo, undo, redo]).now.layer, "b");
});

test("at either end nothing happens", () => {
  const history = gone(["a"]);
  assert.equal(redo(history), history);
  const first = undo(history);
  assert.equal(undo(first), first);
});

test("the look on screen is no new look", () => {
  const history = undo(gone(["a", "b"]));
  assert.equal(go(history, history.now), history);
});

test("something new after an undo ends what could be done again", () => {
  const history = walk(gone(["a", "b"]), [undo, (at) => go(at, step(at.now, { type: "layer", layer: "z" }))]);
  assert.equal(redo(history), history);
  assert.equal(undo(history).now.layer, "a");
});

test("redo takes undo back, and undo redo", () => {
  forAll(500, wandered, (history) => {
    if (history.past.length) assert.deepEqual(redo(undo(history)), history);
    if (history.future.length) assert.deepEqual(undo(redo(history)), history);
  });
});

test("undo takes back whatever was done", () => {
  forAll(500, (chance) => [wandered(chance), act(chance)], ([history, doSomething]) => {
    const after = doSomething(history);
    if (after !== history) assert.equal(undo(after).now, history.now);
  });
});

test("as many undos as there are looks lead back to the first, and as many redos to the last", () => {
  forAll(200, wandered, (history) => {
    const back = history.past.map(() => undo);
    const first = walk(history, back);
    assert.equal(first.past.length, 0);
    assert.deepEqual(walk(first, back.map(() => redo)), history);
  });
});

test("only so many looks are kept, the latest", () => {
  const history = gone(Array.from({ length: MOST_PAST + 20 }, (_, place) => `layer${place}`));
  assert.equal(history.past.length, MOST_PAST);
  assert.equal(walk(history, history.past.map(() => undo)).now.layer, "layer19");
});
