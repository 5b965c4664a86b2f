import assert from "node:assert/strict";
import { test } from "node:test";

import { Combobox } from "../../../../../viz/ui/browser/page/combobox.js";

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
