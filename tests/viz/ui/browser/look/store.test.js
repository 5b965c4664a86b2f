import assert from "node:assert/strict";
import { test } from "node:test";

import { FIRST } from "../../../../../viz/ui/browser/look/fields.js";
import { createStore } from "../../../../../viz/ui/browser/look/store.js";

const layer = (name) => ({ type: "layer", layer: name });

test("a listener hears each look with the one that it heard of before", () => {
  const store = createStore(FIRST);
  const heard = [];
  store.subscribe((look, before) => heard.push([before.layer, look.layer]));
  store.dispatch(layer("a"));
  store.dispatch(layer("b"));
  store.undo();
  store.redo();
  assert.deepEqual(heard, [["", "a"], ["a", "b"], ["b", "a"], ["a", "b"]]);
  assert.equal(store.get().layer, "b");
});

test("what changes nothing is not told, and is not undone", () => {
  const store = createStore(FIRST);
  store.dispatch(layer("a"));
  let told = 0;
  store.subscribe(() => { told += 1; });
  store.dispatch(layer("a"));
  store.redo();
  assert.equal(told, 0);
  store.undo();
  assert.equal(store.get(), FIRST);
});

test("steps on the way are chosen, and undone together with the first", () => {
  const store = createStore(FIRST);
  store.dispatch(layer("a"));
  store.dispatch({ type: "cell", cell: "0,0" });
  const heard = [];
  store.subscribe((look, before, chosen) => heard.push([look.cell, chosen]));
  store.move({ type: "cell", cell: "0,1" });
  store.move({ type: "cell", cell: "0,2" });
  assert.deepEqual(heard, [["0,1", true], ["0,2", true]]);
  store.undo();
  assert.deepEqual([store.get().layer, store.get().cell], ["a", ""]);
});

test("a choice that goes with a view is one step, and undone as one", () => {
  const choices = [{ type: "target", target: 3 }, { type: "channel", channel: 3 }, { type: "layer", layer: "b" }, { type: "other", other: { with_layer: "b" } }];
  for (const choice of choices) {
    const store = createStore(FIRST), heard = [];
    store.dispatch({ type: "cell", cell: "0,0" });
    const before = store.get();
    store.subscribe((look) => heard.push(look.view));
    store.dispatch({ ...choice, view: "gradients" });
    assert.deepEqual([heard, store.get().cell], [["gradients"], ""], choice.type);
    assert.notDeepEqual({ ...store.get(), view: "layer", cell: "0,0" }, before);
    store.undo();
    assert.deepEqual(store.get(), before);
  }
});

test("who has unsubscribed hears nothing any more, not even of the change at hand", () => {
  const store = createStore(FIRST);
  const heard = [];
  store.subscribe(() => end());
  const end = store.subscribe(({ layer: name }) => heard.push(name));
  store.dispatch(layer("a"));
  assert.deepEqual(heard, []);
});

test("all listeners hear the same looks in the same order, also where one of them dispatches", () => {
  const store = createStore(FIRST);
  const heard = { first: [], second: [] };
  store.subscribe(({ layer: name }) => {
    heard.first.push(name);
    if (name === "a") store.dispatch(layer("b"));
  });
  store.subscribe(({ layer: name }, before) => heard.second.push(`${before.layer}>${name}`));
  store.dispatch(layer("a"));
  assert.deepEqual(heard, { first: ["a", "b"], second: [">a", "a>b"] });
});

test("a listener that fails keeps no other from the look, and its error comes out", () => {
  const store = createStore(FIRST);
  const heard = [];
  store.subscribe(() => { throw new Error("broken"); });
  store.subscribe(({ layer: name }) => heard.push(name));
  assert.throws(() => store.dispatch(layer("a")), /broken/);
  assert.throws(() => store.dispatch(layer("b")), /broken/);
  assert.deepEqual(heard, ["a", "b"]);
});

test("listeners hear whether the visitor chose a look, or the page settled it", () => {
  const store = createStore(FIRST);
  const heard = [];
  store.subscribe(({ layer: name }, _, chosen) => {
    heard.push([name, chosen]);
    if (name === "a") store.settle(layer("b"));
  });
  store.dispatch(layer("a"));
  store.dispatch(layer("b"));
  store.settle(layer("c"));
  store.undo();
  assert.deepEqual(heard, [["a", true], ["b", false], ["c", false], ["", true]]);
});

