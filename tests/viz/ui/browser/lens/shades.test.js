// Colours of deviations and shares, and where arrow keys lead.

import assert from "node:assert/strict";
import { test } from "node:test";

import { deviationShade, mostOf, movedBy, shareShade } from "../../../../../viz/ui/browser/lens/shades.js";

/** @param {readonly number[]} rgb */
const brightness = ([red, green, blue]) => 0.3 * red + 0.6 * green + 0.1 * blue;

test("above is red, below is blue, nothing is grey, and zero is the page's colour", () => {
  for (const dark of [false, true]) {
    const [above, below, zero] = [2, -2, 0].map((value) => deviationShade(value, 2, dark));
    assert.ok(above[0] > above[2] && below[2] > below[0]);
    assert.equal(brightness(zero) > 128, !dark);
    assert.deepEqual(deviationShade(null, 2, dark), [140, 140, 140]);
    assert.deepEqual(deviationShade(99, 2, dark), above);
  }
});

test("the further from zero, the further from the page's colour", () => {
  for (const dark of [false, true]) {
    const steps = [0, 0.25, 0.5, 0.75, 1].map((value) => brightness(shareShade(value, dark)));
    const sorted = [...steps].sort((one, other) => (dark ? one - other : other - one));
    assert.deepEqual(steps, sorted);
    assert.deepEqual(shareShade(-0.1, dark), shareShade(0, dark));
  }
});

test("the scale ends at the largest deviation, and never at zero", () => {
  assert.equal(mostOf([[0.5, -3], [null, 2]]), 3);
  assert.ok(mostOf([[0, null]]) > 0);
});

test("arrow keys stay in the table", () => {
  const size = { rows: 30, columns: 4 };
  assert.deepEqual(movedBy("ArrowDown", { row: 1, column: 1 }, size), { row: 2, column: 1 });
  assert.deepEqual(movedBy("ArrowLeft", { row: 1, column: 0 }, size), { row: 1, column: 0 });
  assert.deepEqual(movedBy("PageDown", { row: 1, column: 2 }, size), { row: 4, column: 2 });
  assert.deepEqual(movedBy("End", { row: 1, column: 2 }, size), { row: 29, column: 3 });
  assert.equal(movedBy("a", { row: 0, column: 0 }, size), null);
});
