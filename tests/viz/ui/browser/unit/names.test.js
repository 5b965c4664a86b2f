import assert from "node:assert/strict";
import { test } from "node:test";

import { listed, pictureName, shortSteps } from "../../../../../viz/ui/browser/unit/names.js";

test("steps in the unit's own block go without its name", () => {
  assert.equal(shortSteps(["layer1.0.bn1", "layer1.0.relu"], "layer1.0.conv1"), "bn1, relu");
  assert.equal(shortSteps(["layer1.0.bn1", "layer2.0.relu"], "layer1.0.conv1"), "bn1, layer2.0.relu");
  assert.equal(shortSteps(["relu1", "pool1"], "conv1"), "relu1, pool1");
  assert.equal(shortSteps([], "conv1"), "");
});

test("of many steps the first and the last are told", () => {
  assert.equal(shortSteps(["a", "b", "c", "d", "e"], ""), "a, …, d, e");
});

test("of many names the first few are told", () => {
  assert.equal(listed(["a", "b", "c"]), "a, b, c");
  assert.equal(listed(["a", "b", "c", "d"]), "a, b, c, …");
});

test("the picture's channels are colours, if they are three", () => {
  const words = { unit_red: "red", unit_green: "green", unit_blue: "blue", unit_picture: "the picture" };
  assert.deepEqual([0, 1, 2, 3].map((channel) => pictureName(channel, words)), ["red", "green", "blue", "the picture · 3"]);
});
