// The notice in place of both sides, drawn for a comparison that has no page.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.window ??= Object.assign(new EventTarget(), { location: { search: "?" } });
const { Compare } = await import("../../../../../viz/ui/browser/compare/compare.js");
const { drawPending } = await import("../../../../../viz/ui/browser/compare/pending.js");

const quiet = () => {};

/** A comparison with another model, and its parts. */
function comparison() {
  const reason = { replaceChildren: (...said) => { reason.said = said.join(" "); } };
  const parts = {
    root: { setAttribute: (name) => { parts.busy = name === "aria-busy"; }, removeAttribute: () => { parts.busy = false; } },
    body: {}, asking: { replaceChildren: quiet }, note: {}, status: {}, reason,
  };
  const made = { parts, pending: "", words: { loading_model: "Loading {model} …" }, look: { with_model: "vgg16" }, data: { model: "lenet" } };
  return Object.assign(Object.create(Compare.prototype), made);
}

test("a refusal that comes again after another layer's reason is said again", () => {
  const here = comparison();
  drawPending(here, { error: "no such picture" });
  here.drawProblem(["this layer does not run"]);
  drawPending(here, { error: "no such picture" });
  assert.equal(here.parts.reason.said, "no such picture");
});

test("a refusal that comes again after a wait ends it", () => {
  const here = comparison();
  drawPending(here, { error: "no such picture" });
  here.wait();
  assert.deepEqual([here.parts.status.textContent, here.parts.busy], ["Loading vgg16 …", true]);
  drawPending(here, { error: "no such picture" });
  assert.deepEqual([here.parts.status.textContent, here.parts.busy], ["", false]);
});

test("what is said already keeps its buttons", () => {
  const here = comparison();
  drawPending(here, { error: "no" });
  here.parts.reason.said = "as it is";
  drawPending(here, { error: "no" });
  assert.equal(here.parts.reason.said, "as it is");
});
