// One click against pale maps: colours from the 1st to the 99th percentile, and back. A few large values make every
// other map pale.

const TAIL = 0.01; // the share that is cut off at each end, as the scale "clipped" does
const PALE = 0.5; // offered if the colours would then span half of what they span now, or less

/** @typedef {Pick<LayerFacts, "histogram" | "statistics" | "signed" | "scale">} Spread */

// True if the largest hundredth takes up most of the colours.
/** @param {Spread} facts */
export function isPale({ histogram, statistics, signed }) {
  const { minimum, maximum } = statistics;
  if (minimum === null || maximum === null || !(maximum > minimum)) return false;
  /** @type {(bin: number) => number} */
  const value = (bin) => minimum + ((maximum - minimum) * bin) / histogram.length;
  const low = value(firstBeyond(histogram)), high = value(histogram.length - firstBeyond([...histogram].reverse()));
  /** @type {(low: number, high: number) => number} */
  const span = (from, to) => (signed ? 2 * Math.max(Math.abs(from), Math.abs(to)) : to - from);
  return span(low, high) <= PALE * span(minimum, maximum);
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
  /** @param {HTMLElement} root @param {(action: Action) => void} choose */
  constructor(root, choose) {
    this.button = root;
    root.onclick = () => choose({ type: "scale", scale: root.ariaPressed === "true" ? "layer" : "clipped" });
  }

  /** @type {(facts: Spread, words: Words) => void} */
  draw(facts, words) {
    const clipped = facts.scale === "clipped";
    this.button.hidden = !(clipped || (facts.scale === "layer" && isPale(facts)));
    this.button.ariaPressed = String(clipped);
    this.button.textContent = words.brighter;
    this.button.title = words.brighter_title;
  }
}
