// The ribbon lights up where one is, whichever layer or operation that is.

import assert from "node:assert/strict";
import { test } from "node:test";

import { linkNames, linkOf } from "../../../../../viz/ui/browser/ribbon/links.js";

/** @type {(...layers: string[]) => {layer: string, layers: string[], main: string}} */
const link = (...layers) => ({ layer: layers[layers.length - 1], layers, main: layers[0] });
const CHAIN = [link("conv1", "bn1"), link("body.0"), link("body.1", "body.2"), link("fc")];
const ROWS = ["conv1", "bn1", "body.0", "› early", "body.1.conv", "body.1", "body.2", "body", "› flatten", "fc", "› softmax"].map((name, end) => ({ name, ends: [end] }));

/** @param {string} layer */
const at = (layer) => linkOf(CHAIN, [...ROWS, { name: "spare", ends: [] }], layer);

test("a layer lights the link that it is in, and so does an operation of its code", () => {
  assert.deepEqual(["conv1", "bn1", "body.1.conv", "body.2", "body.1 › add"].map(at), [0, 0, 2, 2, 2]);
});

test("a block around several links lights the last of them, whose output it returns", () => {
  assert.equal(at("body"), 2);
});

test("what runs between links lights the one that comes next, and nothing behind the last", () => {
  assert.deepEqual(["› early", "› flatten", "› softmax", "spare"].map(at), [2, 3, -1, -1]);
});

test("names leave out what all share, and say what is folded", () => {
  assert.deepEqual(linkNames(CHAIN), ["conv1 +1", "body.0", "body.1–2", "fc"]);
  assert.deepEqual(linkNames([{ ...link("flatten", "fc1", "relu"), main: "fc1" }]), ["fc1 +2"]);
  assert.deepEqual(linkNames([link("net.stem"), link("net.stage1")]), ["stem", "stage1"]);
});
