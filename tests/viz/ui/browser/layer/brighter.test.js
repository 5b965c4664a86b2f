// Brighter colours are offered where a hundredth of the values takes most of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isPale } from "../../../../../viz/ui/browser/layer/brighter.js";

/** @type {(histogram: number[], minimum: number | null, maximum: number | null, signed?: boolean) => any} */
const facts = (histogram, minimum, maximum, signed = true) => ({ histogram, statistics: { minimum, maximum }, signed, scale: "layer" });

test("one value far from a thousand others makes them pale", () => {
  assert.equal(isPale(facts([1, 0, 0, 0, 500, 500, 0, 0, 0, 1], -10, 10)), true);
});

test("values that fill their range are not pale", () => {
  assert.equal(isPale(facts([100, 100, 100, 100], -1, 1)), false);
});

test("more than a hundredth at an end belongs to the range", () => {
  assert.equal(isPale(facts([0, 0, 0, 0, 940, 0, 0, 0, 0, 60], -10, 10)), false);
});

test("around zero the farther end counts, and elsewhere the way from the lowest value", () => {
  const counts = [995, 5, 0, 0, 0, 0, 0, 0, 0, 0];
  assert.equal(isPale(facts(counts, -10, 1)), false); // most values are the strongest there are
  assert.equal(isPale(facts(counts, 0, 10, false)), true);
  assert.equal(isPale(facts([...counts].reverse(), 0, 10, false)), false); // gates that are open: they have the strongest colours
});

test("a constant layer, or one without finite values, is never pale", () => {
  assert.equal(isPale(facts([9], 2, 2)), false);
  assert.equal(isPale(facts([], null, null)), false);
});
