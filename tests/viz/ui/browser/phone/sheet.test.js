// The history of a phone's browser, in which a sheet is an entry.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const did = [];
globalThis.window = Object.assign(new EventTarget(), {
  location: { href: "/?channel=3" },
  history: { pushState: () => did.push("push"), back: () => did.push("back") },
});
const { Sheet } = await import("../../../../../viz/ui/browser/phone/sheet.js");

/** A sheet that shows nothing. */
function sheet() {
  const root = Object.assign(new EventTarget(), { open: false, showModal() { this.open = true; } });
  root.close = () => {
    root.open = false;
    root.dispatchEvent(new Event("close"));
  };
  const made = Object.assign(Object.create(Sheet.prototype), { root, viewer: { look: { channel: 3 } }, homes: [], hearing: new AbortController(), entry: null });
  made.listen(made.hearing.signal);
  made.open = (again) => {
    root.showModal();
    if (again) made.enter();
  };
  return made;
}

let here;
beforeEach(() => {
  did.length = 0;
  here = sheet();
});

test("a sheet that is closed takes its entry along", () => {
  here.open(true);
  here.close();
  here.open(false);
  here.close();
  assert.deepEqual(did, ["push", "back"]);
});

test("Back is the end of its entry, and what was looked at since keeps it", () => {
  here.open(true);
  globalThis.window.dispatchEvent(new Event("layerglass:returned"));
  assert.deepEqual(did, ["push"]);
  here.open(true);
  here.viewer.look = { channel: 4 };
  here.close();
  assert.deepEqual(did, ["push", "push"]);
});

test("a view that ends goes nowhere", () => {
  here.open(true);
  here.end();
  assert.deepEqual(did, ["push"]);
});
