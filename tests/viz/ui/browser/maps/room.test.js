// The room that the server is told: the same for layers whose headings differ by a line, whatever was there before.

import assert from "node:assert/strict";
import { test } from "node:test";

import { headingCounted, Room } from "../../../../../viz/ui/browser/maps/room.js";

globalThis.document = /** @type {any} */ ({ documentElement: {} });
globalThis.getComputedStyle = /** @type {any} */ (() => ({ fontSize: "16px" }));

test("a heading counts as the usual one, or in steps of two lines more", () => {
  const counted = [0, 131, 156, 157, 204, 205].map((height) => headingCounted(height, 9.75));
  assert.deepEqual(counted, [156, 156, 156, 204, 204, 252]);
});

test("sizes go down to whole steps, and nothing is left of those before", () => {
  const room = new Room().measured({ width: 594, height: 347 });
  room.measured({ width: 594, height: 290 }).measured({ width: 594, height: 347 });
  assert.deepEqual([room.width, room.height], [592, 336]);
});

test("there is always some room", () => {
  const { width, height } = new Room().measured({ width: 3, height: -20 });
  assert.deepEqual([width, height], [16, 16]);
});