test("whoever comes back to a layer finds the channel and layout that were chosen there", () => {
  const store = createStore(FIRST);
  store.dispatch(layer("a"));
  store.dispatch({ type: "kind", kind: "rows" });
  store.dispatch({ type: "channel", channel: 3 });
  store.dispatch(layer("b"));
  assert.equal(store.get().channel, null);
  store.dispatch(layer("a"));
  assert.deepEqual([store.get().channel, store.get().kind], [3, "rows"]);
  store.dispatch({ type: "layer", layer: "a", call: 1 });
  store.dispatch({ type: "channel", channel: 5 });
  store.dispatch(layer("b"));
  store.dispatch({ type: "layer", layer: "a", call: 0 });
  assert.equal(store.get().channel, 3);
  store.dispatch({ type: "layer", layer: "a", call: 1 });
  assert.equal(store.get().call, 1);
});

test("what is settled on begins a layer anew", () => {
  const store = createStore(FIRST);
  store.dispatch(layer("a"));
  store.dispatch({ type: "channel", channel: 3 });
  store.settle(layer("b"));
  store.settle(layer("a"));
  assert.equal(store.get().channel, null);
});

test("the channel on screen is said once other values of its layer come, and undo takes both back", () => {
  const begun = { ...FIRST, layer: "a", channel: null };
  for (const action of [
    { type: "edits", edits: "a:zero:3" }, { type: "kind", kind: "attention-query" }, { type: "index", index: 2 },
    { type: "row", row: 1 }, { type: "call", call: 1 }, { type: "leaf", leaf: "output[1]" },
  ]) {
    const store = createStore(begun);
    store.shows({ layer: "a", channel: 3 });
    store.dispatch(action);
    assert.equal(store.get().channel, 3, action.type);
    store.undo();
    assert.equal(store.get(), begun);
  }
});

test("colours, another layer, another view and a link fix no channel", () => {
  for (const action of [
    { type: "colormap", colormap: "magma" }, { type: "order", order: "mean" }, layer("b"), { type: "view", view: "unit" },
    { type: "target", target: 3 }, { type: "link", look: { ...FIRST, layer: "a", edit: "a:zero:1" } },
  ]) {
    const store = createStore({ ...FIRST, layer: "a" });
    store.shows({ layer: "a", channel: 3 });
    store.dispatch(action);
    assert.equal(store.get().channel, null, action.type);
  }
});

test("another class fixes the channel of its gradients", () => {
  const store = createStore({ ...FIRST, layer: "a", view: "gradients" });
  store.shows({ layer: "a", channel: 3 });
  store.dispatch({ type: "target", target: 3 });
  assert.equal(store.get().channel, 3);
});

test("a channel that the layer has not is replaced by the one on screen", () => {
  const store = createStore({ ...FIRST, layer: "a", channel: 99 });
  store.shows({ layer: "a", channel: 3 });
  store.dispatch({ type: "edits", edits: "a:zero:3" });
  assert.equal(store.get().channel, 3);
});

test("what depends on the channel settles it, of the layer on screen only", () => {
  const store = createStore({ ...FIRST, layer: "a" });
  store.shows({ layer: "b", channel: 5 });
  store.fix();
  assert.equal(store.get().channel, null);
  store.shows({ layer: "a", channel: 3 });
  store.fix();
  assert.equal(store.get().channel, 3);
  store.undo();
  assert.equal(store.get().channel, 3); // it was not the visitor's choice
});

test("in a class only its own steps are undone, and after it those from before", () => {
  const store = createStore(FIRST);
  store.dispatch(layer("mine"));
  store.dispatch(layer("mine too"));
  store.join();
  store.settle(layer("the teacher's"));
  store.undo();
  assert.equal(store.get().layer, "the teacher's");
  store.dispatch(layer("alone"));
  store.undo();
  assert.equal(store.get().layer, "the teacher's");
  store.leave();
  store.redo();
  assert.equal(store.get().layer, "the teacher's");
  store.undo();
  assert.equal(store.get().layer, "mine too");
  store.undo();
  assert.equal(store.get().layer, "mine");
});

