// A drawn table with a cursor for pointer and keys. It is one tab stop, whose cell is read out.

import { element } from "../maps/mosaic.js";
import { movedBy } from "./shades.js";

/** @typedef {{row: number, column: number}} Cell */

/**
 * The table of a picker.
 * @typedef {Object} Picked
 * @property {string} label
 * @property {number} rows
 * @property {number} columns
 * @property {boolean} [upwards] - whether the first row is below
 * @property {(cell: Cell) => string} told - the cell in words
 * @property {(cell: Cell) => void} chosen - by a click, or by resting on it with the keys
 * @property {(cell: Cell) => void} [opened] - by Enter, or by a double click
 */

let pickers = 0; // whose cells need ids

export class Picker {
  /** @type {?Picked} */
  about = null;

  /** @type {Cell} */
  cell = { row: 0, column: 0 };

  /** @param {HTMLElement | SVGElement} drawn - what shows the cells, all of the same size */
  constructor(drawn) {
    this.root = element("div", "lg-picker");
    this.root.hidden = true; // until it has cells, and a name
    this.root.tabIndex = 0;
    this.root.setAttribute("role", "listbox");
    this.option = element("div", "lg-unseen");
    this.option.setAttribute("role", "option");
    this.option.setAttribute("aria-selected", "true");
    this.option.id = `lg-picker-${pickers += 1}`;
    this.root.setAttribute("aria-activedescendant", this.option.id);
    this.mark = element("i");
    drawn.setAttribute("aria-hidden", "true");
    this.root.append(drawn, this.mark, this.option);
    this.root.addEventListener("keydown", (event) => this.pressed(event));
    this.root.addEventListener("click", (event) => this.go(this.at(event), true));
    this.root.addEventListener("dblclick", (event) => this.about?.opened?.(this.at(event)));
    this.root.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse" && this.about) this.root.title = this.about.told(this.at(event)); });
  }

  /** @type {(about: Picked, cell: Cell) => void} */
  show(about, cell) {
    this.about = about;
    this.root.hidden = false;
    this.root.setAttribute("aria-label", about.label);
    this.go(cell, false);
  }

  /** @type {(cell: Cell, choose: boolean) => void} */
  go(cell, choose) {
    const { about } = this;
    if (!about) return;
    this.cell = cell;
    const { rows, columns, upwards } = about;
    const row = upwards ? rows - 1 - cell.row : cell.row;
    this.option.textContent = about.told(cell);
    Object.assign(this.mark.style, { left: `${100 * cell.column / columns}%`, top: `${100 * row / rows}%`, width: `${100 / columns}%`, height: `${100 / rows}%` });
    if (choose) about.chosen(cell);
    if (document.activeElement === this.root) this.mark.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** @type {(event: MouseEvent) => Cell} */
  at({ clientX, clientY }) {
    const { rows, columns, upwards } = this.about ?? { rows: 1, columns: 1, upwards: false };
    const box = this.root.getBoundingClientRect();
    const row = within(Math.floor((clientY - box.top) / box.height * rows), rows);
    return { row: upwards ? rows - 1 - row : row, column: within(Math.floor((clientX - box.left) / box.width * columns), columns) };
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const { about } = this;
    if (!about || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && about.opened) {
      event.preventDefault();
      return void about.opened(this.cell);
    }
    const up = about.upwards ? FLIPPED[event.key] : undefined;
    const next = movedBy(up ?? event.key, this.cell, about);
    if (!next) return;
    event.preventDefault(); // the page's own keys leave it alone then
    this.go(next, true);
  }
}

/** @type {Readonly<Record<string, string>>} */
const FLIPPED = { ArrowUp: "ArrowDown", ArrowDown: "ArrowUp", PageUp: "PageDown", PageDown: "PageUp" };

/** @type {(value: number, count: number) => number} */
function within(value, count) {
  return Math.max(0, Math.min(count - 1, value));
}

/**
 * A canvas with a pixel for each cell, enlarged by its style.
 * @param {HTMLCanvasElement} canvas
 * @param {readonly (readonly (readonly [number, number, number])[])[]} rows - from above
 */
export function paint(canvas, rows) {
  const width = rows[0]?.length ?? 0;
  if (!width) return;
  Object.assign(canvas, { width, height: rows.length });
  const context = canvas.getContext("2d");
  if (!context) return;
  const image = context.createImageData(width, rows.length);
  for (const [place, [red, green, blue]] of rows.flat().entries()) image.data.set([red, green, blue, 255], 4 * place);
  context.putImageData(image, 0, 0);
}
