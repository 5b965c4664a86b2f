// A number line in an SVG: positions of numbers, and round labels below it.

import { written } from "./parts.js";
import { svgPart } from "./squares.js";

/** @typedef {{low: number, high: number, from: number, length: number}} Scale - numbers from low to high, on pixels */

/** Position of a number on a scale, no further than its ends. @type {(scale: Scale, value: number) => number} */
export function along({ low, high, from, length }, value) {
  const share = high > low ? (value - low) / (high - low) : 0.5;
  return from + length * (Number.isFinite(share) ? Math.max(0, Math.min(1, share)) : 0);
}

/** A few round numbers within a scale. @type {(low: number, high: number, most?: number) => number[]} */
export function ticks(low, high, most = 5) {
  const raw = (high - low) / most;
  if (!(raw > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw) ?? raw;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}

/** A horizontal axis at a height. @type {(scale: Scale, y: number) => SVGElement} */
export function axis(scale, y) {
  const root = svgPart("g", { class: "lg-axis-line" });
  root.append(svgPart("line", { x1: scale.from, x2: scale.from + scale.length, y1: y, y2: y }));
  for (const tick of ticks(scale.low, scale.high)) {
    const x = along(scale, tick);
    root.append(svgPart("line", { x1: x, x2: x, y1: y, y2: y + 5 }), svgPart("text", { x, y: y + 18 }, written(tick)));
  }
  return root;
}

/** Move a part to a place; the style sheet says whether it glides. @type {(part: SVGElement, x: number, y: number) => void} */
export function moveTo(part, x, y) {
  part.style.transform = `translate(${x}px, ${y}px)`;
}
