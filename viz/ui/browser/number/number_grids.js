// Numbers of a window as a small heatmap, written where they fit. Red is above zero, blue below it.

import { element } from "../maps/mosaic.js";

const WRITTEN_COLUMNS = 7;
const NARROW_COLUMNS = 5; // with more columns, a phone has room for two digits
const MOST_CELLS = 400; // more than that are painted on a canvas
const STRONGEST = 55; // percent of colour for the largest number: the text on it stays readable

// A window on the input: its rows and columns, and which of its cells are padding.
/** @typedef {{columns: number, rows: number, padding: readonly boolean[]}} Place */
/** @typedef {readonly (Exact | null)[]} Values */

/** @type {(patch: Pick<PatchFacts, "axes" | "length">) => Place} */
export function windowOf({ axes, length }) {
  const inside = axes.map((places, axis) => places.map((place) => place >= 0 && place < length[axis]));
  let cells = [true];
  for (const along of inside) cells = cells.flatMap((before) => along.map((here) => before && here));
  const columns = axes[axes.length - 1].length;
  return { columns, rows: cells.length / columns, padding: cells.map((here) => !here) };
}

/** @type {(values: Values, place: Place, how: {label: string, marked?: number, words: Words}) => HTMLElement} */
export function numberGrid(values, place, { label, marked, words }) {
  const figure = element("figure", "lg-grid");
  const most = largest(values);
  const grid = values.length > MOST_CELLS ? paintedGrid(values, place, most) : builtGrid(values, place, { most, marked, words });
  figure.append(element("figcaption", "", label), grid);
  return figure;
}

/** @type {(values: Values, place: Place, how: {most: number, marked?: number, words: Words}) => HTMLTableElement} */
function builtGrid(values, { rows, columns, padding }, { most, marked, words }) {
  const written = columns <= WRITTEN_COLUMNS;
  const table = element("table", written ? "" : "lg-small");
  for (let row = 0; row < rows; row += 1) {
    const line = table.insertRow();
    for (let place = row * columns; place < (row + 1) * columns; place += 1) {
      const cell = line.insertCell();
      numberCell(cell, values[place], { most, written, digits: columns > NARROW_COLUMNS ? 2 : 3, aside: padding[place] ? words.padding : "" });
      if (place === marked) cell.classList.add("lg-marked");
    }
  }
  return table;
}

/** @type {(cell: HTMLElement, value: Exact | null, how: {most: number, written: boolean, digits: number, aside: string}) => void} */
function numberCell(cell, value, { most, written, digits, aside }) {
  cell.title = [aside, value === null ? "" : exact(value)].join(" ").trim();
  if (aside) cell.className = "lg-padding";
  if (written) cell.textContent = value === null ? "" : brief(value, digits);
  else cell.setAttribute("aria-label", cell.title);
  cell.style.background = gridColour(value, most);
}

/** @type {(value: Exact | null, most: number) => string} */
function gridColour(value, most) {
  if (typeof value !== "number" || !value || !most) return "";
  const share = (STRONGEST * Math.abs(value)) / most;
  return `color-mix(in srgb, ${value > 0 ? "#c8553d" : "#4a78c8"} ${share.toFixed(1)}%, transparent)`;
}

/** @type {(values: Values, place: Place, most: number) => HTMLCanvasElement} */
function paintedGrid(values, { rows, columns }, most) {
  const canvas = element("canvas", "lg-painted");
  Object.assign(canvas, { width: columns, height: rows });
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${rows} × ${columns}`);
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  values.forEach((value, place) => {
    if (typeof value !== "number") return;
    brush.fillStyle = `rgb(${value > 0 ? "200 85 61" : "74 120 200"} / ${Math.abs(value) / (most || 1)})`;
    brush.fillRect(place % columns, Math.floor(place / columns), 1, 1);
  });
  return canvas;
}

/** @type {(values: Values) => number} */
function largest(values) {
  return values.reduce((/** @type {number} */ most, value) => (typeof value === "number" ? Math.max(most, Math.abs(value)) : most), 0);
}

// As many digits as fit into a cell. Numbers that JSON does not have arrive as text.
/** @type {(value: Exact, digits?: number) => string} */
export function brief(value, digits = 3) {
  if (typeof value !== "number") return value;
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-3 || size >= 1e4) ? value.toExponential(1) : String(Number(value.toPrecision(digits)));
  return text.replaceAll("-", "−");
}

// All digits, with real minus signs.
/** @param {Exact} value */
export function exact(value) {
  return String(value).replaceAll("-", "−");
}
