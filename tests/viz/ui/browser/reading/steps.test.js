// The steps of a reading: which numbers come in phases, and which window is nearest.

import assert from "node:assert/strict";
import { test } from "node:test";

import { beginOf, nearest, phasesOf, reached, stepOf, stepsOf } from "../../../../../viz/ui/browser/reading/steps.js";

/** @type {any} */
const CELL = { window: null, keys: null, numbers: [] };

/** @param {Record<string, unknown>} said @returns {any} */
function reading(said, count = 36) {
  return { kind: "", region: null, kernels: [], curve: null, spreads: [], cells: Array.from({ length: count }, () => CELL), ...said };
}

test("each kind has its phases, and ends with the number itself", () => {
  const keys = [{ ...CELL, keys: {} }];
  const made = [
    reading({ region: {}, kernels: [[1]] }), reading({ region: {} }), reading({ spreads: [{}] }), reading({ curve: {} }),
    reading({ kind: "softmax", cells: keys }), reading({ kind: "attention", cells: keys }), reading({}),
  ].map(phasesOf);
  assert.deepEqual(made.map((phases) => phases.length), [4, 2, 4, 3, 2, 5, 2]);
  assert.ok(made.every((phases) => phases.at(-1) === "total" && new Set(phases).size === phases.length));
});

test("the first two numbers come in phases, the others at once, and each of them ends", () => {
  const steps = stepsOf(reading({ region: {}, kernels: [[1]] }));
  assert.equal(steps.length, 2 * 4 + 34);
  assert.deepEqual(steps.slice(0, 5).map(({ cell, phase }) => `${cell} ${phase}`), ["0 window", "0 products", "0 sum", "0 total", "1 window"]);
  assert.deepEqual(steps.filter(({ phase }) => phase === "total").map(({ cell }) => cell), Array.from({ length: 36 }, (_, cell) => cell));
  assert.deepEqual([stepOf(steps, 0), stepOf(steps, 35), beginOf(steps, 1), stepOf(steps, 99)], [3, steps.length - 1, 4, -1]);
});

test("the number that was chosen comes in phases, wherever it is in the block", () => {
  const steps = stepsOf(reading({ region: {}, kernels: [[1]] }), 20);
  assert.equal(steps.length, 3 * 4 + 33);
  assert.deepEqual([steps[beginOf(steps, 20)].phase, steps[stepOf(steps, 20)].phase], ["window", "total"]);
});

test("few numbers all come in phases", () => {
  assert.equal(stepsOf(reading({ kind: "attention", cells: Array(4).fill({ ...CELL, keys: {} }) })).length, 20);
});

test("a step has reached its own phase and those before it", () => {
  const phases = phasesOf(reading({ region: {}, kernels: [[1]] }));
  const step = { cell: 0, phase: /** @type {const} */ ("sum") };
  assert.deepEqual(phases.map((phase) => reached(phases, step, phase)), [true, true, true, false]);
});

test("the window whose middle is nearest to the pointer is taken", () => {
  /** @type {any} */
  const cells = [0, 2, 4].flatMap((row) => [0, 2, 4].map((column) => ({ window: { rows: [row, row + 1, row + 2], columns: [column, column + 1, column + 2] } })));
  assert.deepEqual([[1, 1], [3, 3], [2.9, 5.4], [-7, 90]].map(([row, column]) => nearest(cells, row, column)), [0, 4, 5, 2]);
});
