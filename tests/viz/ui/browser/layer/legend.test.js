// What red and blue mean is said from the very colours of the answer.

import assert from "node:assert/strict";
import { test } from "node:test";

import { colourName, legendOf } from "../../../../../viz/ui/browser/layer/legend.js";

globalThis.document = /** @type {any} */ ({ documentElement: { lang: "en" } });

const NAMES = ["black", "blue", "green", "grey", "purple", "red", "yellow"];
/** @type {any} */
const WORDS = {
  legend_negative: "{colour} negative", legend_zero: "{colour} zero", legend_positive: "{colour} positive",
  legend_least: "{colour} least", legend_most: "{colour} most", legend_value: "{colour} {value}",
  ...Object.fromEntries(NAMES.map((name) => [`colour_${name}`, name])),
};

/** @type {(nan?: number, more?: number, less?: number) => any} */
const odd = (nan = 0, more = 0, less = 0) => ({ statistics: { nan, positive_infinities: more, negative_infinities: less }, odd_colours: ["#ff00ff", "#00ff00", "#00ffff"] });

test("a diverging colormap has two sides and a middle", () => {
  const facts = { colours: ["#3b4cc0", "#dddcdc", "#b40426"], signed: true, scale: "layer", vmin: -2, vmax: 2, ...odd() };
  assert.deepEqual(legendOf(facts, WORDS).map(({ text }) => text), ["blue negative", "grey zero", "red positive"]);
});

test("of another one, the ends have values, unless each channel has its own", () => {
  const facts = { colours: ["#440154", "#21918c", "#fde725"], signed: false, scale: "layer", vmin: 0, vmax: 1.5, ...odd() };
  assert.deepEqual(legendOf(facts, WORDS), [{ colour: "#440154", text: "purple 0" }, { colour: "#fde725", text: "yellow 1.5" }]);
  assert.deepEqual(legendOf({ ...facts, scale: "channel" }, WORDS).map(({ text }) => text), ["purple least", "yellow most"]);
});

test("the colours of NaN and of infinities stand beside them where there are any", () => {
  const facts = { colours: ["#440154", "#21918c", "#fde725"], signed: false, scale: "layer", vmin: 0, vmax: 1.5 };
  assert.deepEqual(legendOf({ ...facts, ...odd(3, 0, 1) }, WORDS).slice(2), [{ colour: "#ff00ff", text: "purple NaN" }, { colour: "#00ffff", text: "blue −∞" }]);
  assert.deepEqual(legendOf({ ...facts, ...odd(0, 2) }, WORDS).slice(2), [{ colour: "#00ff00", text: "green ∞" }]);
});

test("colours have the names that people give them", () => {
  const named = { "#000004": "black", "#ffffff": "white", "#f7f6f6": "white", "#120c0b": "black", "#7f3b08": "brown", "#2d004b": "purple", "#053061": "blue", "#67001f": "red", "#81e7ff": "blue", "#bdfda6": "green", "#ffa500": "orange" };
  for (const [colour, name] of Object.entries(named)) assert.equal(colourName(colour), name, colour);
});
