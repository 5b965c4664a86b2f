// The colour bar of maps, with numbers, from the colormap in the page's data.

import { element, readable } from "./mosaic.js";

const LETTER = 7.2; // pixels: the width of a digit, and what a line and its gap take upright
const GAP = 10;
const MOST_STEPS = 4;

/** @typedef {readonly string[]} Stops - a colormap's colours, evenly spaced */
/** @typedef {Pick<LayerFacts, "colormap" | "vmin" | "vmax">} Coloured */
/** @typedef {[number, number]} Ends */

/** A gradient from the left, or to the top. @type {(stops: Stops, upright?: boolean) => string} */
export function gradient(stops, upright = false) {
  return `linear-gradient(${[upright ? "to top" : "to right", ...stops].join(", ")})`;
}

/** The values of a channel's first and last colour. @type {(facts: Coloured, channel: number) => Ends} */
export function limits({ vmin, vmax }, channel) {
  return [typeof vmin === "number" ? vmin : vmin[channel], typeof vmax === "number" ? vmax : vmax[channel]];
}

/**
 * The colours of all values from one end to the other. Values beyond the limits have the colour of the limit.
 * @type {(root: HTMLElement, stops: Stops, colours: Ends, ends: Ends, size: {length: number, upright?: boolean}) => void}
 */
export function drawColours(root, stops, [low, high], [from, to], { length, upright = false }) {
  const bar = element("div", "lg-colours");
  const span = to - from;
  /** @param {number} value */
  const place = (value) => (span > 0 ? (value - from) / span : 0.5);
  const placed = stops.map((colour, n) => `${colour} ${(100 * place(low + ((high - low) * n) / (stops.length - 1))).toFixed(2)}%`);
  bar.style.background = span > 0 && high > low ? gradient(placed, upright) : stops[high > low ? Math.round(((from - low) / (high - low)) * (stops.length - 1)) : 0];
  const ticks = element("div", "lg-ticks");
  ticks.append(...ticksBetween(from, to, length, upright).map((value) => {
    const tick = element("span", "", readable(value));
    tick.style[upright ? "bottom" : "left"] = `${100 * place(value)}%`;
    tick.dataset.at = value === to ? "end" : value === from ? "start" : "";
    return tick;
  }));
  root.classList.toggle("lg-upright", upright);
  root.replaceChildren(bar, ticks);
}

// Both ends, and round numbers between them that have room on a bar of so many pixels.
/** @type {(from: number, to: number, length: number, upright?: boolean) => number[]} */
export function ticksBetween(from, to, length, upright = false) {
  const span = to - from;
  if (!(span > 0) || !Number.isFinite(span)) return [from];
  const rough = span / MOST_STEPS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const round = [];
  for (let n = Math.ceil(from / step); n * step <= to; n += 1) round.push(Number((n * step).toPrecision(6)));
  /** @param {number} value */
  const size = (value) => (upright ? 2 * LETTER : readable(value).length * LETTER);
  /** @param {number} value */
  const hasRoom = (value) => {
    const at = (length * (value - from)) / span;
    const half = size(value) / 2 + GAP;
    return at - half > size(from) && length - at - half > size(to);
  };
  return [from, ...round.filter(hasRoom), to];
}
