// Sizes of kernels in words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { kernelSize } from "../../../../../viz/ui/browser/maps/kernels.js";

test("a volume's kernel has three sides, though its slices are drawn below each other", () => {
  assert.equal(kernelSize({ kernels: { height: 5, width: 4 }, depth: 1 }), "5 × 4");
  assert.equal(kernelSize({ kernels: { height: 10, width: 4 }, depth: 2 }), "2 × 5 × 4");
});
