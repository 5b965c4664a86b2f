import assert from "node:assert/strict";
import { test } from "node:test";

import { pieces, searched } from "../../../../../viz/ui/browser/page/search.js";

const LAYERS = [
  ["stem.conv", "Conv2d 32 × 112 × 112"],
  ["stage1.0.bn1", "BatchNorm2d 16 × 112 × 112"],
  ["stage2", "Sequential 144 × 28 × 28"],
  ["stage2.0.conv", "Conv2d 144 × 28 × 28"],
  ["stage2.0.bn", "BatchNorm2d 144 × 28 × 28"],
  ["stage12.bn", "BatchNorm2d 8 × 128 × 128"],
  ["stages.2.1.bn", "BatchNorm2d 8 × 14 × 14"],
  ["head.fc", "Linear 1000"],
].map(([label, about]) => ({ label, about }));
const names = (text) => searched(LAYERS, text).map(({ label }) => label);

test("an empty search finds everything, in its own order", () => {
  assert.deepEqual(searched(LAYERS, "  "), LAYERS);
});

test("a name is found by any part of it, whatever the case", () => {
  assert.deepEqual(names("FC"), ["head.fc"]);
  assert.deepEqual(names("stage2.0.b"), ["stage2.0.bn"]);
  assert.deepEqual(names("nonsense"), []);
});

test("parts of a name are found in any order", () => {
  assert.deepEqual(names("stage2 bn"), ["stage2.0.bn", "stages.2.1.bn"]);
  assert.deepEqual(names("bn stage2"), names("stage2 bn"));
});

test("the first letters and the number stand for a part, and no other number does", () => {
  assert.deepEqual(names("s2 bn"), ["stage2.0.bn", "stages.2.1.bn"]);
  assert.deepEqual(names("st12"), ["stage12.bn"]);
});

test("types and shapes are found, however a shape is written", () => {
  assert.deepEqual(names("conv2d"), ["stem.conv", "stage2.0.conv"]);
  for (const shape of ["28x28", "28 × 28", "28*28", "144×28×28"]) assert.deepEqual(names(shape), ["stage2", "stage2.0.conv", "stage2.0.bn"]);
  assert.deepEqual(names("batchnorm2d 28x28"), ["stage2.0.bn"]);
});

test("a shape is not found in the middle of a number", () => {
  assert.deepEqual(names("8x28"), []);
  assert.deepEqual(names("28x2"), []);
});

test("names come before types, whole words before parts of words, the very name first", () => {
  assert.equal(names("stage2")[0], "stage2");
  const words = ["catamaran", "polecat", "tiger cat", "cat"].map((label) => ({ label }));
  assert.deepEqual(searched([...words, { label: "dog", about: "no cat" }], "cat").map(({ label }) => label), ["cat", "tiger cat", "catamaran", "polecat", "dog"]);
});

test("signs that mean something in patterns are letters like others", () => {
  assert.deepEqual(searched([{ label: "a.b" }, { label: "axb" }, { label: "c (1)" }], "a.b").map(({ label }) => label), ["a.b"]);
  assert.deepEqual(searched([{ label: "a.b" }, { label: "c (1)" }], "(1").map(({ label }) => label), ["c (1)"]);
  assert.deepEqual(searched([{ label: "a.b" }], "[*+?\\"), []);
});

test("what was searched for is every second piece of a text", () => {
  assert.deepEqual(pieces("stage2.0.bn", "bn stage"), ["", "stage", "2.0.", "bn"]);
  assert.deepEqual(pieces("144 × 28 × 28", "28x28"), ["144 × ", "28 × 28"]);
  assert.deepEqual(pieces("stages.2.1.bn", "s2"), ["", "stages.2", ".1.bn"]);
  assert.deepEqual(pieces("stem", ""), ["stem"]);
  assert.deepEqual(pieces("stem", "x"), ["stem"]);
});

test("the pieces of a text are the text", () => {
  for (const query of ["a", "aa", "ab ba", "1x1", "b1"]) for (const text of ["abba", "block1 × 1 × 1", "", "ab1"]) assert.equal(pieces(text, query).join(""), text);
});
