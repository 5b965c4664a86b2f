// Where a map lies on the picture: by its cells' centres, or stretched over it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { laidOut } from "../../../../../viz/ui/browser/channel/laying.js";

/** @type {(covers: ?CoveredPart) => LayerFacts} */
const facts = (covers) => /** @type {any} */ ({ covers, geometry: { map_height: 10, map_width: 10 } });
const WHOLE = { left: 0, top: 0, width: 10, height: 10 };

test("a map that does not reach the border lies inside the picture", () => {
  // LeNet's second convolution: 10 cells of 2 pixels from pixel 6 on, of 32.
  const { photo, all } = laidOut(facts({ top: 6 / 32, left: 6 / 32, height: 20 / 32, width: 20 / 32 }), "centred");
  assert.deepEqual(photo, { left: -3, top: -3, width: 16, height: 16 });
  assert.deepEqual(all, photo);
});

test("cells may reach beyond the picture", () => {
  const { photo, all } = laidOut(facts({ top: -0.05, left: 0.05, height: 1, width: 1 }), "centred");
  assert.deepEqual(photo, { left: -0.5, top: 0.5, width: 10, height: 10 });
  assert.deepEqual(all, { left: -0.5, top: 0, width: 10.5, height: 10.5 });
});

test("a stretched map fills the picture, and so does one whose places are not known", () => {
  const covers = { top: 0.2, left: 0.2, height: 0.5, width: 0.5 };
  assert.deepEqual(laidOut(facts(covers), "stretched"), { photo: WHOLE, all: WHOLE });
  assert.deepEqual(laidOut(facts(null), "centred"), { photo: WHOLE, all: WHOLE });
});
