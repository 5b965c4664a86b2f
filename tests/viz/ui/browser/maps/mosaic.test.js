import assert from "node:assert/strict";
import { test } from "node:test";

import { percent, perCent } from "../../../../../viz/ui/browser/maps/mosaic.js";

/** @param {string} lang */
function speaking(lang) {
  globalThis.document = /** @type {any} */ ({ documentElement: { lang } });
}

test("a share is read in per cent, with its sign as the language writes it", () => {
  speaking("en");
  assert.equal(percent(0.9512), "95.1\u00a0%");
  assert.equal(percent(-0.5), "−50\u00a0%");
  assert.equal(perCent("< 0.1"), "< 0.1\u00a0%");
  speaking("zh");
  assert.equal(percent(0.9512), "95.1%");
  assert.equal(percent(null), "–");
});
