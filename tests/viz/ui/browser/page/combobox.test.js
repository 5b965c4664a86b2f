import assert from "node:assert/strict";
import { test } from "node:test";

import { Combobox, isSameList } from "../../../../../viz/ui/browser/page/combobox.js";

/** What a key does in an open box, and whether the browser still has it. */
function press(key, isComposing) {
  const did = [];
  const box = Object.assign(Object.create(Combobox.prototype), {
    list: { hidden: false }, at: 2, choose: (at) => did.push(`choose ${at}`), move: (by) => did.push(`move ${by}`), close: () => did.push("close"),
  });
  box.pressed({ key, isComposing, preventDefault: () => did.push("taken") });
  return did;
}

test("the keys of an input method choose no option, go to none, and close nothing", () => {
  const acts = { Enter: "choose 2", ArrowDown: "move 1", Escape: "close" };
  for (const [key, act] of Object.entries(acts)) {
    assert.deepEqual(press(key, true), [], key);
    assert.deepEqual(press(key, false), [act, "taken"], key);
  }
});

const SOME = [{ value: "auto", label: "automatic", swatch: "red" }, { value: "hot", label: "hot" }];

test("options that look alike are the same list, and others are not", () => {
  assert.equal(isSameList(SOME, structuredClone(SOME)), true);
  assert.equal(isSameList(SOME, SOME.slice(1)), false);
  for (const other of [{ swatch: "blue" }, { label: "selbst" }, { value: "viridis" }, { about: "of both signs" }]) {
    assert.equal(isSameList(SOME, [{ ...SOME[0], ...other }, SOME[1]]), false, JSON.stringify(other));
  }
});

test("other options are all shown in an open list, unless something is searched for", () => {
  const drawn = (query) => {
    const did = [];
    const box = Object.assign(Object.create(Combobox.prototype), {
      options: SOME, value: "hot", query, draw: (found, at) => did.push(found.length, at), search: () => did.push("search"),
    });
    box.drawAgain();
    return did;
  };
  assert.deepEqual(drawn(""), [2, 1]);
  assert.deepEqual(drawn("ho"), ["search"]);
});
