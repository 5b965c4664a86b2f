// The cursor on one cell of the large map, for pointer, clicks and keys.

import { element } from "./mosaic.js";

const LEAST_MARK = 7; // pixels on the screen: a cell may be smaller than anybody can see
/** @type {Readonly<Record<string, [number, number]>>} */
const CELL_STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const LEAP = 10; // cells at once with Shift

/** @typedef {{y: number, x: number}} Cell */

export class CellCursor {
  // A listener sets `told`, `taken` and `left`, called when the keys reach a cell, choose it, and leave the map.
  /** @type {(cell: Cell) => void} */
  told = () => {};

  /** @type {(cell: Cell) => void} */
  taken = () => {};

  left = () => {};

  /** @type {?Cell} */
  at = null;

  width = 1;
  height = 1;
  scale = 1;

  /**
   * @param {HTMLElement} canvas
   * @param {HTMLElement} stack
   */
  constructor(canvas, stack) {
    this.mark = element("div", "lg-cell");
    this.mark.hidden = true;
    stack.append(this.mark);
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application");
    canvas.addEventListener("click", (event) => this.take(this.under(event)));
    canvas.addEventListener("keydown", (event) => this.pressed(event));
    canvas.addEventListener("focus", () => { if (canvas.matches(":focus-visible")) this.move(0, 0); });
  }

  // Call when the map on screen may have another size; a cell that it does not have is dropped.
  /** @type {(width: number, height: number, scale: number) => void} */
  fit(width, height, scale) {
    Object.assign(this, { width, height, scale });
    if (this.at && (this.at.y >= height || this.at.x >= width)) this.at = null;
    this.draw();
  }

  /** @param {MouseEvent} event */
  under(event) {
    const y = Math.floor(event.offsetY / this.scale);
    const x = Math.floor(event.offsetX / this.scale);
    return y >= 0 && x >= 0 && y < this.height && x < this.width ? { y, x } : null;
  }

  /** @param {?Cell} at */
  take(at) {
    if (!at) return;
    this.goTo(at);
    this.taken(at);
  }

  /** @param {?Cell} at */
  goTo(at) {
    this.at = at;
    this.draw();
  }

  /** @type {(down: number, right: number) => void} */
  move(down, right) {
    const from = this.at ?? { y: Math.floor(this.height / 2), x: Math.floor(this.width / 2) };
    this.at = { y: kept(from.y + down, this.height), x: kept(from.x + right, this.width) };
    this.draw();
    this.told(this.at);
  }

  // For a map whose numbers are not taken apart: keys and clicks tell a cell, and Escape unmarks it.
  /** @type {(tell: (cell: Cell) => void, leave: () => void) => void} */
  onlyTells(tell, leave) {
    this.told = this.taken = tell;
    this.left = () => { this.clear(); leave(); };
  }

  // The keys belong to the map while it has the focus; the viewer does not get them.
  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = CELL_STEPS[event.key];
    const leap = event.shiftKey ? LEAP : 1;
    if (step) this.move(step[0] * leap, step[1] * leap);
    else if (event.key === "Enter" || event.key === " ") this.take(this.at ?? { y: 0, x: 0 });
    else if (event.key === "Escape") this.left();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  clear() {
    this.goTo(null);
  }

  draw() {
    this.mark.hidden = !this.at;
    if (!this.at) return;
    const side = Math.max(this.scale, LEAST_MARK);
    /** @param {number} place */
    const middle = (place) => (place + 0.5) * this.scale - side / 2;
    this.mark.style.transform = `translate(${middle(this.at.x)}px, ${middle(this.at.y)}px)`;
    this.mark.style.width = `${side}px`;
    this.mark.style.height = `${side}px`;
  }
}

/** @type {(place: number, length: number) => number} */
function kept(place, length) {
  return Math.max(0, Math.min(length - 1, place));
}
