// Statistics in words: what is said of values that are no numbers.

import assert from "node:assert/strict";
import { test } from "node:test";

import { layerFigures } from "../../../../../viz/ui/browser/layer/parts.js";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });

const words = /** @type {any} */ ({ minimum: "min", maximum: "max", mean: "mean", zeros: "zeros", nan: "NaN", inf: "infinite", constant: "constant" });
const EMPTY = { minimum: null, maximum: null, mean: null, deviation: null, zeros: 0, nan: 0, positive_infinities: 0, negative_infinities: 0, count: 9 };
/** @type {(found: object) => string[]} */
const said = (found) => layerFigures(/** @type {any} */ ({ ...EMPTY, ...found }), words).slice(4);

test("values that are all no numbers are counted, and not called constant", () => {
  assert.deepEqual(said({ nan: 9 }), ["NaN 9"]);
  assert.deepEqual(said({ positive_infinities: 4, negative_infinities: 5 }), ["infinite 9"]);
});

test("values that are all one number are constant", () => {
  assert.deepEqual(said({ minimum: 2, maximum: 2, mean: 2 }), ["constant"]);
  assert.deepEqual(said({ minimum: 1, maximum: 2, mean: 1.5 }), []);
});
