// One click against pale maps: colours that follow the square root of values, and back. A few large values make
// every other map pale.

import { isStretched, stretched } from "../maps/colours.js";

const TAIL = 0.01; // the share of the values at each end that are called large
const PALE = 0.5; // offered if all others lie within half of what the colours span, or less

/** @typedef {Pick<LayerFacts, "histogram" | "statistics" | "signed">} Spread */

// True if the largest hundredth takes up most of the colours: at the farther end from zero, or at the upper one.
/** @param {Spread} facts */
export function isPale({ histogram, statistics, signed }) {
  const { minimum, maximum } = statistics;
  if (minimum === null || maximum === null || !(maximum > minimum)) return false;
  /** @type {(bin: number) => number} */
  const value = (bin) => minimum + ((maximum - minimum) * bin) / histogram.length;
  const low = value(firstBeyond(histogram)), high = value(histogram.length - firstBeyond([...histogram].reverse()));
  /** @type {(low: number, high: number) => number} */
  const reach = (from, to) => (signed ? Math.max(Math.abs(from), Math.abs(to)) : to - minimum); // from the colour of nothing
  return reach(low, high) <= PALE * reach(minimum, maximum);
}

// Number of bins at the beginning that hold less than the tail.
/** @param {readonly number[]} counts */
function firstBeyond(counts) {
  const most = TAIL * counts.reduce((sum, count) => sum + count, 0);
  let seen = 0, bin = 0;
  for (; bin < counts.length && seen + counts[bin] <= most; bin += 1) seen += counts[bin];
  return bin;
}

export class Brighter {
  /** @param {HTMLElement} root @param {{look: Look, choose: (action: Action) => void}} viewer */
  constructor(root, viewer) {
    this.button = root;
    root.onclick = () => {
      const { colormap } = viewer.look;
      viewer.choose({ type: "colormap", colormap: stretched(colormap, !isStretched(colormap)) });
    };
  }

  /** @type {(facts: Spread & Pick<LayerFacts, "scale" | "colormap">, words: Words) => void} */
  draw(facts, words) {
    const bright = isStretched(facts.colormap);
    this.button.hidden = !(bright || (facts.scale === "layer" && isPale(facts)));
    this.button.ariaPressed = String(bright);
    this.button.textContent = words.brighter;
    this.button.title = words.brighter_title;
  }
}
