// The room that maps have, as the server is told: in device pixels. It is told in steps, and kept while it changes
// little, so that a page fetched ahead has the address that a flip to it will use.

const STEP = 16; // screen pixels
const LINE = 24; // a line of text above the maps, which some layers have more of than others

class Room {
  // What there is now, in screen pixels.
  measured({ width, height }) {
    this.width = settled(this.width, width, 0);
    this.height = settled(this.height, height, LINE);
    return this;
  }

  query() {
    const ratio = window.devicePixelRatio || 1;
    return `room=${Math.floor(this.width * ratio)}x${Math.floor(this.height * ratio)}`;
  }
}

// What was told is kept while it fits, and while it wastes no more than a line and what is spared for another one.
function settled(kept, now, spared) {
  if (kept <= now && now < kept + 2 * (STEP + spared)) return kept;
  const wanted = Math.max(STEP, now - spared);
  return wanted - (wanted % STEP);
}
