import assert from "node:assert/strict";
import { test } from "node:test";

import { fileName, textOf } from "../../../../../viz/ui/browser/plan_shelf/files.js";
import {
  changed, minutesOf, moved, MOST_STEPS, nothing, paragraphs, placeAfter, withStep, withStepAt, without,
} from "../../../../../viz/ui/browser/plan_shelf/own.js";

const step = (title) => ({ title, look: "", minutes: 1, net: "", picture: "", text: [], note: [], question: null, code: "" });
const plan = (...titles) => titles.map(step).reduce(withStep, nothing("Mine"));
const titles = ({ steps }) => steps.map(({ title }) => title).join("");

test("steps are added at the end, as many as a lesson may have", () => {
  assert.equal(titles(plan("a", "b")), "ab");
  const full = plan(...new Array(MOST_STEPS).fill("x"));
  assert.equal(withStep(full, step("y")), full);
});

test("a step moves to a place, and the others close up", () => {
  const four = plan("a", "b", "c", "d");
  assert.equal(titles(moved(four, 0, 2)), "bcad");
  assert.equal(titles(moved(four, 3, 0)), "dabc");
  for (const to of [-1, 4, 1]) assert.equal(moved(four, 1, to), four);
});

test("a step is found again, whichever one moves", () => {
  const four = plan("a", "b", "c", "d");
  for (const from of [0, 1, 2, 3]) {
    for (const to of [0, 1, 2, 3]) {
      const found = titles(moved(four, from, to));
      [..."abcd"].forEach((title, place) => assert.equal(found[placeAfter(place, from, to)], title));
    }
  }
});

test("a step comes back at its place, or as the last", () => {
  const back = (place) => titles(withStepAt(plan("a", "b"), place, step("x")));
  assert.deepEqual([0, 1, 2, 9].map(back), ["xab", "axb", "abx", "abx"]);
});

test("a step that is deleted leaves the others as they are", () => {
  assert.equal(titles(without(plan("a", "b", "c"), 1)), "ac");
  assert.equal(titles(changed(plan("a", "b"), 1, { title: "z" })), "az");
});

test("what is typed becomes paragraphs, and minutes that a plan may say", () => {
  assert.deepEqual(paragraphs("  one \n\n two   words\r\n"), ["one", "two words"]);
  assert.deepEqual(["5", "0", "", "999", "2.6", "x"].map(minutesOf), [5, 1, 1, 60, 3, 1]);
});

test("a file has a name that every system takes", () => {
  assert.equal(fileName("My lesson: “edges”?"), "my-lesson-edges.md");
  assert.equal(fileName("卷积 看见了什么"), "卷积-看见了什么.md");
  assert.equal(fileName("../.."), "lesson.md");
});

test("bytes that are no text are no lesson", async () => {
  assert.equal(await textOf(new Blob(["# 题"])), "# 题");
  assert.equal(await textOf(new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff])])), null);
  assert.equal(await textOf(new Blob(["a\0b"])), null);
});
