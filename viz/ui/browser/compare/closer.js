// One channel of a pair, large: both sides and their difference, cell by cell.

import { drawFetched, drawTile, fetchValues } from "../channel/channel.js";
import { aboutWhole } from "../maps/addresses.js";
import { CellCursor } from "../maps/cell_cursor.js";
import { filling } from "../maps/magnify.js";
import { filled, isShrunk, rendering, tileBox } from "../maps/mosaic.js";
import { cellInWords, channelInWords, SIDES } from "./pairs.js";

export const LARGE_LEAST = 128;

/** @typedef {import("../channel/channel.js").Values} Values */
/** @typedef {import("../maps/cell_cursor.js").Cell} Cell */
/** @typedef {import("./compare_parts.js").SideParts} SideParts */
/** @typedef {import("./pairs.js").Pair} Pair */
/** @typedef {import("./pairs.js").Side} Side */
/** @typedef {import("./pairs.js").SidePage} SidePage */
/** @typedef {"left" | "right"} Own - a side with values of its own */

/**
 * @typedef {Object} Shown
 * @property {Pair} pair
 * @property {number} channel
 * @property {Words} words
 * @property {Record<Own, import("./pairs.js").Asked>} asked - where each side's values are
 */

export class Closer {
  /** @type {?Shown} */
  shown = null;

  /** Each side's values, once they are asked for. @type {Partial<Record<Own, Promise<Values>>>} */
  values = {};

  /**
   * @param {Record<Side, SideParts>} sides
   * @param {{say: (text: string) => void, leave: () => void}} acts
   */
  constructor(sides, { say, leave }) {
    this.sides = sides;
    this.say = say;
    this.cursors = { left: this.cursorOf("left", leave), right: this.cursorOf("right", leave), difference: this.cursorOf("difference", leave) };
  }

  // A cell is pointed at, or reached with the arrow keys: every map that has this cell marks it.
  /** @type {(side: Side, leave: () => void) => CellCursor} */
  cursorOf(side, leave) {
    const { canvas, stack } = this.sides[side];
    const cursor = new CellCursor(canvas, stack);
    cursor.told = cursor.taken = (at) => { this.mark(at); this.tell(side, at); };
    cursor.left = leave;
    canvas.addEventListener("mousemove", (event) => {
      const at = cursor.under(event);
      if (at) this.tell(side, at);
    });
    canvas.addEventListener("mouseleave", () => this.say(""));
    return cursor;
  }

  /** @type {(shown: Shown, room: {width: number, height: number}) => void} */
  show(shown, room) {
    Object.assign(this, { shown, values: {} });
    for (const side of SIDES) {
      const page = shown.pair.sides[side];
      const here = page !== undefined && shown.channel < page.facts.geometry.channels;
      this.sides[side].closer.hidden = !here;
      if (here) this.draw(shown, side, page, room);
    }
  }

  /** @type {(shown: Shown, side: Side, page: SidePage, room: {width: number, height: number}) => void} */
  draw({ pair, channel, words }, side, { facts, image }, room) {
    const { canvas, channelName } = this.sides[side];
    const { map_width: width, map_height: height } = facts.geometry;
    drawTile(canvas, image, tileBox(facts.geometry, channel));
    const scale = filling(width, height, room);
    canvas.style.width = `${width * scale}px`;
    canvas.style.height = `${height * scale}px`;
    canvas.style.imageRendering = rendering(scale);
    this.cursors[side].fit(width, height, scale);
    channelName.textContent = filled(words.channel, { channel });
    const name = { left: "A", right: "B", difference: words.pair_difference }[side];
    canvas.setAttribute("aria-label", `${name}, ${channelInWords(pair, side, channel, words)}. ${words.pair_cells}`);
  }

  // Once the visitor stays: the maps with a pixel for each value, if the mosaics have fewer.
  drawWhole() {
    const { shown } = this;
    if (!shown) return;
    for (const side of SIDES) {
      const page = shown.pair.sides[side];
      if (!page || this.sides[side].closer.hidden || !isShrunk(page.facts.geometry)) continue;
      const address = aboutWhole(shown.pair, `pair.${side}.png`, `only=${shown.channel}`);
      drawFetched(this.sides[side].canvas, address, () => this.isStill(shown));
    }
  }

  // True if the channel on screen is still this one.
  /** @param {Shown} shown */
  isStill({ pair, channel }) {
    return this.shown?.pair === pair && this.shown.channel === channel;
  }

  /** @param {?Cell} at */
  mark(at) {
    for (const cursor of Object.values(this.cursors)) {
      cursor.at = at && at.y < cursor.height && at.x < cursor.width ? at : null;
      cursor.draw();
    }
  }

  /** @type {(side: Side, cell: Cell) => Promise<void>} */
  async tell(side, { y, x }) {
    const { shown } = this;
    const page = shown?.pair.sides[side];
    if (!shown || !page) return;
    const { pair, channel, words } = shown;
    const both = Boolean(pair.sides.difference);
    const at = y * page.facts.geometry.map_width + x;
    /** @param {Own} each */
    const valueOf = async (each) => (both || each === side ? (await this.valuesOf(each, shown))[at] : undefined);
    const [left, right] = await Promise.all([valueOf("left"), valueOf("right")]);
    if (!this.isStill(shown)) return;
    this.say(cellInWords(pair, side, { channel, y, x }, { left, right }, words));
  }

  // The channel's values on one side; empty if the server does not answer, and asked for again the next time.
  /** @type {(side: Own, shown: Shown) => Promise<Values>} */
  async valuesOf(side, shown) {
    const asked = this.values[side] ??= fetchValues(shown.asked[side], shown.channel, () => this.isStill(shown));
    try {
      return await asked;
    } catch {
      if (this.values[side] === asked) this.values[side] = undefined;
      return [];
    }
  }
}
