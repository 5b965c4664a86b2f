// How large mosaics are drawn: as large as the room allows, each tile on a whole number of device pixels.

import assert from "node:assert/strict";
import { test } from "node:test";

const screen = { devicePixelRatio: 1 };
globalThis.window = /** @type {any} */ (screen);
const { filling, magnified } = await import("../../../../../viz/ui/browser/maps/magnify.js");

/** @type {(columns: number, rows: number, side: number, more?: Partial<Geometry>) => Geometry} */
const geometry = (columns, rows, side, more = {}) => ({
  columns, channels: columns * rows, tile_width: side, tile_height: side, map_width: side, map_height: side, pad: 1, order: [],
  width: columns * (side + 1) - 1, height: rows * (side + 1) - 1, ...more,
});

test("a tile with its gap has a whole number of device pixels, whatever the screen", () => {
  for (const ratio of [1, 1.25, 1.5, 2, 3]) {
    screen.devicePixelRatio = ratio;
    for (const [columns, rows, side] of [[16, 9, 28], [13, 9, 14], [8, 4, 7], [36, 36, 7]]) {
      const room = { width: 594, height: 446 };
      const drawn = magnified(geometry(columns, rows, side), room);
      const pitch = drawn.scale * ratio * (side + 1);
      assert.ok(Math.abs(pitch - Math.round(pitch)) < 1e-6);
      assert.equal(drawn.stretch, 1);
      assert.ok((columns * (side + 1) - 1) * drawn.scale <= room.width && (rows * (side + 1) - 1) * drawn.scale <= room.height);
      const larger = (Math.round(pitch) + 1) / (side + 1) / ratio;
      assert.ok((columns * (side + 1) - 1) * larger > room.width || (rows * (side + 1) - 1) * larger > room.height);
    }
  }
  screen.devicePixelRatio = 1;
});

test("means of values are not enlarged by a little", () => {
  const shrunk = geometry(7, 5, 83, { map_width: 112, map_height: 112 });
  assert.deepEqual(magnified(shrunk, { width: 680, height: 500 }), { scale: 1, stretch: 1 });
});

test("a mosaic that does not fit is made smaller", () => {
  assert.ok(magnified(geometry(64, 64, 1), { width: 60, height: 90 }).scale < 1);
});

test("the longer side of a single map fills its room to the pixel", () => {
  assert.equal(28 * filling(28, 28, { width: 320, height: 400 }), 320);
  assert.equal(256 * filling(256, 16, { width: 320, height: 400 }), 320);
});
