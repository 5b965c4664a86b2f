// One sentence says what is on screen before any number does.

import assert from "node:assert/strict";
import { test } from "node:test";

import { sentenceOf } from "../../../../../viz/ui/browser/layer/sentence.js";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });

/** @type {any} */
const WORDS = {
  sentence_maps: { one: "1 map of {height} × {width}", other: "{count} maps of {height} × {width}" },
  sentence_numbers: { one: "1 number", other: "{count} numbers" },
  sentence_made: "{what}: {made}.", sentence_given: "{what}: given.", sentence_gradient: "{what}: gradient.",
};

/** @type {(channels: number, side: number, leaf?: string, gradient?: boolean) => string} */
function said(channels, side, leaf = "output", gradient = false) {
  const geometry = { channels, map_height: side, map_width: side };
  return sentenceOf({ leaf, geometry }, "what it makes", gradient, WORDS);
}

test("maps are counted and measured, single numbers only counted", () => {
  assert.equal(said(32, 112), "32 maps of 112 × 112: what it makes.");
  assert.equal(said(1, 112), "1 map of 112 × 112: what it makes.");
  assert.equal(said(1000, 1), "1000 numbers: what it makes.");
});

test("an input and a gradient are not said to be made by the layer", () => {
  assert.equal(said(3, 224, "inputs[0]"), "3 maps of 224 × 224: given.");
  assert.equal(said(3, 224, "output", true), "3 maps of 224 × 224: gradient.");
});
