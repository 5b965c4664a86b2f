// What the colours stand for, in words: the numbers are those of the colours themselves.

import assert from "node:assert/strict";
import { test } from "node:test";

import { scaleNote } from "../../../../../viz/ui/browser/maps/scales.js";

const words = /** @type {any} */ ({ scale_clipped_note: "from the 1st to the 99th: {low} to {high}", scale_clipped_signed_note: "alike around zero: {low} to {high}" });
/** @type {(vmin: number, vmax: number, signed: boolean) => string} */
const note = (vmin, vmax, signed) => scaleNote(/** @type {any} */ ({ scale: "clipped", vmin, vmax, beyond: null, signed }), words, false);

test("limits alike around zero are not said to be the two percentiles", () => {
  assert.equal(note(-12.06, 12.06, true), "alike around zero: −12.06 to 12.06");
  assert.equal(note(0.5, 5.95, false), "from the 1st to the 99th: 0.5 to 5.95");
});
