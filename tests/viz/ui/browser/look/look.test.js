import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { FIRST } from "../../../../../viz/ui/browser/look/fields.js";
import { lookFromQuery, lookToQuery, NAMES, step } from "../../../../../viz/ui/browser/look/look.js";
import { forAll, madeUpAction, madeUpLook } from "./made_up.js";

const VECTORS = JSON.parse(readFileSync(new URL("../../../../look_vectors.json", import.meta.url), "utf8"));
const some = Object.freeze({
  ...FIRST, layer: "conv1", call: 1, channel: 3, leaf: "output[0]", kind: "tokens", row: 2, index: 5, cell: "1,2", step: 9, colormap: "magma", target: 7, with_layer: "fc",
});

test("a text says the same look as to Python", () => {
  assert.ok(VECTORS.length >= 40);
  for (const { look, text, vain } of VECTORS) assert.deepEqual(lookFromQuery(text), { look: { ...FIRST, ...look }, vain });
});

test("a look has the same text as Python's", () => {
  for (const { look, text, vain } of VECTORS) if (!vain.length) assert.equal(lookToQuery({ ...FIRST, ...look }), text);
});

test("every look is read as it was written", () => {
  forAll(2000, madeUpLook, (look) => assert.deepEqual(lookFromQuery(lookToQuery(look)), { look, vain: [] }));
});

test("every text that a look has is written as it was read", () => {
  forAll(500, madeUpLook, (look) => {
    const text = lookToQuery(look);
    assert.equal(lookToQuery(lookFromQuery(`?${text}`).look), text);
  });
});

test("different looks have different texts", () => {
  const texts = new Map();
  forAll(2000, madeUpLook, (look) => {
    const text = lookToQuery(look);
    assert.deepEqual(texts.get(text) ?? look, look);
    texts.set(text, look);
  });
});

test("the look at first has no text, and no text says it", () => {
  assert.equal(lookToQuery(FIRST), "");
  assert.deepEqual(lookFromQuery(""), { look: FIRST, vain: [] });
  assert.deepEqual(lookFromQuery("?"), { look: FIRST, vain: [] });
});

test("what is said at its default is understood and left out", () => {
  const said = "view=layer&call=1&kind=auto&scale=layer&show=after&present=0&lesson=&layer=";
  assert.deepEqual(lookFromQuery(said), { look: FIRST, vain: [] });
});

test("an address of the first edition still opens", () => {
  const { look, vain } = lookFromQuery("?model=resnet18&weights=random&layer=layer1.0+%E2%80%BA+add&call=2&channel=007&lang=zh&edit=conv1%3Azero%3A1-3%2C5");
  assert.deepEqual(look, { ...FIRST, layer: "layer1.0 › add", call: 1, channel: 7, edit: "conv1:zero:1-3,5" });
  assert.deepEqual(vain, []);
});

test("a text that is cut off in the middle of a character is read as far as it goes", () => {
  assert.equal(lookFromQuery("layer=a%E5%B1&colormap=50%").look.layer, "a\ufffd");
  assert.equal(lookFromQuery("layer=a%E5%B1&colormap=50%").look.colormap, "50%");
});

test("another layer begins with its own call, channel, leaf, layout, cell and step", () => {
  const next = step(some, { type: "layer", layer: "conv2" });
  assert.deepEqual(next, { ...FIRST, layer: "conv2", colormap: "magma", target: 7, with_layer: "fc" });
});

test("another layer may be chosen with one of its calls", () => {
  assert.equal(step(some, { type: "layer", layer: "conv2", call: 3 }).call, 3);
  assert.equal(step(some, { type: "layer", layer: "conv2", call: 3 }).channel, null);
});

test("the same layer again changes nothing but the call that is asked for", () => {
  assert.equal(step(some, { type: "layer", layer: "conv1" }), some);
  assert.deepEqual(step(some, { type: "layer", layer: "conv1", call: 0 }), { ...some, call: 0, cell: "", step: null });
});

test("another call keeps the channel and how it is drawn, but neither the cell nor the step", () => {
  assert.deepEqual(step(some, { type: "call", call: 4 }), { ...some, call: 4, cell: "", step: null });
});

test("another tensor resets its layout, slice and cell, another layout its slice and cell, another slice its cell", () => {
  assert.deepEqual(step(some, { type: "leaf", leaf: "output[1]" }), { ...some, leaf: "output[1]", kind: "auto", row: 0, index: 0, cell: "" });
  assert.deepEqual(step(some, { type: "kind", kind: "maps" }), { ...some, kind: "maps", row: 0, index: 0, cell: "" });
  assert.deepEqual(step(some, { type: "index", index: 6 }), { ...some, index: 6, cell: "" });
});

test("another channel, row of the batch or colour keeps the cell, and another channel not the input's one beside it", () => {
  const seen = { ...some, cell: "1,2,7" };
  assert.equal(step(seen, { type: "row", row: 1 }).cell, "1,2,7");
  assert.equal(step(seen, { type: "colormap", colormap: "gray" }).cell, "1,2,7");
  assert.equal(step(seen, { type: "channel", channel: 4 }).cell, "1,2");
  assert.equal(step(some, { type: "channel", channel: 4 }).cell, "1,2");
});

