import assert from "node:assert/strict";
import { test } from "node:test";

import { columnsIn, columnsText, isSameColumn, moved } from "../../../../../viz/ui/browser/figure/columns.js";

const COLUMNS = [
  { model: "lenet", weights: "pretrained", layer: "conv2", call: 0 },
  { model: "timm/resnet18", weights: "random", layer: "layer1.0 › add:;@", call: 1 },
];

test("columns are read as they were written, as Python reads them", () => {
  const text = columnsText(COLUMNS);
  assert.equal(text, "lenet:pretrained:conv2;timm%2Fresnet18:random:layer1.0%20%E2%80%BA%20add%3A%3B%40@2");
  assert.deepEqual(columnsIn(text), COLUMNS);
});

test("what is no column is left out, and a broken escape is text", () => {
  assert.deepEqual(columnsIn(""), []);
  assert.deepEqual(columnsIn("lenet;lenet:own:conv2;lenet:random:a@0"), []);
  assert.deepEqual(columnsIn("lenet:random:%E2").map(({ layer }) => layer), ["%E2"]);
});

test("the same layer of untrained weights, or its second call, is another column", () => {
  const [column] = COLUMNS;
  assert.ok(isSameColumn(column, { ...column }));
  assert.ok(!isSameColumn(column, { ...column, weights: "random" }));
  assert.ok(!isSameColumn(column, { ...column, call: 1 }));
});

test("one goes a place on or back, and stays at the ends", () => {
  assert.deepEqual(moved(["a", "b", "c"], 0, 1), ["b", "a", "c"]);
  assert.deepEqual(moved(["a", "b", "c"], 2, -1), ["a", "c", "b"]);
  assert.deepEqual(moved(["a", "b", "c"], 0, -1), ["a", "b", "c"]);
});
