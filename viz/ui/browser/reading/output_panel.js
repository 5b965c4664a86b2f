// The output of a reading: its block, filled number by number, above the whole map.

import { element, filled } from "../maps/mosaic.js";
import { panel } from "./parts.js";
import { largest, Squares } from "./squares.js";

const LIGHT = 0.45; // of a colour on which text is black

/** @typedef {import("./parts.js").Told & {picture: string, move: (y: number, x: number) => void}} Shown */

export class OutputPanel {
  /** @type {?CanvasRenderingContext2D} */
  colours = null;

  filled = -1;

  /** @param {Shown} told */
  constructor(told) {
    const { reading, words } = told;
    this.told = told;
    this.most = largest(reading.cells.map(({ value }) => value));
    this.squares = new Squares(reading.rows, reading.columns, { written: reading.columns <= 8 });
    this.squares.sizeFor(reading.cells.map(({ value }) => value), this.most);
    this.squares.root.classList.add("lg-reading-output");
    this.squares.root.addEventListener("click", (event) => {
      const { row, column } = this.squares.under(event);
      told.choose(row * reading.columns + column);
    });
    this.map = element("div", "lg-reading-map");
    this.canvas = element("canvas");
    this.frame = element("i");
    this.map.append(this.canvas, this.frame);
    this.root = panel(filled(words.reading_output, { channel: reading.channel }), this.squares.root);
    if (reading.rows < reading.height || reading.columns < reading.width) this.root.append(this.map);
    this.drawMap();
  }

  // The map with a pixel for each number, which also tells the colour of each.
  async drawMap() {
    const { reading, picture, move, words } = this.told;
    const { height, width, top, left, rows, columns } = reading;
    const image = new Image();
    image.src = picture;
    await image.decode().catch(() => {});
    Object.assign(this.canvas, { width, height, title: words.reading_move });
    this.map.style.setProperty("--ratio", String(width / height));
    const share = (/** @type {number} */ part, /** @type {number} */ of) => `${(100 * part) / of}%`;
    Object.assign(this.frame.style, { top: share(top, height), left: share(left, width), height: share(rows, height), width: share(columns, width) });
    this.canvas.onclick = ({ offsetX, offsetY }) => move(Math.min(height - 1, Math.floor((offsetY / this.canvas.clientHeight) * height)), Math.min(width - 1, Math.floor((offsetX / this.canvas.clientWidth) * width)));
    if (!image.naturalWidth) return;
    this.colours = this.canvas.getContext("2d", { willReadFrequently: true });
    this.colours?.drawImage(image, 0, 0, width, height);
    this.fillTo(this.filled);
  }

  // The numbers that are there: all up to this one.
  /** @param {number} last */
  fillTo(last) {
    const { reading: { cells } } = this.told;
    this.filled = last;
    cells.forEach((cell, place) => {
      this.squares.put(place, place <= last ? cell.value : null, { ...this.colourOf(cell), most: this.most });
    });
  }

  /** @param {ReadCell} cell */
  colourOf({ y, x }) {
    if (!this.colours) return { colour: "var(--st-secondary-background-color)", ink: "" };
    const [red, green, blue] = this.colours.getImageData(x, y, 1, 1).data;
    const light = (0.2126 * (red / 255) ** 2.2 + 0.7152 * (green / 255) ** 2.2 + 0.0722 * (blue / 255) ** 2.2);
    return { colour: `rgb(${red} ${green} ${blue})`, ink: light > LIGHT * LIGHT ? "#000" : "#fff" };
  }

  /** @type {(cell: number, time: number) => void} */
  point(cell, time) {
    const { reading, words } = this.told;
    this.squares.root.style.setProperty("--time", `${Math.min(400, time)}ms`);
    this.squares.frameAround([Math.floor(cell / reading.columns)], [cell % reading.columns]);
    this.squares.name(filled(words.reading_output_alt, { count: this.filled + 1, all: reading.cells.length }));
  }
}
