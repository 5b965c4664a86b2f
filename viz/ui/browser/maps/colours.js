// The colour bar of maps, with numbers, from the colormap in the page's data.

import { element, readable } from "./mosaic.js";

const LETTER = 7.2; // pixels: the width of a digit, and what a line and its gap take upright
const GAP = 10;
const MOST_STEPS = 4;
const STRETCHED = "_root"; // the end of a colormap's name whose colours follow the square root of values, as viz/maps/colour has it

/** @typedef {readonly string[]} Stops - a colormap's colours, evenly spaced */
/** @typedef {readonly (readonly [number, string])[]} Placed - colours with their places from 0, the lowest value, to 1 */
/** @typedef {Pick<LayerFacts, "vmin" | "vmax">} Limited */
/** @typedef {[number, number]} Ends */

/** A gradient from the left, or to the top. @type {(stops: Stops, upright?: boolean) => string} */
export function gradient(stops, upright = false) {
  return `linear-gradient(${[upright ? "to top" : "to right", ...stops].join(", ")})`;
}

/** The values of a channel's first and last colour. @type {(facts: Limited, channel: number) => Ends} */
export function limits({ vmin, vmax }, channel) {
  return [typeof vmin === "number" ? vmin : vmin[channel], typeof vmax === "number" ? vmax : vmax[channel]];
}

/** True if weak values are more strongly coloured. @type {(colormap: string) => boolean} */
export function isStretched(colormap) {
  return colormap.endsWith(STRETCHED);
}

/** The same colormap, its colours stretched or not. @type {(colormap: string, wanted: boolean) => string} */
export function stretched(colormap, wanted) {
  const name = isStretched(colormap) ? colormap.slice(0, -STRETCHED.length) : colormap;
  return wanted ? name + STRETCHED : name;
}

/**
 * A layer's colours and their places between its limits.
 * @type {(colours: SubjectFacts["colours"], facts: Pick<LayerFacts, "colormap" | "signed">) => Placed}
 */
export function placedColours(colours, { colormap, signed }) {
  const stops = colours[stretched(colormap, false)] ?? [];
  return stops.map((colour, n) => {
    const even = n / (stops.length - 1), far = signed ? 2 * even - 1 : even;
    const place = signed ? (1 + far * Math.abs(far)) / 2 : far * far;
    return [isStretched(colormap) ? place : even, colour];
  });
}

/**
 * The colours of all values from one end to the other. Values beyond the limits have the colour of the limit.
 * @type {(root: HTMLElement, colours: Placed, limits: Ends, ends: Ends, size: {length: number, upright?: boolean}) => void}
 */
export function drawColours(root, colours, [low, high], [from, to], { length, upright = false }) {
  const bar = element("div", "lg-colours");
  const span = to - from;
  /** @param {number} value */
  const place = (value) => (span > 0 ? (value - from) / span : 0.5);
  const stops = colours.map(([at, colour]) => `${colour} ${(100 * place(low + (high - low) * at)).toFixed(2)}%`);
  const only = high > low ? colours.findLast(([at]) => low + (high - low) * at <= from) : colours[0]; // of values that are all one
  bar.style.background = span > 0 && high > low ? gradient(stops, upright) : only?.[1] ?? "";
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
