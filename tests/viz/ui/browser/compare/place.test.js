import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { callBeside, callsOffered, layerBeside } from "../../../../../viz/ui/browser/compare/place.js";
import { FIRST } from "../../../../../viz/ui/browser/look/fields.js";

const VECTORS = JSON.parse(readFileSync(new URL("../../../../beside_vectors.json", import.meta.url), "utf-8"));
const rows = (name) => VECTORS[name].map(([layer, calls]) => ({ name: layer, calls, operation: layer.includes("›") }));
const [ours, theirs] = [rows("ours"), rows("theirs")];
const first = theirs.find(({ name }) => name === VECTORS.first);

test("the other side is where Python and the browser say", () => {
  for (const { look: said, layer, call } of VECTORS.cases) {
    const look = { ...FIRST, ...said };
    const row = layerBeside(ours, theirs, look, first);
    assert.deepEqual([row.name, callBeside(row, look)], [layer, call], JSON.stringify(said));
  }
});

test("only a chosen layer offers calls", () => {
  const relu = ours.find(({ name }) => name === "relu");
  assert.deepEqual(callsOffered(relu, { ...FIRST, with_layer: "relu" }), ["2", "3"]);
  assert.deepEqual(callsOffered(relu, { ...FIRST, layer: "relu" }), []);
});
