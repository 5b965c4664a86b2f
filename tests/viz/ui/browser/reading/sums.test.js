// Numbers as JSON has them, and sums by hand; tests/viz/readings/test_reading.py compares the sums with PyTorch.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { asNumber, furthestFromZero, normalSteps, seen, shares, sumOf } from "../../../../../viz/ui/browser/reading/sums.js";

/** @type {any} */
const WINDOWED = {
  kind: "convolution", formula: "", kernels: [[1, 2, 3, 4]],
  region: { channel: 0, top: -1, left: 0, rows: 2, columns: 3, values: [0, 0, 0, 5, 6, 7], padding: [true, true, true, false, false, false] },
};
/** @type {any} */
const CELL = { window: { rows: [-1, 0], columns: [1, 2], kernel: 0, others: 10, winner: null }, numbers: [{ name: "bias", value: 0.5 }], keys: null, total: 1 };

test("a window takes its numbers out of the region, by their places on the input", () => {
  assert.deepEqual(seen(WINDOWED, CELL), [0, 0, 6, 7]);
});

test("products, the other channels and the bias are added", () => {
  assert.deepEqual(sumOf(WINDOWED, CELL), { products: [0, 0, 18, 28], sum: 46, total: 56.5 });
});

test("the product that is pointed out may be below zero, and is not called the largest", async () => {
  assert.equal(furthestFromZero([3, -5, 4]), 1);
  const words = await readFile(new URL("../../../../../viz/ui/locale/english/number.py", import.meta.url), "utf8");
  assert.match(words, /\{product\} is the "\s+"product furthest from zero\."/);
});

test("padding that a maximum ignores is no number", () => {
  const pooling = { ...WINDOWED, kind: "pooling", kernels: [], region: { ...WINDOWED.region, values: [null, null, null, -5, -6, -7] } };
  const cell = { ...CELL, window: { ...CELL.window, kernel: null, winner: 2 }, numbers: [] };
  assert.equal(sumOf(pooling, cell).total, -6);
  assert.equal(sumOf(pooling, { ...cell, numbers: [{ name: "divisor", value: 4 }] }).total, -13 / 4);
});

test("numbers that JSON does not have count as what they are", () => {
  assert.deepEqual(["NaN", "∞", "−∞", 2, null].map((value) => asNumber(/** @type {any} */ (value))), [NaN, Infinity, -Infinity, 2, NaN]);
  const lost = { ...WINDOWED, region: { ...WINDOWED.region, values: [0, 0, 0, 0, "NaN", 1] } };
  assert.ok(Number.isNaN(sumOf(lost, CELL).total));
});

test("a normalisation is told step by step, also one that takes no mean away", () => {
  const numbers = Object.entries({ x: 7, mean: 1, variance: 3, eps: 1, weight: 2, bias: -1 }).map(([name, value]) => ({ name, value }));
  assert.deepEqual(normalSteps({ ...CELL, numbers }), { centred: 6, deviation: 2, whitened: 3, made: 5 });
  const square = Object.entries({ x: 6, "mean square": 9, eps: 0, weight: 2 }).map(([name, value]) => ({ name, value }));
  assert.deepEqual(normalSteps({ ...CELL, numbers: square }), { centred: 6, deviation: 3, whitened: 2, made: 4 });
  assert.equal(normalSteps({ ...CELL, numbers: [] }), null);
});

test("shares are one together, and a score of minus infinity has none", () => {
  const found = shares({ scores: [1000, 1000, "−∞"] });
  assert.deepEqual(found, [0.5, 0.5, 0]);
});

test("a kind that the page does not add up shows the server's number", () => {
  assert.deepEqual(sumOf({ ...WINDOWED, kind: "move" }, CELL), { products: [], sum: NaN, total: 1 });
});
