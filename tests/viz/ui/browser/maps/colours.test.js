// A bar of colours: where they stand, and the numbers beside them, both ends and round ones that have room.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isStretched, limits, placedColours, stretched, ticksBetween } from "../../../../../viz/ui/browser/maps/colours.js";

test("between the ends stand round numbers, zero among them", () => {
  assert.deepEqual(ticksBetween(-24.48, 18.84, 352), [-24.48, 0, 18.84]);
  assert.deepEqual(ticksBetween(0, 6, 352), [0, 2, 4, 6]);
});

test("a number that would run into another is left out", () => {
  assert.deepEqual(ticksBetween(-0.007889, 0.006311, 352), [-0.007889, 0, 0.006311]);
  assert.deepEqual(ticksBetween(-1, 1, 20, true), [-1, 1]);
});

test("equal ends are one number, and so are ends whose difference no number holds", () => {
  assert.deepEqual(ticksBetween(3, 3, 352), [3]);
  assert.deepEqual(ticksBetween(-Number.MAX_VALUE, Number.MAX_VALUE, 352), [-Number.MAX_VALUE]);
});

test("each channel may have limits of its own", () => {
  assert.deepEqual(limits({ vmin: [0, 1], vmax: [2, 3] }, 1), [1, 3]);
  assert.deepEqual(limits({ vmin: -1, vmax: 1 }, 7), [-1, 1]);
});

const COLOURS = { viridis: ["#a", "#b", "#c", "#d", "#e"], coolwarm: ["#1", "#2", "#3", "#4", "#5"] };
/** @type {(colormap: string, signed: boolean) => number[]} */
const places = (colormap, signed) => placedColours(COLOURS, { colormap, signed }).map(([place]) => place);

test("colours are evenly spaced, and stretched ones as the square root says", () => {
  assert.deepEqual(places("viridis", false), [0, 0.25, 0.5, 0.75, 1]);
  assert.deepEqual(places("viridis_root", false), [0, 0.25 ** 2, 0.5 ** 2, 0.75 ** 2, 1]);
  assert.deepEqual(places("coolwarm_root", true), [0, 0.375, 0.5, 0.625, 1]);
  assert.deepEqual(placedColours(COLOURS, { colormap: "coolwarm_root", signed: true }).map(([, colour]) => colour), COLOURS.coolwarm);
});

test("the name of a colormap says whether its colours are stretched", () => {
  assert.equal(stretched("auto", true), "auto_root");
  assert.equal(stretched("auto_root", true), "auto_root");
  assert.equal(stretched("auto_root", false), "auto");
  assert.deepEqual(["magma", "magma_root"].map(isStretched), [false, true]);
});
