// The attention of one patch, over the picture. A click chooses another patch.

import { seenAddress } from "../maps/addresses.js";
import { CellCursor } from "../maps/cell_cursor.js";
import { element, filled, tileBox } from "../maps/mosaic.js";
import { drawTile } from "./channel.js";

const AFTER_KEYS_MS = 160;

/** @typedef {import("../maps/cell_cursor.js").Cell} Cell */

export class AttentionPatches {
  width = 1; // patches in a row
  front = 0; // tokens before the first patch

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting;

  /** @param {import("../layer/viewer.js").LayerView} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.root = element("section", "lg-attention");
    this.ask = element("button", "lg-attention-ask");
    this.ask.type = "button";
    this.ask.onclick = () => viewer.choose({ type: "kind", kind: "attention-query" });
    this.figure = element("figure");
    this.photo = element("img");
    this.photo.alt = "";
    this.canvas = element("canvas");
    this.stack = element("div", "lg-stack lg-attention-stack");
    this.stack.append(this.photo, this.canvas);
    this.caption = element("figcaption");
    this.caption.setAttribute("aria-live", "polite");
    this.figure.append(this.stack, this.caption);
    this.root.append(this.ask, this.figure);
    this.cursor = new CellCursor(this.canvas, this.stack);
    this.cursor.taken = (at) => this.choose(at, 0);
    this.cursor.told = (at) => this.choose(at, AFTER_KEYS_MS);
    viewer.panel.head.after(this.root);
  }

  // The page that the viewer shows has changed, or the head.
  /** @type {(viewed: {page: DrawnPage, channel: number, words: Words, data: SubjectFacts}) => void} */
  follow({ page, channel, words, data }) {
    const { facts } = page;
    const laid = facts.kind === "attention-query";
    this.ask.hidden = laid || facts.kind !== "attention" || !facts.kinds.includes("attention-query");
    this.figure.hidden = !laid;
    this.root.hidden = this.ask.hidden && !laid;
    this.ask.textContent = words.attention_ask;
    if (laid) this.draw(page, channel, words, seenAddress(data.subject));
  }

  /** @type {(page: DrawnPage, channel: number, words: Words, seen: string) => void} */
  draw({ facts, image }, channel, words, seen) {
    const { map_width: width, map_height: height } = facts.geometry;
    Object.assign(this, { width, front: facts.slices - width * height });
    drawTile(this.canvas, image, tileBox(facts.geometry, channel));
    const room = Math.max(120, this.root.clientWidth);
    const scale = Math.min(room / width, (0.75 * room) / height);
    for (const part of [this.canvas, this.photo, this.stack]) {
      part.style.width = `${width * scale}px`;
      part.style.height = `${height * scale}px`;
    }
    if (this.photo.getAttribute("src") !== seen) this.photo.src = seen;
    const place = facts.index - this.front;
    this.cursor.at = place < 0 ? null : { y: Math.floor(place / width), x: place % width };
    this.cursor.fit(width, height, scale);
    this.describe(facts.index, place, words);
  }

  /** @type {(token: number, place: number, words: Words) => void} */
  describe(token, place, words) {
    const text = place < 0
      ? filled(words.attention_token, { token })
      : filled(words.attention_patch, { row: Math.floor(place / this.width), column: place % this.width });
    this.caption.textContent = text;
    this.canvas.setAttribute("aria-label", text);
  }

  /** @type {(at: Cell, after: number) => void} */
  choose(at, after) {
    clearTimeout(this.waiting);
    const token = this.front + at.y * this.width + at.x;
    this.waiting = setTimeout(() => this.viewer.choose({ type: "index", index: token }), after);
  }
}
