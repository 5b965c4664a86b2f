// The histogram of a layer and of one channel. It has bars for the layer, a line for the channel, and below them the
// colour of each value.

import { drawColours, limits, placedColours } from "./colours.js";

const HISTOGRAM_WIDTH = 240;
const HISTOGRAM_HEIGHT = 56;

// The layer's counts are in its facts; the channel's values are counted in the same bins.
/** @typedef {Pick<LayerFacts, "histogram" | "statistics" | "colormap" | "signed" | "vmin" | "vmax">} Numbers */
/** @type {(root: HTMLElement, facts: Numbers, values: ?Iterable<number>, how: {channel: number, colours: SubjectFacts["colours"], length: number}) => void} */
export function drawHistogram(root, facts, values, { channel, colours, length }) {
  const counts = facts.histogram;
  const { minimum, maximum } = facts.statistics;
  const within = values && minimum !== null && maximum !== null && maximum > minimum ? binned(values, minimum, maximum, counts.length) : null;
  root.innerHTML = `<svg viewBox="0 0 ${HISTOGRAM_WIDTH} ${HISTOGRAM_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    <path class="lg-bars" d="${outline(counts)}Z"/>${within ? `<path class="lg-line" d="${outline(within)}"/>` : ""}</svg><div></div>`;
  const scale = root.lastElementChild;
  if (scale instanceof HTMLElement && minimum !== null && maximum !== null) drawColours(scale, placedColours(colours, facts), limits(facts, channel), [minimum, maximum], { length });
}

/** @type {(values: Iterable<number>, low: number, high: number, bins: number) => number[]} */
function binned(values, low, high, bins) {
  const counts = new Array(bins).fill(0);
  for (const value of values) {
    if (Number.isFinite(value)) counts[Math.max(0, Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins)))] += 1;
  }
  return counts;
}

// Heights grow with the logarithm: otherwise one bin, often that of zero, would hide all others.
/** @param {readonly number[]} counts */
function outline(counts) {
  const highest = Math.log1p(Math.max(...counts, 1));
  const step = HISTOGRAM_WIDTH / counts.length;
  const points = counts.map((count, bin) => {
    const y = (HISTOGRAM_HEIGHT * (1 - Math.log1p(count) / highest)).toFixed(1);
    return `L${(bin * step).toFixed(1)} ${y}L${((bin + 1) * step).toFixed(1)} ${y}`;
  });
  return `M0 ${HISTOGRAM_HEIGHT}${points.join("")}L${HISTOGRAM_WIDTH} ${HISTOGRAM_HEIGHT}`;
}
