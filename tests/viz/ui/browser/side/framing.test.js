// Where the frame on the picture may be.

import assert from "node:assert/strict";
import { test } from "node:test";

import { boxOf, cropOf, resized, scaled, seenOf, squareOf, within } from "../../../../../viz/ui/browser/side/framing.js";

const INNER = boxOf([0.0625, 0.0625, 0.9375, 0.9375]); // 224 of 256
const SIZE = { width: 600, height: 400 };

test("the frame is what the model sees of the square, and tells the square", () => {
  const square = { left: 100, top: 40, side: 160 };
  const seen = seenOf(square, INNER);
  assert.deepEqual(seen, { left: 110, top: 50, right: 250, bottom: 190 });
  assert.deepEqual(squareOf(seen, INNER, SIZE), square);
});

test("a square stays in the picture, and its size between what one can see and what fits", () => {
  assert.deepEqual(within({ left: 590, top: -20, side: 100 }, SIZE), { left: 500, top: 0, side: 100 });
  assert.deepEqual(within({ left: 0, top: 0, side: 1000 }, SIZE), { left: 0, top: 0, side: 400 });
  assert.equal(within({ left: 0, top: 0, side: 1 }, SIZE).side, 16);
  assert.equal(within({ left: 0, top: 0, side: 1 }, { width: 9, height: 12 }).side, 9);
});

test("a dragged corner leaves the opposite one where it is", () => {
  const square = { left: 200, top: 100, side: 160 };
  const before = seenOf(square, INNER);
  for (const [corner, by, kept] of [["se", { x: 20, y: 20 }, ["left", "top"]], ["nw", { x: 20, y: 20 }, ["right", "bottom"]], ["ne", { x: 14, y: -14 }, ["left", "bottom"]], ["sw", { x: -7, y: 7 }, ["right", "top"]]]) {
    const after = seenOf(resized(square, corner, by, INNER, SIZE), INNER);
    for (const end of kept) assert.ok(Math.abs(after[end] - before[end]) < 1e-9, `${corner} ${end}`);
    assert.notEqual(after.right - after.left, before.right - before.left);
  }
});

test("a dragged corner follows the pointer", () => {
  const square = { left: 200, top: 100, side: 160 };
  const after = seenOf(resized(square, "se", { x: 20, y: 20 }, INNER, SIZE), INNER);
  assert.ok(Math.abs(after.right - seenOf(square, INNER).right - 20) < 1e-9);
});

test("a size chosen by key keeps the middle", () => {
  const { left, top, side } = scaled({ left: 200, top: 100, side: 100 }, 1.1, SIZE);
  assert.ok(Math.abs(left + side / 2 - 250) < 1e-9 && Math.abs(top + side / 2 - 150) < 1e-9 && Math.abs(side - 110) < 1e-9);
});

test("an address says whole pixels that are in the picture", () => {
  assert.equal(cropOf({ left: 10.4, top: 0.6, side: 99.5 }, SIZE), "10,1,100,100");
  assert.equal(cropOf({ left: 500.4, top: 300.4, side: 99.7 }, SIZE), "500,300,100,100");
});
