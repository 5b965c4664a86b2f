// One channel of a pair, large: both sides and their difference in a row, cell by cell in exact numbers.

import { drawFetched, drawTile, fetchValues } from "../channel/channel.js";
import { aboutWhole } from "../maps/addresses.js";
import { CellCursor } from "../maps/cell_cursor.js";
import { filled, fitted, isShrunk, readable, rendering, tileBox } from "../maps/mosaic.js";
import { channelInWords, SIDES } from "./pairs.js";

export const LARGE_LEAST = 128;

export class Closer {
  constructor(sides, leave) {
    this.sides = sides;
    this.cursors = Object.fromEntries(SIDES.map((side) => [side, this.cursorOf(side, leave)]));
  }

  // A cell is pointed at, or reached with the arrow keys: every map that has this cell marks it.
  cursorOf(side, leave) {
    const { canvas, stack } = this.sides[side];
    const cursor = new CellCursor(canvas, stack);
    cursor.told = cursor.taken = (at) => { this.mark(at); this.tell(side, at); };
    cursor.left = leave;
    canvas.addEventListener("mousemove", (event) => {
      const at = cursor.under(event);
      if (at) this.tell(side, at);
    });
    canvas.addEventListener("mouseleave", () => this.said(""));
    return cursor;
  }

  // `values` says where each side's values are.
  show(pair, channel, { words, said, values: asked, room }) {
    Object.assign(this, { pair, channel, words, said, asked, values: {} });
    for (const side of SIDES) {
      const page = pair.sides[side];
      const here = Boolean(page) && channel < page.facts.geometry.channels;
      this.sides[side].closer.hidden = !here;
      if (here) this.draw(side, page, room);
    }
  }

  draw(side, { facts, image }, room) {
    const { canvas, channelName } = this.sides[side];
    const { pair, channel, words } = this;
    const { map_width: width, map_height: height } = facts.geometry;
    drawTile(canvas, image, tileBox(facts.geometry, channel));
    const scale = fitted(width, height, room.width, room.height);
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
    const { pair, channel } = this;
    for (const side of SIDES) {
      if (this.sides[side].closer.hidden || !isShrunk(pair.sides[side].facts.geometry)) continue;
      const address = aboutWhole(pair, `pair.${side}.png`, `only=${channel}`);
      drawFetched(this.sides[side].canvas, address, () => this.pair === pair && this.channel === channel);
    }
  }

  mark(at) {
    for (const cursor of Object.values(this.cursors)) {
      cursor.at = at && at.y < cursor.height && at.x < cursor.width ? at : null;
      cursor.draw();
    }
  }

  async tell(side, { y, x }) {
    const { pair, channel, words } = this;
    const both = Boolean(pair.sides.difference);
    const at = y * pair.sides[side].facts.geometry.map_width + x;
    const [left, right] = await Promise.all(["left", "right"].map(async (each) => (both || each === side ? (await this.valuesOf(each))[at] : undefined)));
    if (this.pair !== pair || this.channel !== channel) return;
    const difference = both && left !== undefined && right !== undefined ? left - right : undefined;
    this.said(filled(words.pair_cell, { channel, y, x, left: inWords(left), right: inWords(right), difference: inWords(difference) }));
  }

  // The channel's values on one side; empty if the server does not answer, and asked for again the next time.
  async valuesOf(side) {
    const asked = this.values[side] ??= fetchValues(this.asked[side], this.channel);
    try {
      return await asked;
    } catch {
      if (this.values[side] === asked) this.values[side] = undefined;
      return [];
    }
  }
}

function inWords(number) {
  return number === undefined ? "–" : readable(number);
}
