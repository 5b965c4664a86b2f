// Whether another server has taken over what a visitor had brought, by the names that it sends.

import assert from "node:assert/strict";
import test from "node:test";

import { isYetToCome } from "../../../../../viz/ui/browser/page/moving.js";

test("a session that has just begun has a sample, or other weights, in place of what is kept", () => {
  const own = { model: "lenet", lang: "zh", kept: "a token" };
  assert.ok(isYetToCome({ model: "lenet", lang: "zh", weights: "pretrained", sample: "coffee" }, own));
  assert.ok(isYetToCome({ model: "lenet", weights: "pretrained" }, own));
  assert.ok(!isYetToCome({ model: "lenet", lang: "zh" }, own));
});

test("what an address says of itself needs nothing to be taken over", () => {
  const sample = { model: "lenet", weights: "random", sample: "coffee" };
  assert.ok(!isYetToCome(sample, { ...sample, kept: "a token" }));
});

test("nothing is to come where nothing was asked for", () => {
  assert.ok(!isYetToCome({ sample: "coffee" }, {}));
  assert.ok(!isYetToCome({ sample: "coffee" }, { sample: "" }));
});
