// The room for maps in device pixels, as the server is told. It changes in steps and ignores small changes, so that a
// page fetched ahead has the address that a flip to it will use.

import { onPage } from "./scheme.js";

const STEP = 16; // screen pixels
const LINE = 24; // a line of text above the maps; some layers have more lines than others

export class Room {
  width = NaN;
  height = NaN;

  // Takes the room that there is now, in screen pixels.
  /** @param {{width: number, height: number}} now */
  measured({ width, height }) {
    this.width = settled(this.width, width, 0);
    this.height = settled(this.height, height, LINE);
    return this;
  }

  // Query of pictures for this room: its size, and whether the page around it is dark.
  query() {
    const ratio = window.devicePixelRatio || 1;
    const size = `room=${Math.floor(this.width * ratio)}x${Math.floor(this.height * ratio)}`;
    return [size, onPage()].filter(Boolean).join("&");
  }
}

// Keep the old size while it fits and wastes no more than two steps and two times what is spared for a line.
/** @type {(kept: number, now: number, spared: number) => number} */
function settled(kept, now, spared) {
  if (kept <= now && now < kept + 2 * (STEP + spared)) return kept;
  const wanted = Math.max(STEP, now - spared);
  return wanted - (wanted % STEP);
}
