// What the colours stand for, in words: the numbers are those of the colours themselves.

import assert from "node:assert/strict";
import { test } from "node:test";

import { scaleNote } from "../../../../../viz/ui/browser/maps/scales.js";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });

const words = /** @type {any} */ ({ scale_clipped_note: "from the 1st to the 99th: {low} to {high}", scale_clipped_signed_note: "alike around zero: {low} to {high}", scale_unclipped_note: "all, {low} to {high}", stretched_note: "by the root from {least}", stretched_each_note: "by the root of each" });
/** @type {(vmin: number, vmax: number, signed: boolean, beyond?: number) => string} */
const note = (vmin, vmax, signed, beyond = 0.02) => scaleNote(/** @type {any} */ ({ colormap: "viridis", scale: "clipped", vmin, vmax, beyond, signed }), words, false);

test("limits alike around zero are not said to be the two percentiles", () => {
  assert.equal(note(-12.06, 12.06, true), "alike around zero: −12.06 to 12.06");
  assert.equal(note(0.5, 5.95, false), "from the 1st to the 99th: 0.5 to 5.95");
});

test("colours beyond which nothing lies are not said to end at percentiles", () => {
  assert.equal(note(0, 12.3, false, 0), "all, 0 to 12.3");
  assert.equal(note(-12.3, 12.3, true, 0), "all, −12.3 to 12.3");
});

test("stretched colours are said beside the scale, or alone", () => {
  /** @type {(scale: string, vmin: number | number[], signed?: boolean) => string} */
  const said = (scale, vmin, signed = false) => scaleNote(/** @type {any} */ ({ colormap: "viridis_root", scale, vmin, vmax: 2, beyond: 0, signed }), words, false);
  assert.equal(said("clipped", 0), "all, 0 to 2 · by the root from 0");
  assert.equal(said("layer", 1.5), "by the root from 1.5");
  assert.equal(said("layer", -2, true), "by the root from 0");
  assert.equal(said("layer", [0, 1]), "by the root of each");
});
