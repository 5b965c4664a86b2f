import assert from "node:assert/strict";
import { test } from "node:test";

import { keep } from "../../../../../viz/ui/browser/page/kept.js";

const TOKEN = "layerglass.kept";

/** @type {(address: Record<string, string>) => string | undefined} */
function keptOf(address) {
  const held = new Map([[TOKEN, "before"]]);
  const storage = { setItem: held.set.bind(held), removeItem: held.delete.bind(held) };
  Object.defineProperty(globalThis, "sessionStorage", { value: storage, configurable: true });
  keep({ subject: "now", address });
  return held.get(TOKEN);
}

test("a tab remembers a subject of which something is the visitor's own", () => {
  assert.equal(keptOf({ model: "lenet", weights: "pretrained" }), "now");
  assert.equal(keptOf({ model: "lenet", sample: "cat" }), "now");
  assert.equal(keptOf({ model: "lenet", weights: "pretrained", sample: "own:0123" }), "now");
});

test("a tab forgets it once all can be named", () => {
  for (const sample of ["cat", "folder:own:cat.png"]) assert.equal(keptOf({ model: "lenet", weights: "random", sample }), undefined);
});