test("who joins again while in a class, or leaves none, loses nothing", () => {
  const store = createStore(FIRST);
  store.dispatch(layer("mine"));
  store.leave();
  store.join();
  store.settle(layer("the teacher's"));
  store.join();
  store.leave();
  store.undo();
  assert.equal(store.get().layer, "mine");
  store.undo();
  assert.equal(store.get(), FIRST);
});

test("what was chosen in a layer comes back with it, until the layers are another model's", () => {
  const store = createStore(FIRST);
  store.dispatch(layer("a"));
  store.dispatch({ type: "channel", channel: 3 });
  store.dispatch(layer("b"));
  store.dispatch(layer("a"));
  assert.equal(store.get().channel, 3);
  store.dispatch(layer("b"));
  store.at("another");
  store.dispatch(layer("a"));
  assert.equal(store.get().channel, null);
  store.dispatch({ type: "channel", channel: 5 });
  store.dispatch(layer("b"));
  store.dispatch(layer("a"));
  assert.equal(store.get().channel, 5);
});

test("looks at another model are told from this one's, also after undo and redo, and back at that model", () => {
  const store = createStore(FIRST);
  store.at("a");
  store.dispatch(layer("one"));
  store.dispatch({ type: "edits", edits: "one:zero:3" });
  store.dispatch(layer("two"));
  const later = store.get();
  store.undo();
  const edited = store.get();
  store.at("b");
  assert.deepEqual([edited, later].map(store.isOthers), [true, true]);
  store.settle({ type: "edits", edits: "" });
  assert.equal(store.isOthers(store.get()), false);
  store.redo();
  assert.equal(store.isOthers(store.get()), true);
  store.at("a");
  assert.equal(store.isOthers(later), false);
});

test("looks from before a class are another model's after it, if the visitor's is another by then", () => {
  const store = createStore(FIRST);
  store.at("mine");
  store.dispatch(layer("one"));
  store.dispatch(layer("two"));
  store.join();
  store.at("the teacher's");
  store.settle(layer("three"));
  store.at("mine");
  store.leave();
  store.undo();
  assert.deepEqual([store.get().layer, store.isOthers(store.get())], ["two", false]);
  store.join();
  store.at("the teacher's");
  store.at("mine now");
  store.leave();
  store.undo();
  assert.deepEqual([store.get().layer, store.isOthers(store.get())], ["two", true]);
});

test("undo and redo pass over what is unfolded, and know whose looks they bring back", () => {
  const store = createStore(FIRST);
  store.at("one");
  store.dispatch(layer("a"));
  store.settle({ type: "filter", filter: "open" });
  store.at("two");
  store.undo();
  assert.deepEqual([store.get().layer, store.get().filter], ["", "open"]);
  assert.equal(store.isOthers(store.get()), true);
  store.settle({ type: "filter", filter: "auto" });
  store.redo();
  assert.deepEqual([store.get().layer, store.get().filter], ["a", "auto"]);
});

test("undo goes back to an optimised picture that was there, and makes none", () => {
  const store = createStore(FIRST);
  store.dispatch({ type: "channel", channel: 3 });
  store.settle({ type: "optimised", optimised: "drawn" });
  store.dispatch({ type: "channel", channel: 4 });
  assert.equal(store.get().optimised, "open");
  store.undo();
  assert.deepEqual([store.get().channel, store.get().optimised], [3, "drawn"]);
  store.undo();
  assert.deepEqual([store.get().channel, store.get().optimised], [null, "open"]);
  store.redo();
  store.settle({ type: "optimised", optimised: "auto" });
  store.redo();
  assert.deepEqual([store.get().channel, store.get().optimised], [4, "auto"]);
});

test("undo of something else leaves a picture that is made as it is", () => {
  const store = createStore({ ...FIRST, layer: "a", channel: 3 });
  store.dispatch({ type: "overlay", overlay: 20 });
  store.settle({ type: "optimised", optimised: "drawn" });
  store.undo();
  assert.deepEqual([store.get().overlay, store.get().optimised], [0, "drawn"]);
});
