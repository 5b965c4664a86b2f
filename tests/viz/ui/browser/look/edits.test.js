import assert from "node:assert/strict";
import { test } from "node:test";

import { added, amountText, CLEARED, editOf, editsFrom, editsText, isRemoved, KINDS, ON_GRADIENTS, SIDES, stacked, undone } from "../../../../../viz/ui/browser/look/edits.js";
import { forAll, hardText, oneOf, several, whole } from "./made_up.js";

const zero = (layer, ...channels) => editOf({ layer, channels });
const madeUp = (chance) => {
  const side = oneOf(chance, SIDES);
  return editOf({
    layer: `a${hardText(chance)}`,
    side,
    kind: oneOf(chance, side.endsWith("gradient") ? ON_GRADIENTS : KINDS),
    call: chance() < 0.5 ? null : whole(chance, 0, 9),
    channels: several(chance, 5, () => whole(chance, 0, 12)),
    amount: (chance() - 0.5) * 10 ** whole(chance, -8, 20),
    seed: whole(chance, 0, 3),
    donor: "cat",
  });
};

test("edits are read as they were written", () => {
  forAll(1000, (chance) => several(chance, 8, madeUp), (edits) => assert.deepEqual(editsFrom(editsText(edits)), edits));
});

test("edits that are stacked stay so", () => {
  forAll(500, (chance) => several(chance, 8, madeUp), (edits) => {
    const once = stacked(edits);
    assert.ok(once.length <= edits.length);
    assert.deepEqual(editsText(stacked(once)), editsText(once));
  });
});

test("removing a removed channel again puts it back", () => {
  forAll(500, (chance) => [[zero("a", 1, 4, 9), zero("b", 2)], whole(chance, 0, 12)], ([edits, channel]) => {
    const twice = added(added(edits, zero("b", channel)), zero("b", channel));
    assert.deepEqual(editsText(twice), editsText(edits));
  });
  assert.equal(editsText(added([zero("a", 3, 17)], zero("a", 3))), "a:zero:17");
  assert.deepEqual(added([zero("a", 3)], zero("a", 3)), []);
});

test("removing a whole layer again puts it back, and no single channel of it", () => {
  for (const side of SIDES) {
    const all = editOf({ layer: "a", side });
    assert.deepEqual(added([all], all), []);
    assert.equal(added([all], editOf({ layer: "a", side, call: 1 })).length, 2);
  }
  assert.equal(editsText(added([zero("b", 1), zero("a")], zero("a"))), "b:zero:1");
  assert.equal(editsText(added([zero("a")], zero("a", 3))), "a:zero;a:zero:3");
  assert.equal(editsText(added([zero("a", 3)], zero("a"))), "a:zero:3;a:zero");
});

test("what can be said in one edit is", () => {
  const said = [
    ["a:zero:3;a:zero:17", "a:zero:3,17"],
    ["a:zero:3,17;a:zero:3", "a:zero:17"],
    ["a:zero:3;a:zero:3", ""],
    ["a:zero:3;a@2:zero:3", "a:zero:3;a@2:zero:3"],
    ["a:scale:3:2;a:scale:4:2", "a:scale:3,4:2"],
    ["a:scale:3:2;a:scale:3:2", "a:scale:3:2;a:scale:3:2"],
    ["a:zero:3;b:zero:3;a:zero:3", "b:zero:3"],
    ["a:scale:0:-0;a:scale:1:0", "a:scale:0,1:0"],
  ];
  for (const [asked, expected] of said) assert.equal(editsText(stacked(editsFrom(asked) ?? [])), expected);
});

test("the same done to other channels joins the edit before it", () => {
  const scaled = (channel) => editOf({ layer: "a", kind: "scale", channels: [channel], amount: 2 });
  assert.equal(editsText(stacked([4, 3].map(scaled))), "a:scale:3,4:2");
  assert.equal(editsText(stacked([3, 3].map(scaled))), "a:scale:3:2;a:scale:3:2");
});

test("an edit that is undone leaves the others in their order", () => {
  const edits = [zero("a", 1), zero("b", 2), zero("c", 3)];
  assert.equal(editsText(undone(edits, zero("b", 2))), "a:zero:1;c:zero:3");
  assert.deepEqual(undone(edits, zero("b", 1)), edits);
  assert.equal(editsText(undone([...edits, ...edits], zero("a", 1))), "b:zero:2;c:zero:3;a:zero:1;b:zero:2;c:zero:3");
  assert.equal(editsText(CLEARED), "");
});

test("only an edit of the same layer, call and side removes a channel", () => {
  const edits = editsFrom("a:zero:1-3;a@2:zero:5;a:inputs.zero:7;a:scale:8:0");
  assert.ok(edits);
  const removed = (call, side) => Array.from({ length: 9 }, (_, channel) => channel).filter((channel) => isRemoved(edits, { layer: "a", call, side }, channel));
  assert.deepEqual(removed(null, "output"), [1, 2, 3]);
  assert.deepEqual(removed(1, "output"), [5]);
  assert.deepEqual(removed(null, "inputs"), [7]);
});

test("where only the whole layer can be edited, only an edit of the whole removes it", () => {
  const target = { layer: "a", call: null, side: "output", whole: true };
  for (const [text, removed] of [["a:zero", true], ["a:zero:0", false], ["a:mean", false], ["b:zero;a@1:zero", false]]) {
    assert.equal(isRemoved(editsFrom(text) ?? [], target, 0), removed, text);
  }
  assert.equal(isRemoved([zero("a")], { ...target, whole: false }, 0), false);
});

test("an amount is written in Python's way", () => {
  const written = { "0.5": 0.5, "-0": -0, "1": 1, "1e-07": 1e-7, "0.0001": 1e-4, "1.5e-05": 1.5e-5, "1e+16": 1e16, "1234567890123456": 1234567890123456, "-2.5e+300": -2.5e300 };
  for (const [text, amount] of Object.entries(written)) assert.equal(amountText(amount), text);
});

test("there is no edit with a number or a name that cannot be", () => {
  const layer = "a";
  const impossible = [{ layer: "" }, { layer: "\ud800" }, { layer, kind: "melt" }, { layer, channels: [-1] }, { layer, channels: [1.5] }, { layer, kind: "scale", amount: NaN }, { layer, kind: "swap" }, { layer, call: 9_999 }, { layer, kind: "noise", seed: 1_000_000 }];
  for (const said of impossible) assert.equal(editOf(said), null);
});
