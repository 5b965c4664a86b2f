import assert from "node:assert/strict";
import { test } from "node:test";

Object.assign(globalThis, { document: Object.assign(new EventTarget(), { body: {}, documentElement: { dataset: {} } }) });
Object.assign(globalThis, { Element: class {}, MutationObserver: class { observe() {} disconnect() {} } });
const { listenToKeys } = await import("../../../../../viz/ui/browser/layer/keys.js");

test("the keys of an input method do nothing on the page", () => {
  let steps = 0;
  const end = listenToKeys({ shown: { keyed: { step: () => { steps += 1; } } } });
  for (const isComposing of [true, false]) globalThis.document.dispatchEvent(Object.assign(new Event("keydown"), { key: "ArrowRight", isComposing }));
  assert.equal(steps, 1);
  end();
});
