// The legend beside the maps: colours, their names, and their meaning.

import { element, filled, readable } from "../maps/mosaic.js";

const [PALE, DARK, LIGHT] = [0.12, 0.2, 0.9];
/** End of each hue, in degrees. @type {readonly (readonly [number, string])[]} */
const HUES = [[15, "red"], [45, "orange"], [70, "yellow"], [165, "green"], [255, "blue"], [330, "purple"], [361, "red"]];

/** @typedef {{colour: string, text: string}} Entry */

/** @type {(facts: Parameters<typeof plainLegend>[0] & Pick<LayerFacts, "odd_colours" | "statistics">, words: Words) => Entry[]} */
export function legendOf(facts, words) {
  const { nan, positive_infinities, negative_infinities } = facts.statistics;
  const odd = [nan, positive_infinities, negative_infinities].flatMap((count, place) => {
    if (!count) return [];
    const [colour, value] = [facts.odd_colours[place], ["NaN", "∞", "−∞"][place]];
    return [{ colour, text: filled(words.legend_value, { colour: words[`colour_${colourName(colour)}`], value }) }];
  });
  return [...plainLegend(facts, words), ...odd];
}

/** @type {(facts: Pick<LayerFacts, "colours" | "signed" | "scale" | "vmin" | "vmax">, words: Words) => Entry[]} */
function plainLegend({ colours, signed, scale, vmin, vmax }, words) {
  const [low, middle, high] = colours;
  /** @type {(colour: string, text: string, value?: unknown) => Entry} */
  const entry = (colour, text, value) => ({ colour, text: filled(text, { colour: words[`colour_${colourName(colour)}`], value: readable(value) }) });
  if (signed) return [entry(low, words.legend_negative), entry(middle, words.legend_zero), entry(high, words.legend_positive)];
  if (scale === "channel") return [entry(low, words.legend_least), entry(high, words.legend_most)];
  return [entry(low, words.legend_value, vmin), entry(high, words.legend_value, vmax)];
}

// Name of a colour, #rrggbb: one of nine.
/** @param {string} colour */
export function colourName(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const [light, spread] = [(most + least) / 2, most - least];
  if (spread < PALE) return light < DARK ? "black" : light > LIGHT ? "white" : "grey";
  const sixth = most === red ? (green - blue) / spread : most === green ? 2 + (blue - red) / spread : 4 + (red - green) / spread;
  const hue = (60 * sixth + 360) % 360;
  const name = HUES.find(([end]) => hue < end)?.[1] ?? "red";
  return name === "orange" && light < 0.35 ? "brown" : name;
}

/** @type {(root: HTMLElement, entries: readonly Entry[]) => void} */
export function drawLegend(root, entries) {
  root.replaceChildren(...entries.map(({ colour, text }) => {
    const item = element("li", "", text);
    item.style.setProperty("--colour", colour);
    return item;
  }));
}
