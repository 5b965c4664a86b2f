import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.window = new EventTarget();
const { LiveMaps } = await import("../../../../../viz/ui/browser/live/live_maps.js");

/** Offer a frame as the camera does, and return whether somebody takes it. */
function isTaken() {
  const detail = { frame: new Blob(), done: () => {} };
  return !globalThis.window.dispatchEvent(new CustomEvent("layerglass:frame", { detail, cancelable: true }));
}

test("a viewer takes no frame before it shows a layer", () => {
  const viewer = { shown: false, rows: [], index: -1, waits: () => null };
  const live = new LiveMaps(viewer);
  assert.equal(isTaken(), false);
  Object.assign(viewer, { shown: true, rows: [{ reason: "does not run" }], index: 0 });
  assert.equal(isTaken(), true);
  live.close();
  assert.equal(isTaken(), false);
});
