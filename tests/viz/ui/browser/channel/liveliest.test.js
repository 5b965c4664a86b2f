// As long as nobody has chosen a channel, one with something to see is shown.

import assert from "node:assert/strict";
import { test } from "node:test";

import { liveliest } from "../../../../../viz/ui/browser/channel/liveliest.js";

/** @type {(variance: any[], order?: number[], mean?: any[]) => any} */
const facts = (variance, order = [], mean = variance.map(() => 0)) => ({ channels: { variance, mean }, geometry: { order } });

test("the channel that varies most is shown, and the first of two equal ones", () => {
  assert.equal(liveliest(facts([0, 2, 5, 5, 1])), 2);
});

test("a channel without a finite variance is not chosen for it", () => {
  assert.equal(liveliest(facts(["NaN", "Infinity", null, 0.1])), 3);
});

test("of single numbers, as of classes, the largest is shown, and the first of two equal ones", () => {
  assert.equal(liveliest(facts([0, 0, 0, 0], [], [-7, -2.5, "NaN", -2.5])), 1);
});

test("where no channel says more than another, the first one is shown", () => {
  assert.equal(liveliest(facts([0, 0, 0])), 0);
});

test("an order of the mosaic decides by its own rule", () => {
  assert.equal(liveliest(facts([0, 9, 1], [2, 1, 0])), 2);
});
