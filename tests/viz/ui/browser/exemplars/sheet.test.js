// What is said of how a channel's values spread.

import assert from "node:assert/strict";
import { test } from "node:test";

import { spreadSaid } from "../../../../../viz/ui/browser/exemplars/sheet.js";

const words = /** @type {any} */ ({ exemplars_here: "{value}, more than {below} of {count}", exemplars_spread: "over {count} pictures" });

test("pictures without a number are not among those that are counted", () => {
  const spread = { low: 0, high: 3, counts: [2, 0, 1], here: 2.5, below: 2 }; // of four pictures, one had NaN
  assert.equal(spreadSaid(spread, words), "2.5, more than 2 of 3");
  assert.equal(spreadSaid({ ...spread, here: null }, words), "over 3 pictures");
});
