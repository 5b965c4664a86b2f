import assert from "node:assert/strict";
import { test } from "node:test";

import { cellInWords, pairAsked, scaleInWords, shareScale, sideAsked } from "../../../../../viz/ui/browser/compare/pairs.js";
import { FIRST } from "../../../../../viz/ui/browser/look/fields.js";

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

test("a comparison is never asked for with a scale for each channel", () => {
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

const WORDS = {
  pair_scale: "both {low} to {high}", pair_scale_clipped: "both clipped", pair_scale_model: "both models",
  pair_scale_apart: "each", pair_scale_clipped_apart: "each clipped", pair_scale_model_apart: "models alone",
  pair_cell: "{channel},{y},{x}: A = {left} B = {right} A − B = {difference}", pair_cell_apart: "{channel},{y},{x}: {side} = {value}",
};
const page = (scale, beyond = 0.02) => ({ facts: { scale, vmin: 1, vmax: 2, beyond } });
const sides = (scale, ...names) => Object.fromEntries(names.map((name) => [name, page(scale)]));

test("sides without a difference have a scale each, unless it is the models'", () => {
  for (const [scale, both, alone] of [["layer", "both 1 to 2", "each"], ["clipped", "both clipped", "each clipped"], ["model", "both models", "models alone"]]) {
    const [together, apart] = [sides(scale, "left", "right", "difference"), sides(scale, "left", "right")];
    assert.deepEqual([scaleInWords(together, WORDS), scaleInWords(apart, WORDS)], [both, alone]);
    assert.deepEqual([shareScale(together), shareScale(apart)], [true, scale === "model"]);
    assert.equal(scaleInWords(sides(scale, "right"), WORDS), "");
  }
});

test("sides of which no value is beyond their colours are not said to be clipped", () => {
  const [left, right] = [page("clipped", 0), page("clipped", 0)];
  assert.equal(scaleInWords({ left, right, difference: left }, WORDS), "both 1 to 2");
  assert.equal(scaleInWords({ left, right }, WORDS), "each");
  assert.equal(scaleInWords({ left, right: page("clipped"), difference: left }, WORDS), "both clipped");
  assert.equal(scaleInWords({ left, right, difference: page("clipped") }, WORDS), "both clipped");
});

test("a cell of one side alone tells no difference", () => {
  const at = { channel: 3, y: 1, x: 2 };
  const both = { sides: sides("layer", "left", "right", "difference") };
  assert.equal(cellInWords(both, "right", at, { left: 5, right: 2 }, WORDS), "3,1,2: A = 5 B = 2 A − B = 3");
  assert.equal(cellInWords(both, "right", at, { left: 5 }, WORDS), "3,1,2: A = 5 B = – A − B = –");
  const apart = { sides: sides("layer", "left", "right") };
  assert.equal(cellInWords(apart, "left", at, { left: 5 }, WORDS), "3,1,2: A = 5");
  assert.equal(cellInWords(apart, "right", at, {}, WORDS), "3,1,2: B = –");
});
