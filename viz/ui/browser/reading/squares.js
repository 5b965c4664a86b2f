// A grid of numbers as squares in an SVG, written where they can be read. Red is above zero, blue below it.

import { brief } from "../number/number_grids.js";

export const UNIT = 40; // of a square
const STRONGEST = 55; // percent of colour for the largest number: the text on it stays readable
const LINE = 1;
const [FONT, LONG] = [14.5, 4]; // of a number, and how many of its signs fit at that size

/** @type {(name: string, attributes?: Record<string, string | number>, text?: string) => SVGElement} */
export function svgPart(name, attributes = {}, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/** @type {(value: Exact | null, most: number) => string} */
export function signedColour(value, most) {
  if (typeof value !== "number" || !value || !most) return "transparent";
  const share = STRONGEST * Math.min(1, Math.abs(value) / most);
  return `color-mix(in srgb, ${value > 0 ? "#c8553d" : "#4a78c8"} ${share.toFixed(1)}%, transparent)`;
}

/** @type {(values: readonly (Exact | null)[]) => number} */
export function largest(values) {
  return values.reduce((/** @type {number} */ most, value) => (typeof value === "number" ? Math.max(most, Math.abs(value)) : most), 0);
}

/** Digits after the point of a grid's numbers, so that the largest has two or three in all. @param {number} most */
export function decimals(most) {
  return most >= 99.5 ? 0 : most >= 9.95 ? 1 : most >= 0.095 ? 2 : 3;
}

/** A number in a square: all of a grid with as many digits after the point. @type {(value: Exact, most: number) => string} */
export function squareText(value, most) {
  if (typeof value !== "number") return value;
  if (most >= 9999.5 || (most && most < 0.0095)) return brief(value, 2);
  if (!value) return "0";
  const text = value.toFixed(decimals(most));
  return (/[1-9]/.test(text) ? text : text.replace("-", "")).replace("-", "−");
}

/** Squares that change their numbers, and of which some can be marked. */
export class Squares {
  /** @type {{square: SVGElement, text: SVGElement}[]} */
  cells = [];

  /**
   * @param {number} rows
   * @param {number} columns
   * @param {{written: boolean, padding?: readonly boolean[]}} how
   */
  constructor(rows, columns, { written, padding = [] }) {
    this.rows = rows;
    this.columns = columns;
    this.written = written;
    this.root = svgPart("svg", { viewBox: `${-LINE} ${-LINE} ${columns * UNIT + 2 * LINE} ${rows * UNIT + 2 * LINE}`, class: "lg-squares", role: "img" });
    this.root.style.setProperty("--columns", String(columns));
    for (let place = 0; place < rows * columns; place += 1) this.addCell(place, padding[place]);
    this.frame = svgPart("rect", { class: "lg-square-frame", width: UNIT, height: UNIT });
    this.frame.style.display = "none";
    this.root.append(this.frame);
  }

  /** @type {(place: number, padding: boolean | undefined) => void} */
  addCell(place, padding) {
    const x = (place % this.columns) * UNIT, y = Math.floor(place / this.columns) * UNIT;
    const square = svgPart("rect", { x, y, width: UNIT, height: UNIT, class: padding ? "lg-square lg-square-padding" : "lg-square" });
    const text = svgPart("text", { x: x + UNIT / 2, y: y + UNIT / 2 });
    this.root.append(square, text);
    this.cells.push({ square, text });
  }

  /** @param {string} label */
  name(label) {
    this.root.setAttribute("aria-label", label);
  }

  /** @type {(values: readonly (Exact | null | undefined)[], most?: number) => void} */
  fill(values, most = largest(values.map((value) => value ?? null))) {
    this.sizeFor(values, most);
    this.cells.forEach((_, place) => this.put(place, values[place], { colour: signedColour(values[place] ?? null, most), most }));
  }

  /** Let the longest of some numbers fit into its square. @type {(values: readonly (Exact | null | undefined)[], most: number) => void} */
  sizeFor(values, most) {
    const longest = Math.max(LONG, ...values.map((value) => (value === null || value === undefined ? 0 : squareText(value, most).length)));
    this.root.style.setProperty("--font", `${((LONG * FONT) / longest).toFixed(1)}px`);
  }

  /** One number on a colour; nothing for what is not there. @type {(place: number, value: Exact | null | undefined, how: {colour: string, most: number, ink?: string}) => void} */
  put(place, value, { colour, most, ink = "" }) {
    const { square, text } = this.cells[place];
    const there = value !== null && value !== undefined;
    square.style.fill = there ? colour : "";
    square.classList.toggle("lg-square-empty", !there);
    text.style.fill = ink;
    text.textContent = there && this.written ? squareText(value, most) : "";
  }

  /** Put the frame around some rows and columns, counted from 0. @type {(rows: readonly number[], columns: readonly number[]) => void} */
  frameAround(rows, columns) {
    const [top, left] = [Math.min(...rows), Math.min(...columns)];
    const [height, width] = [Math.max(...rows) - top + 1, Math.max(...columns) - left + 1];
    this.frame.style.display = "";
    Object.assign(this.frame.style, { transform: `translate(${left * UNIT}px, ${top * UNIT}px)`, width: `${width * UNIT}px`, height: `${height * UNIT}px` });
    const inside = new Set(rows.flatMap((row) => columns.map((column) => row * this.columns + column)));
    this.cells.forEach(({ square }, place) => square.classList.toggle("lg-square-seen", inside.has(place)));
  }

  /** Row and column of the square under the pointer. @type {(event: MouseEvent) => {row: number, column: number}} */
  under({ clientX, clientY }) {
    const box = this.root.getBoundingClientRect();
    const along = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ length, /** @type {number} */ count) => Math.max(0, Math.min(count - 1, Math.floor(((at - from) / length) * count)));
    return { row: along(clientY, box.top, box.height, this.rows), column: along(clientX, box.left, box.width, this.columns) };
  }

  /** Box of a square on the screen. @param {number} place */
  boxOf(place) {
    return this.cells[place].square.getBoundingClientRect();
  }
}