test("another view keeps everything but the cell, also the other side of a comparison", () => {
  const compared = step(step(some, { type: "view", view: "compare" }), { type: "other", other: { with_model: "lenet", with_layer: "" } });
  assert.deepEqual(step(compared, { type: "view", view: "layer" }), { ...some, cell: "", with_model: "lenet", with_layer: "" });
});

test("without edits there is nothing to show before", () => {
  const edited = step(step(some, { type: "edits", edits: "conv1:zero:1" }), { type: "show", show: "before" });
  assert.equal(step(edited, { type: "edits", edits: "conv1:zero:2" }).show, "before");
  assert.deepEqual(step(edited, { type: "edits", edits: "" }), some);
});

test("another quiz, or another level, begins where the visitor was in that one", () => {
  const played = { ...FIRST, view: "quiz", seed: 4, quiz_question: 5 };
  assert.deepEqual(step(played, { type: "seed", seed: 7 }), { ...FIRST, view: "quiz", seed: 7 });
  assert.deepEqual(step(played, { type: "level", level: "hard" }), { ...FIRST, view: "quiz", seed: 4, level: "hard" });
  assert.deepEqual(step(played, { type: "quiz_question", quiz_question: 6 }), { ...played, quiz_question: 6 });
});

test("a link in a frame of another page stays in the frame", () => {
  const framed = Object.freeze({ ...FIRST, embed: true });
  const link = Object.freeze({ ...FIRST, layer: "conv2" });
  assert.deepEqual(step(framed, { type: "link", look: link }), { ...link, embed: true });
});

test("a link replaces the whole look", () => {
  const { look } = lookFromQuery("view=quiz&seed=4");
  assert.deepEqual(step(some, { type: "link", look }), { ...FIRST, view: "quiz", seed: 4 });
});

test("every action leaves the old look as it was, and a frozen one with the same fields", () => {
  forAll(2000, (chance) => [madeUpLook(chance), madeUpAction(chance)], ([look, action]) => {
    const before = { ...look };
    const next = step(look, action);
    assert.deepEqual(look, before);
    assert.ok(Object.isFrozen(next));
    assert.deepEqual(Object.keys(next), [...NAMES]);
  });
});

test("the same action twice is the same as once", () => {
  forAll(2000, (chance) => [madeUpLook(chance), madeUpAction(chance)], ([look, action]) => {
    const once = step(look, action);
    assert.equal(step(once, action), once);
  });
});

test("what is asked for in vain does not reach the objects' own names", () => {
  const { look, vain } = lookFromQuery("present=constructor&scale=__proto__&__proto__=1&view=toString");
  assert.deepEqual(look, FIRST);
  assert.deepEqual(vain.map(({ name }) => name), ["view", "scale", "present"]);
});

test("an optimised picture is of its channel, cell and way: with another, none is asked for", () => {
  const drawn = { ...FIRST, layer: "a", channel: 3, cell: "1,2", optimised: "drawn", optimised_aim: "cell" };
  const others = [{ type: "channel", channel: 4 }, { type: "layer", layer: "b" }, { type: "call", call: 1 }, { type: "cell", cell: "1,3" }, { type: "cell", cell: "" }, { type: "optimised_aim", optimised_aim: "channel" }, { type: "optimised_way", optimised_way: "maco" }, { type: "optimised_count", optimised_count: "four" }];
  for (const action of others) assert.equal(step(drawn, action).optimised, "open", JSON.stringify(action));
  for (const action of [{ type: "overlay", overlay: 20 }, { type: "cell", cell: "1,2,5" }, { type: "filter", filter: "open" }]) assert.equal(step(drawn, action).optimised, "drawn");
});

test("without a cell, and in another layer, the picture is the whole channel's", () => {
  const aimed = { ...FIRST, layer: "a", cell: "1,2", optimised_aim: "cell" };
  assert.equal(step(aimed, { type: "cell", cell: "" }).optimised_aim, "channel");
  assert.equal(step(aimed, { type: "view", view: "unit" }).optimised_aim, "channel");
  const minus = step(aimed, { type: "optimised_aim", optimised_aim: "minus", optimised_minus: 4 });
  assert.deepEqual([minus.optimised_aim, minus.optimised_minus], ["minus", 4]);
  const there = step(minus, { type: "layer", layer: "b" });
  assert.deepEqual([there.optimised_aim, there.optimised_minus], ["channel", null]);
});

test("no picture is made of a channel without itself, nor without one that is not named", () => {
  const minus = { ...FIRST, layer: "a", channel: 3, optimised_aim: "minus", optimised_minus: 5 };
  assert.equal(step(minus, { type: "channel", channel: 5 }).optimised_aim, "channel");
  assert.equal(step(minus, { type: "channel", channel: 4 }).optimised_aim, "minus");
  const begun = step({ ...minus, optimised_minus: null }, { type: "optimised", optimised: "drawn" });
  assert.deepEqual([begun.optimised, begun.optimised_aim], ["drawn", "channel"]);
});
