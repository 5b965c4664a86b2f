// Sizes of mosaics that fill their room. They are enlarged by any factor for which each tile, with its gap, has the
// same number of device pixels: then all tiles are drawn alike, and all gaps are equally wide.

import { isShrunk, rendering } from "./mosaic.js";

const COARSE = 1.5; // means are enlarged only from here on: below, some of them would be drawn twice for no gain

/** @typedef {{width: number, height: number}} Size */
/** @typedef {{scale: number, stretch: number}} Drawn - screen pixels per pixel of the picture; how many times more down */

/**
 * Drawn size of a mosaic in its room.
 * @param {Geometry} geometry
 * @param {Size} room - in screen pixels
 * @returns {Drawn}
 */
export function magnified(geometry, room) {
  const ratio = window.devicePixelRatio || 1;
  const most = ratio * Math.min(room.width / geometry.width, room.height / geometry.height);
  if (most < 1) return { scale: most / ratio, stretch: 1 };
  if (isShrunk(geometry) && most < COARSE) return { scale: 1 / ratio, stretch: 1 };
  const { columns, channels, tile_width, tile_height, pad } = geometry;
  const across = wholeSteps(most, tile_width + (columns > 1 ? pad : 0));
  const down = wholeSteps(most, tile_height + (channels > columns ? pad : 0));
  return { scale: across / ratio, stretch: down / across };
}

// The factor, at most that one, by which so many pixels become a whole number of them.
/** @type {(most: number, pixels: number) => number} */
function wholeSteps(most, pixels) {
  return Math.floor(most * pixels + 1e-6) / pixels;
}

/**
 * Scale of a single map: its longer side has a whole number of device pixels.
 * @type {(width: number, height: number, room: Size) => number}
 */
export function filling(width, height, room) {
  const ratio = window.devicePixelRatio || 1;
  const scale = Math.min(room.width / width, room.height / height);
  const longer = Math.max(width, height);
  return scale * ratio >= 1 ? Math.floor(scale * longer * ratio + 1e-6) / longer / ratio : scale;
}

/**
 * Lay a mosaic out as large as it is drawn, in a frame of that size. It is scaled and not resized: browsers round the
 * size of a picture to whole pixels, after which its tiles would no longer be alike.
 * @type {(image: HTMLImageElement, frame: HTMLElement, geometry: Geometry, drawn: Drawn) => void}
 */
export function lay(image, frame, { channels, width, height, tile_width, pad }, { scale, stretch }) {
  const ratio = window.devicePixelRatio || 1;
  const aside = 1 / (4 * (tile_width + pad) * ratio); // no pixel's middle lies on the border of two values, where rounding decides
  Object.assign(image.style, {
    width: `${width}px`,
    height: `${height}px`,
    scale: `${scale} ${scale * stretch}`,
    translate: channels === 1 || Number.isInteger(scale * ratio) ? "none" : `${-aside}px ${-aside}px`,
    imageRendering: rendering(scale),
  });
  Object.assign(frame.style, { width: `${width * scale}px`, height: `${height * scale * stretch}px` });
}
