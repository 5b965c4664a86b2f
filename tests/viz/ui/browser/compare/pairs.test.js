import assert from "node:assert/strict";
import { test } from "node:test";

import { pairAsked, sideAsked } from "../../../../../viz/ui/browser/compare/pairs.js";
import { FIRST } from "../../../../../viz/ui/browser/look/look.js";

const ROOM = { query: () => "room=300x200" };
const OTHER = { subject: "b0b", chosen: { with_edits: "same", with_order: "difference" } };
const BESIDE = { row: { name: "conv2" }, call: 1 };
const asked = (look, other = OTHER) => Object.fromEntries(new URLSearchParams(pairAsked("a11ce", { ...FIRST, ...look }, other, BESIDE, ROOM).query));

test("a pair is asked for by what decides how both sides are drawn, and nothing else", () => {
  const look = { layer: "conv1", call: 2, colormap: "hot", edit: "conv1:zero", channel: 5, kind: "table", view: "compare", present: true };
  assert.deepEqual(asked(look), {
    layer: "conv1", call: "3", colormap: "hot", edit: "conv1:zero", with_layer: "conv2", with_call: "2", with_order: "difference", with: "b0b", room: "300x200",
  });
  assert.deepEqual(asked({ ...look, channel: 7, kind: "auto", row: 3 }), asked(look));
});

test("both sides share a scale", () => {
  assert.equal(asked({ scale: "channel" }).scale, undefined);
  assert.equal(asked({ scale: "clipped" }).scale, "clipped");
});

test("a side without edits is asked for without them", () => {
  const other = { ...OTHER, chosen: { ...OTHER.chosen, with_edits: "none" } };
  assert.equal(asked({ edit: "conv1:zero", with_edits: "none" }, other).with_edits, "none");
  assert.equal(asked({ edit: "conv1:zero", with_edits: "nonsense" }).with_edits, undefined);
  const look = { ...FIRST, layer: "conv1", edit: "conv1:zero" };
  const place = { layer: "conv2", call: 0 };
  assert.equal(sideAsked("b0b", look, place, false).query, "layer=conv2");
  assert.equal(sideAsked("b0b", look, place, true).query, "layer=conv2&edit=conv1%3Azero");
});
