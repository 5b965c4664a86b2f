// Numbers in squares and on axes: few digits, the same for all of a grid.

import assert from "node:assert/strict";
import { test } from "node:test";

import { along, ticks } from "../../../../../viz/ui/browser/reading/axis.js";
import { largest, signedColour, squareText } from "../../../../../viz/ui/browser/reading/squares.js";

test("all numbers of a grid have as many digits after the point", () => {
  assert.deepEqual([1.234, -0.001, 0, -0.5].map((value) => squareText(value, 1.234)), ["1.23", "0.00", "0", "−0.50"]);
  assert.deepEqual([123.4, -5].map((value) => squareText(value, 123.4)), ["123", "−5"]);
  assert.deepEqual([12.34, -0.25].map((value) => squareText(value, 12.34)), ["12.3", "−0.3"]);
  assert.equal(squareText(0.0123, 0.02), "0.012");
});

test("very small and very large grids say so, and what is no number stays a word", () => {
  assert.equal(squareText(0.000123, 0.0002), "1.2e−4");
  assert.equal(squareText(123456, 123456), "1.2e+5");
  assert.equal(squareText("NaN", 1), "NaN");
});

test("no number of a square is wider than six signs", () => {
  for (const most of [0.01, 0.0945, 0.0955, 0.95, 9.94, 9.96, 99.4, 99.6, 9999]) {
    for (const value of [most, -most, most / 3, -most / 70]) assert.ok(squareText(value, most).length <= 6, squareText(value, most));
  }
});

test("colours are red above zero and blue below it, and none for nothing", () => {
  assert.match(signedColour(1, 1), /#c8553d 55/);
  assert.match(signedColour(-0.5, 1), /#4a78c8 27/);
  assert.deepEqual([signedColour(0, 1), signedColour(null, 1), signedColour("NaN", 1)], ["transparent", "transparent", "transparent"]);
  assert.equal(largest([null, -3, 2, "∞"]), 3);
});

test("an axis has a few round numbers within it", () => {
  assert.deepEqual(ticks(-2.3, 2.3), [-2, -1, 0, 1, 2]);
  assert.deepEqual(ticks(0, 0.07), [0, 0.02, 0.04, 0.06]);
  assert.deepEqual(ticks(5, 5), [5]);
  for (const [low, high] of [[-1e-6, 3e-6], [0, 1e9], [-17.3, 4.9]]) {
    const found = ticks(low, high);
    assert.ok(found.length >= 3 && found.length <= 7 && found[0] >= low && found[found.length - 1] <= high * (1 + 1e-9), String(found));
  }
});

test("a number lies on its axis, or at the end that it is beyond", () => {
  const scale = { low: -1, high: 3, from: 10, length: 100 };
  assert.deepEqual([-1, 1, 3, 9, -9].map((value) => along(scale, value)), [10, 60, 110, 110, 10]);
  assert.equal(along({ ...scale, low: 2, high: 2 }, 2), 60);
});
