import assert from "node:assert/strict";
import { test } from "node:test";

import { hasRun, liveQuery, parametersOf, progressIn } from "../../../../../viz/ui/browser/learning/lessons.js";

const CHOICES = [{ name: "net", label: "net", values: ["A", "B"], first: "A" }, { name: "runs", label: "runs", values: [1, 2, 3], first: 3 }];

test("a lesson begins with its first values, and stays as it was left", () => {
  const progress = progressIn(1, CHOICES);
  assert.deepEqual(progress.chosen, { net: "A", runs: "3" });
  progress.chosen.runs = "2";
  assert.equal(progressIn(1, CHOICES), progress);
  assert.notEqual(progressIn(2, CHOICES), progress);
});

test("numbers are those of the parameters that they were asked for", () => {
  const progress = progressIn(3, CHOICES);
  assert.equal(hasRun(progress), false);
  progress.ran = parametersOf(progress);
  assert.equal(progress.ran, "net=A&runs=3");
  assert.equal(hasRun(progress), true);
  progress.chosen.net = "B";
  assert.equal(hasRun(progress), false);
  progress.chosen.net = "A";
  assert.equal(hasRun(progress), true);
});

test("a question about the layer on screen says only what matters, and counts calls from one", () => {
  const look = { lesson: "1", layer: "", call: 0, edit: "", colormap: "hot" };
  assert.equal(liveQuery(look), "lesson=1");
  assert.equal(liveQuery({ ...look, layer: "layer1.0.relu", call: 1 }), "lesson=1&layer=layer1.0.relu&call=2");
  assert.equal(liveQuery({ ...look, layer: "a b", edit: "a%20b:zero:1,2" }), "lesson=1&layer=a+b&edit=a%2520b%3Azero%3A1%2C2");
});
