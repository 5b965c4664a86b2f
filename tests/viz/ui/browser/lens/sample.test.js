// What numbers of a sample say.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isByChance, isPreference, isTooSmall } from "../../../../../viz/ui/browser/lens/sample.js";

const SAMPLE = { pictures: 20, chance: 0.4, needed: 12 };

test("a number says nothing up to what chance reaches, and none says nothing at all", () => {
  assert.deepEqual([0.4, 0.41, -0.2, null].map((value) => isByChance(value, SAMPLE)), [true, false, true, false]);
  assert.equal(isByChance(0.1, null), false);
});

test("a sample is too small below the pictures that it takes", () => {
  assert.deepEqual([11, 12].map((pictures) => isTooSmall({ ...SAMPLE, pictures })), [true, false]);
  assert.equal(isTooSmall(null), false);
});

test("a class is preferred, or not, only beyond what chance reaches", () => {
  assert.deepEqual([0.9, 0.91, -0.9, -1, null].map((score) => isPreference(score, 0.9)), [false, true, false, true, false]);
});
