import assert from "node:assert/strict";
import { test } from "node:test";

import { ordersOf, ordersSaid } from "../../../../../viz/ui/browser/course/code.js";
import { isRight, placeOfKey } from "../../../../../viz/ui/browser/course/prediction.js";
import { arrived, counted, doneIn, inLesson, progressFrom, withDone, without, wrongIn } from "../../../../../viz/ui/browser/course/progress.js";

const RIGHT = { said: "1", right: true };
const WRONG = { said: "0", right: false };
const READ = { said: "", right: null };

test("progress is a plain value that says what was done where", () => {
  const first = withDone({}, "calls", 1, RIGHT);
  const all = withDone(withDone(arrived(first, "calls", 3), "calls", 2, WRONG), "calls", 3, READ);
  assert.deepEqual(counted(first, "calls", 5), { done: 1, asked: 1, right: 1 });
  assert.deepEqual(counted(all, "calls", 5), { done: 3, asked: 2, right: 1 });
  assert.equal(inLesson(all, "calls").at, 3);
  assert.deepEqual(doneIn(all, "calls", 2), WRONG);
  assert.equal(doneIn(without(all, "calls", 2), "calls", 2), undefined);
  assert.equal(doneIn({}, "toString", 1), undefined);
});

test("every step with a wrong prediction is named, and no other", () => {
  const all = [WRONG, WRONG, READ, WRONG, RIGHT].reduce((progress, done, place) => withDone(progress, "calls", place + 1, done), {});
  assert.deepEqual(wrongIn(all, "calls", 6), [1, 2, 4]);
  assert.deepEqual([wrongIn(all, "calls", 3), wrongIn(all, "inputs", 6)], [[1, 2], []]);
});

test("progress is read as it was written", () => {
  const progress = arrived(withDone({}, "in-place", 2, RIGHT), "in-place", 2);
  assert.deepEqual(progressFrom(JSON.stringify(progress)), progress);
});

test("what the browser cannot have kept is left out", () => {
  assert.deepEqual(progressFrom(null), {});
  assert.deepEqual(progressFrom("{"), {});
  assert.deepEqual(progressFrom("[1]"), {});
  assert.deepEqual(progressFrom('{"a": 1, "b": {"at": -1, "steps": {"x": {}, "1": {"said": 1, "right": true}, "2": {"said": "", "right": null}}}}'), {
    b: { at: 1, steps: { 2: { said: "", right: null } } },
  });
});

test("steps that a lesson no longer has do not count", () => {
  assert.equal(counted(withDone({}, "a", 9, RIGHT), "a", 5).done, 0);
});

test("a choice is right by its place, a guess by how near it is", () => {
  const choice = { right: 2, alike: [], within: null, answer: "x" };
  assert.equal(isRight("2", choice), true);
  assert.equal(isRight("1", choice), false);
  assert.equal(isRight("", { ...choice, right: 0 }), false);
  assert.deepEqual(["0", "1", "2"].map((said) => isRight(said, { ...choice, alike: [0] })), [true, false, true]);
  const guess = { right: null, alike: [], within: 3, answer: "10 MB" };
  assert.equal(isRight("7", guess), true);
  assert.equal(isRight("6", guess), false);
});

test("each line knows as which it ran", () => {
  const orders = ordersOf([1, 4, 2, 4, 2, 4]);
  assert.deepEqual([...orders], [[1, [1]], [4, [2, 4, 6]], [2, [3, 5]]]);
  assert.equal(ordersSaid([1, 2, 3, 4]), "1…4");
  assert.equal(ordersSaid(orders.get(2) ?? []), "3 5");
  assert.equal(ordersSaid(orders.get(4) ?? []), "2 4 6");
});

test("letters and digits choose answers", () => {
  assert.deepEqual(["a", "B", "2", "4", "x", "Enter", "0"].map(placeOfKey), [0, 1, 1, 3, -1, -1, -1]);
});
