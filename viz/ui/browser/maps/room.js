// The room for maps in device pixels, as the server is told. It changes in steps, so that a page fetched ahead has the
// address that a flip to it will use. It follows from what is on screen now, not from what was, so a link has the same
// maps as here. (The line that says that maps are means follows from the room in turn, and keeps the room it has found.)

import { rem } from "../page/text_size.js";
import { onPage } from "./scheme.js";

const STEP = 16; // screen pixels
const LINES = 3; // rem: about two lines of text
const ROUNDING = 0.5; // screen pixels: heights are differences of fractions

export class Room {
  width = NaN;
  height = NaN;

  // Takes the room that there is now, in screen pixels.
  /** @param {{width: number, height: number}} now */
  measured({ width, height }) {
    this.width = stepped(width);
    this.height = stepped(height);
    return this;
  }

  // Query of pictures for this room: its size, and whether the page around it is dark.
  query() {
    const ratio = window.devicePixelRatio || 1;
    const size = `room=${Math.floor(this.width * ratio)}x${Math.floor(this.height * ratio)}`;
    return [size, onPage()].filter(Boolean).join("&");
  }
}

/** @param {number} size */
function stepped(size) {
  return Math.max(STEP, size - (size % STEP));
}

/**
 * The height that a heading counts as. Layers have a line more or less in theirs, and shall share one room.
 * @param {number} height - in screen pixels
 * @param {number} usual - rem: at least as high as those of most layers
 */
export function headingCounted(height, usual) {
  return rem(usual) + rem(LINES) * Math.ceil(Math.max(0, height - rem(usual) - ROUNDING) / rem(LINES));
}
