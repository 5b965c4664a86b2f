// The order in which the arrow keys go through a model.

import assert from "node:assert/strict";
import { test } from "node:test";

import { stopAfter, wayThrough } from "../../../../../viz/ui/browser/layer/way.js";

// A block of two convolutions that share a ReLU, as in a ResNet, and a layer that did not run.
const ROWS = [
  { name: "block", calls: 1, ends: [4] },
  { name: "block.conv1", calls: 1, ends: [0] },
  { name: "block.relu", calls: 2, ends: [1, 3] },
  { name: "block.spare", calls: 0, ends: [] },
  { name: "block.conv2", calls: 1, ends: [2] },
  { name: "fc", calls: 1, ends: [5] },
];
const WAY = wayThrough(ROWS);

/** @type {(layer: string, call: number, by: number) => string} */
function after(layer, call, by) {
  const stop = stopAfter(WAY, ROWS, { layer, call }, by);
  return stop ? `${stop.row.name} ${stop.call}` : "";
}

test("calls come in the order in which they ended, a block after what it contains", () => {
  const expected = ["block.conv1 0", "block.relu 0", "block.conv2 0", "block.relu 1", "block 0", "fc 0"];
  assert.deepEqual(WAY.map(({ row, call }) => `${row.name} ${call}`), expected);
});

test("a step goes to the next call, whichever layer it is of", () => {
  assert.equal(after("block.relu", 0, 1), "block.conv2 0");
  assert.equal(after("block.relu", 1, -1), "block.conv2 0");
  assert.equal(after("block.conv2", 0, 2), "block 0");
});

test("there is nothing before the first call and after the last", () => {
  assert.equal(after("block.conv1", 0, -1), "");
  assert.equal(after("fc", 0, 1), "");
});

test("from a layer that did not run, one goes on to what ran beside it in the tree", () => {
  assert.equal(after("block.spare", 0, 1), "block.conv2 0");
  assert.equal(after("block.spare", 0, -1), "block.relu 1");
});
