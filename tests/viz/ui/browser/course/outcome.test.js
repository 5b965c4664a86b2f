import assert from "node:assert/strict";
import { test } from "node:test";

import { unitOf } from "../../../../../viz/ui/browser/course/outcome.js";

test("a number that is said gets the unit of the answer", () => {
  assert.equal(unitOf("32 MB"), " MB");
  assert.equal(unitOf("30%"), "%");
  assert.equal(unitOf("−1.5 %"), " %");
  assert.equal(unitOf("10"), "");
});
