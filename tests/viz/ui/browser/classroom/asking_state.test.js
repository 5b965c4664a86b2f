import assert from "node:assert/strict";
import { test } from "node:test";

import {
  answerText, asksForSizes, barsOf, heard, hidesShapes, isOpen, isRight, NOTHING, numberIn, shapeIn, sizesOf, tallied, typedAnswer,
} from "../../../../../viz/ui/browser/classroom/asking_state.js";

const WORDS = { asking_map: "channel" };
const question = (more = {}) => ({ asked: 1, kind: "choice", text: "Which?", choices: ["one", "two", "three"], layer: "", maps: 0, quiz: null, mine: [], revealed: null, ...more });
const told = (asked, more = {}) => ({ type: "question", told: { names: false, nickname: "", question: asked, ...more } });
const revealed = (right, more = {}) => ({ right, within: 0, explanation: "", answers: [], ...more });
const after = (...happenings) => happenings.reduce(heard, NOTHING);

test("an answer is one's own until the server says another, and none once it is shown", () => {
  const open = after(told(question()), { type: "answered", asked: 1, value: [2] });
  assert.deepEqual(open.mine, [2]);
  assert.deepEqual(heard(open, told(question({ mine: [1] }))).mine, [1]);
  const shown = heard(open, told(question({ mine: [2], revealed: revealed([0]) })));
  assert.equal(heard(shown, { type: "answered", asked: 1, value: [0] }), shown);
  assert.equal(heard(open, { type: "answered", asked: 7, value: [0] }), open);
});

test("answers belong to the question that they were given to", () => {
  const given = [{ number: 1, value: [0], right: null }];
  const open = after(told(question()), { type: "answers", told: { asked: 1, given } });
  assert.deepEqual(open.answers, given);
  assert.deepEqual(heard(open, told(question({ revealed: revealed([0]) }))).answers, given);
  assert.deepEqual(heard(open, told(question({ asked: 2 }))).answers, []);
  assert.equal(heard(open, { type: "answers", told: { asked: 2, given: [] } }), open);
});

test("that there are results stays true when the next question is asked, or none", () => {
  const told1 = { asked: 1, given: [], results: true };
  const shown = after(told(question()), { type: "answers", told: told1 });
  assert.deepEqual([NOTHING.results, shown.results], [false, true]);
  assert.deepEqual([heard(shown, told(question({ asked: 2 }))).results, heard(shown, told(null)).results], [true, true]);
});

test("out of the class nothing is asked", () => {
  assert.equal(after(told(question()), { type: "out" }), NOTHING);
  assert.equal(isOpen(NOTHING), false);
});

test("shapes are hidden while the class is asked for one, and no longer", () => {
  assert.equal(hidesShapes(after(told(question()))), false);
  assert.equal(hidesShapes(after(told(question({ kind: "shape", choices: [] })))), true);
  assert.equal(hidesShapes(after(told(question({ kind: "shape", choices: [], revealed: revealed([1]) })))), false);
});

test("a shape is read as people write it", () => {
  for (const typed of ["64×56×56", "64 x 56 X 56", "(64, 56, 56)", "[64,56,56]", "64 56 56", "64*56*56", "torch.Size([64, 56, 56])"]) assert.deepEqual(shapeIn(typed), [64, 56, 56], typed);
  for (const typed of ["", "big", "64×-1", "1.5x2", "1x2x3x4x5x6x7x8x9", "×"]) assert.equal(shapeIn(typed), null, typed);
});

test("of a layer's row the batch of one is left out", () => {
  assert.deepEqual(sizesOf("1 × 64 × 56 × 56"), [64, 56, 56]);
  assert.deepEqual(sizesOf("64 × 56 × 56"), [64, 56, 56]);
  assert.deepEqual(sizesOf("1"), [1]);
  assert.equal(sizesOf(""), null);
  assert.equal(sizesOf("2 tensors"), null);
});

