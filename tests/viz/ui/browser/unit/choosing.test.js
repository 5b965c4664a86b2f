import assert from "node:assert/strict";
import { test } from "node:test";

import { FIRST } from "../../../../../viz/ui/browser/look/fields.js";
import { lookToQuery } from "../../../../../viz/ui/browser/look/look.js";
import { layerOf, unitOf } from "../../../../../viz/ui/browser/unit/choosing.js";

const look = Object.freeze({ ...FIRST, layer: "conv1", channel: 3, leaf: "output[1]", kind: "table", row: 2, index: 4, colormap: "gray", edit: "conv1:zero:2", step: 7 });

test("a unit is another layer, call and channel with the same colours and edits", () => {
  const next = unitOf(look, { layer: "conv2", call: 1, channel: 5 });
  assert.equal(lookToQuery(next), "view=unit&layer=conv2&call=2&channel=5&colormap=gray&edit=conv1%3Azero%3A2");
  assert.ok(Object.isFrozen(next));
});

test("a unit of the same layer is that layer's usual value", () => {
  const next = unitOf(look, { layer: "conv1", call: 0, channel: 5 });
  assert.deepEqual([next.leaf, next.kind, next.row, next.index, next.channel], [FIRST.leaf, FIRST.kind, 0, 0, 5]);
});

test("what only some layouts have is left out, and nothing else", () => {
  const { leaf, kind, row, index, ...rest } = layerOf(look);
  assert.deepEqual({ leaf, kind, row, index }, { leaf: FIRST.leaf, kind: FIRST.kind, row: FIRST.row, index: FIRST.index });
  assert.deepEqual({ ...look, ...rest }, look);
});
