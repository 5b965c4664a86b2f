import assert from "node:assert/strict";
import { test } from "node:test";

import { closeBeside } from "../../../../../viz/ui/browser/page/dialog.js";

/** Whether a dialog closes when a finger comes down on one thing, and a click is on another. */
function closes(down, clicked) {
  let closed = false;
  const dialog = Object.assign(new EventTarget(), { close: () => { closed = true; } });
  closeBeside(dialog);
  for (const [name, place] of [["pointerdown", down], ["click", clicked]]) {
    const event = new Event(name);
    if (place === "inside") Object.defineProperty(event, "target", { value: {} });
    dialog.dispatchEvent(event);
  }
  return closed;
}

test("a click beside a dialog closes it, and neither one inside nor a drag out of it or into it does", () => {
  assert.equal(closes("beside", "beside"), true);
  assert.equal(closes("inside", "inside"), false);
  assert.equal(closes("inside", "beside"), false, "of a selection");
  assert.equal(closes("beside", "inside"), false);
});
