// The curve of the probes: each layer's accuracy, with interval and chance level.

import { element } from "../maps/mosaic.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 1000, HEIGHT = 100; // of the drawing, which is stretched; y is the accuracy in per cent

/** An empty drawing, for `drawCurve`. */
export function emptyCurve() {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.classList.add("lg-lens-curve");
  return svg;
}

/** Of so many layers the first ones may be there. @type {(svg: SVGElement, layers: readonly LensLayer[], count: number, chance: Found) => void} */
export function drawCurve(svg, layers, count, chance) {
  const places = layers.map((_, place) => (place + 0.5) * WIDTH / count);
  const band = [...along(places, layers.map(({ high }) => high)), ...along(places, layers.map(({ low }) => low)).reverse()];
  const parts = [shape("polygon", "lg-lens-band", { points: band.join(" ") })];
  for (const each of [25, 50, 75]) parts.push(shape("path", "lg-lens-grid", { d: `M0 ${each}H${WIDTH}` }));
  if (chance !== null) parts.push(shape("path", "lg-lens-chance", { d: `M0 ${HEIGHT * (1 - chance)}H${WIDTH}` }));
  parts.push(shape("polyline", "lg-lens-line", { points: along(places, layers.map(({ accuracy }) => accuracy)).join(" ") }));
  svg.replaceChildren(...parts);
}

/** The numbers beside the curve. @param {(share: number) => string} written */
export function curveAxis(written) {
  const axis = element("div", "lg-lens-axis");
  axis.setAttribute("aria-hidden", "true");
  axis.append(...[1, 0.5, 0].map((share) => element("span", "", written(share))));
  return axis;
}

/** @type {(places: readonly number[], shares: readonly Found[]) => string[]} */
function along(places, shares) {
  return shares.flatMap((share, place) => share === null ? [] : [`${places[place].toFixed(1)},${(HEIGHT * (1 - share)).toFixed(2)}`]);
}

/** @type {(tag: string, name: string, attributes: Record<string, string>) => SVGElement} */
function shape(tag, name, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries({ class: name, "vector-effect": "non-scaling-stroke", ...attributes })) made.setAttribute(key, value);
  return /** @type {SVGElement} */ (made);
}
