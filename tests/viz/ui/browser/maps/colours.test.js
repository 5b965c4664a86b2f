// The numbers beside a bar of colours: both ends, and round ones that have room.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limits, ticksBetween } from "../../../../../viz/ui/browser/maps/colours.js";

test("between the ends stand round numbers, zero among them", () => {
  assert.deepEqual(ticksBetween(-24.48, 18.84, 352), [-24.48, 0, 18.84]);
  assert.deepEqual(ticksBetween(0, 6, 352), [0, 2, 4, 6]);
});

test("a number that would run into another is left out", () => {
  assert.deepEqual(ticksBetween(-0.007889, 0.006311, 352), [-0.007889, 0, 0.006311]);
  assert.deepEqual(ticksBetween(-1, 1, 20, true), [-1, 1]);
});

test("equal ends are one number, and so are ends whose difference no number holds", () => {
  assert.deepEqual(ticksBetween(3, 3, 352), [3]);
  assert.deepEqual(ticksBetween(-Number.MAX_VALUE, Number.MAX_VALUE, 352), [-Number.MAX_VALUE]);
});

test("each channel may have limits of its own", () => {
  assert.deepEqual(limits({ colormap: "viridis", vmin: [0, 1], vmax: [2, 3] }, 1), [1, 3]);
  assert.deepEqual(limits({ colormap: "viridis", vmin: -1, vmax: 1 }, 7), [-1, 1]);
});