test("a number is read with a point, a comma or a minus of any kind", () => {
  for (const [typed, number] of [["0.5", 0.5], ["0,5", 0.5], [" −3 ", -3], ["1e-3", 0.001], [".5", 0.5]]) assert.equal(numberIn(typed), number);
  for (const typed of ["", "1.2.3", "half", "0x10", "Infinity"]) assert.equal(numberIn(typed), null, typed);
});

test("a typed channel is one of the maps", () => {
  const maps = question({ kind: "map", choices: [], maps: 64 });
  assert.deepEqual(typedAnswer(maps, "63"), [63]);
  for (const typed of ["64", "-1", "1.5", "three"]) assert.equal(typedAnswer(maps, typed), null, typed);
  assert.deepEqual(typedAnswer({ ...maps, maps: 0 }, "999"), [999]);
});

test("an answer has a name", () => {
  assert.equal(answerText(question(), [1], WORDS), "two");
  assert.equal(answerText(question({ kind: "map" }), [3, 17], WORDS), "channel 3, channel 17");
  assert.equal(answerText(question({ kind: "shape" }), [64, 56], WORDS), "64\u00a0×\u00a056");
  assert.equal(answerText(question({ kind: "number" }), [-0.5], WORDS), "−0.5");
});

test("equal answers are counted together", () => {
  assert.deepEqual(tallied([{ value: [3, 4] }, { value: [5] }, { value: [3, 4] }]), [{ value: [3, 4], count: 2 }, { value: [5], count: 1 }]);
});

test("choices keep their places, also those that nobody chose", () => {
  const { bars, others } = barsOf(question(), [{ value: [2], count: 5 }], [2], WORDS);
  assert.deepEqual(bars.map(({ label, count, mine }) => [label, count, mine]), [["one", 0, false], ["two", 0, false], ["three", 5, true]]);
  assert.equal(others, 0);
});

test("of many answers those that most have given are shown, the right one and one's own", () => {
  const tallies = Array.from({ length: 30 }, (_, place) => ({ value: [place], count: place < 7 ? 9 : 1 }));
  const { bars, others } = barsOf(question({ kind: "number", choices: [], revealed: revealed([29]) }), tallies, [28], WORDS);
  assert.deepEqual(bars.map(({ value }) => value[0]), [0, 1, 2, 3, 4, 5, 6, 28, 29]);
  assert.equal(others, 21);
  assert.deepEqual(bars.filter(({ right }) => right).map(({ value }) => value), [[29]]);
});

test("a right answer that nobody gave stands among the others", () => {
  const { bars } = barsOf(question({ kind: "shape", choices: [], revealed: revealed([64, 56]) }), [{ value: [3, 3], count: 2 }], [], WORDS);
  assert.deepEqual(bars.map(({ value, count, right }) => [value, count, right]), [[[3, 3], 2, false], [[64, 56], 0, true]]);
});

test("before it is shown nothing is right", () => {
  assert.equal(isRight(question(), [0]), false);
  assert.equal(isRight(question({ revealed: revealed([0]) }), [0]), true);
  assert.equal(isRight(question({ kind: "number", revealed: revealed([0.3], { within: 0.1 }) }), [0.4]), true);
  assert.equal(isRight(question({ kind: "map", revealed: revealed([3, 17]) }), [17]), true);
  assert.equal(isRight(question({ revealed: revealed([]) }), []), false);
});

test("a question of sizes is one whose choices are sizes too", () => {
  const ask = (...choices) => asksForSizes({ kind: "choice", choices });
  assert.deepEqual([ask("one pixel", "3 × 3 pixels"), ask("(1, 3, 32, 32)", "(5,)"), ask("64x56")], [true, true, true]);
  assert.deepEqual([ask("yes", "no"), ask("Conv2d", "2"), ask("f(x)")], [false, false, false]);
  assert.equal(asksForSizes({ kind: "shape", choices: [] }), true);
  assert.equal(hidesShapes(after(told(question({ choices: ["one pixel", "3×3"] })))), true);
  assert.equal(hidesShapes(after(told(question({ choices: ["one pixel", "3×3"], revealed: revealed([1]) })))), false);
});
