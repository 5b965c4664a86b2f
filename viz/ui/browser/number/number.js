// One number: its cell, its receptive field, and the arithmetic behind it.

import { redraw } from "../layer/options.js";
import { aboutWhole, seenAddress } from "../maps/addresses.js";
import { element, filled, find, readable } from "../maps/mosaic.js";
import { paragraph, refused, said, withMore } from "../maps/said.js";
import { placeText } from "../maps/shape.js";
import { BUG } from "../page/asking.js";
import { digits, showAll, showsAll } from "./digits.js";
import { exact } from "./number_grids.js";
import { arithmeticParts } from "./number_sums.js";

const FOLLOW_MS = 160;
export const TAKEN_APART = "numbers#which-layers-can-be-taken-apart";

/** @typedef {import("../maps/cell_cursor.js").Cell} Cell */

export class NumberSection {
  /** @type {?Cell} */
  at = null; // the cell that is taken apart: the look's, if the maps on screen have it

  /** @type {?number} */
  source = null; // the channel of the input whose window is shown, if one is chosen

  /** @type {?string} */
  asked = null;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting;

  atOnce = true; // whether the next number is asked for at once, and not when quick fingers rest
  drawn = false;
  language = "";
  /** @type {Words} */
  words = {};

  /** @param {import("../layer/viewer.js").LayerView} viewer */
  constructor(viewer) {
    const { panel, parts } = viewer;
    this.viewer = viewer;
    this.panel = panel;
    this.root = parts.number;
    panel.cursor.taken = (at) => this.choose(at);
    panel.cursor.told = (at) => this.pointAt(at);
    panel.cursor.left = () => this.leave();
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.leave();
    });
  }

  // The visitor takes a cell of the channel on screen apart; once more if that failed.
  /** @type {(at: Cell, source?: ?number) => void} */
  choose(at, source = null) {
    const { page, stage: { store } } = this.viewer;
    if (page?.live) return this.askToFreeze();
    return this.viewer.onceNamed(() => {
      Object.assign(this, { asked: null, atOnce: true });
      store.fix(); // it is a cell of this channel
      store.dispatch({ type: "cell", cell: [at.y, at.x, ...(source === null ? [] : [source])].join() });
      if (this.viewer.page) this.follow(this.viewer.page);
    });
  }

  // The keys are on another cell: say its value; if a number is open, show that of the new cell.
  /** @param {Cell} at */
  pointAt(at) {
    if (this.at) this.viewer.onceNamed(() => this.viewer.stage.store.move({ type: "cell", cell: `${at.y},${at.x}` }));
    else this.panel.tell(at);
  }

  // Open the look's cell if these maps have it, or close; another channel or picture has the same cell, and its number
  // comes after a flip.
  /** @param {DrawnPage} page */
  follow(page) {
    const { look: { cell }, stage } = this.viewer;
    const [y, x, source = null] = cell.split(",").map(Number), { map_height: height, map_width: width } = page.facts.geometry;
    const there = cell !== "" && !page.live && y < height && x < width;
    if (there) return this.open({ y, x }, source);
    if (this.at || !page.live) this.close(); // while the camera is live, it may say that it has to be frozen
    return page.live ? stage.store.settle({ type: "cell", cell: "" }) : undefined; // a frame has no numbers
  }

  /** @type {(at: Cell, source: ?number) => void} */
  open(at, source) {
    const { panel, viewer: { words, reading } } = this;
    Object.assign(this, { at, source, words });
    const address = this.address();
    if (address === this.asked && words.language_code === this.language) return;
    Object.assign(this, { asked: address, language: words.language_code });
    reading.moveTo(at);
    panel.cursor.goTo(at);
    panel.tell(at);
    this.askLater(this.atOnce ? 0 : FOLLOW_MS);
    this.atOnce = false;
  }

  /** @param {number} after */
  askLater(after) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.ask(), after);
  }

  // The server keeps no camera frames, so it cannot say where their numbers come from.
  askToFreeze() {
    this.close();
    this.panel.cursor.clear();
    this.words = this.viewer.words;
    this.root.hidden = false;
    this.frame(null, element("p", "lg-number-reason", this.words.freeze_first));
  }

  // Address of the number's explanation; null if none is open.
  address() {
    const { viewer: { page, channel }, at } = this;
    const source = this.source === null ? "" : `&source=${this.source}`;
    return page && at && aboutWhole(page, "cell.json", `channel=${channel}&y=${at.y}&x=${at.x}${source}`);
  }

  async ask() {
    const { asked } = this;
    if (!asked) return;
    this.root.hidden = false;
    this.root.setAttribute("aria-busy", "true");
    if (!this.root.firstChild) this.frame(null, element("p", "lg-number-reason", this.words.computing));
    const found = await this.found(asked);
    if (this.asked !== asked || !this.at) return;
    if (!found) return void this.askLater(2 * FOLLOW_MS);
    this.root.removeAttribute("aria-busy");
    this.draw(found);
  }

  // The server's explanation; null if it has to be asked for again.
  /** @type {(address: string) => Promise<Arithmetic | UnexplainedNumber | Answer | null>} */
  async found(address) {
    try {
      const answer = await fetch(address);
      const found = await answer.json();
      return found.superseded || answer.status > BUG ? null : found;
    } catch {
      if (this.asked === address && this.at) this.draw({ error: this.words.lost });
      return null;
    }
  }

  /** @param {Arithmetic | UnexplainedNumber | Answer} found */
  draw(found) {
    const appears = !this.drawn;
    this.drawn = true;
    if (!("box" in found)) this.drawRefusal(found);
    else {
      const parts = element("div", "lg-number-parts");
      parts.append(seesFigure(found, this.viewer), this.made(found));
      this.frame(found, parts);
      this.showField(found);
    }
    if (appears && !this.viewer.look.embed) this.root.scrollIntoView({ block: "nearest" });
  }

  /** @param {Answer} found */
  drawRefusal(found) {
    this.frame(null, refused(found, this.viewer.words, "lg-number-reason"));
    this.showField(null);
  }

  // The making of the number: the formula, its numbers, and the verdict.
  /** @param {Arithmetic | UnexplainedNumber} found */
  made(found) {
    const { words } = this;
    const made = element("div", "lg-made");
    if ("reason" in found) {
      made.append(paragraph(withMore(said(found, "reason", words), TAKEN_APART, words), "lg-number-reason"));
      return made;
    }
    const choose = (/** @type {number} */ channel) => { if (this.at) this.choose(this.at, channel); };
    const verdict = found.edited ? words.number_edited : found.agrees ? words.agrees : words.disagrees;
    made.append(
      element("p", "lg-formula", said(found, "formula", words)),
      ...arithmeticParts(found, { words, choose }),
      element("p", "lg-verdict", filled(verdict, { precision: found.precision, difference: readable(found.difference) })),
    );
    return made;
  }

  // The section's head says where the number stands, and what it is once that is known.
  /** @type {(found: ?NumberFacts, ...parts: HTMLElement[]) => void} */
  frame(found, ...parts) {
    const { words } = this;
    const head = element("header");
    const heading = element("h3", "", words.one_number);
    const buttons = element("span", "lg-number-buttons");
    const close = plainButton("lg-number-close", words.close, () => this.leave());
    buttons.append(...(found ? [this.playButton(), this.digitsButton(found)] : []), close);
    head.append(heading, buttons);
    this.root.setAttribute("aria-label", words.one_number);
    redraw(this.root, [head, ...parts]);
    if (this.at) this.nameNumber(heading, this.at, found);
  }

  /** @type {(heading: HTMLElement, at: Cell, found: ?NumberFacts) => Promise<void>} */
  async nameNumber(heading, at, found) {
    const value = element("code", "", placeText(this.viewer.channel, at));
    heading.append(value);
    if (found) heading.append(element("small", "", filled(this.words.number_in_torch, { index: `${this.viewer.page?.facts.leaf}[${found.cell.join(", ")}]` })));
    const number = await this.panel.valueAt(at);
    if (number === null) return;
    value.title = exact(number);
    value.append(` = ${digits(number)}`);
  }

  // The same sum as a moving picture, beside the explanation of the layer.
  playButton() {
    return plainButton("lg-digits lg-play-sum", this.words.play_sum, () => this.viewer.reading.play(this.at));
  }

  /** @param {NumberFacts} found */
  digitsButton(found) {
    const button = plainButton("lg-digits", this.words.all_digits, () => {
      showAll(!showsAll());
      this.draw(found);
      find(this.root, "button.lg-digits[aria-pressed]").focus({ preventScroll: true });
    });
    button.setAttribute("aria-pressed", String(showsAll()));
    return button;
  }

  // Draw the frame on the pictures beside the maps: in the panel and in the sidebar.
  /** @param {?NumberFacts} found */
  showField(found) {
    this.panel.frameField(found);
    window.dispatchEvent(new CustomEvent("layerglass:field", { detail: found && { box: found.box, size: found.size } }));
  }

  // Close because the visitor asked for it: the keys go back to the viewer.
  leave() {
    this.viewer.stage.store.dispatch({ type: "cell", cell: "" });
    this.close();
    this.panel.cursor.clear();
    this.viewer.parts.root.focus({ preventScroll: true });
  }

  close() {
    clearTimeout(this.waiting);
    if (this.root.hidden && !this.at) return;
    this.panel.cursor.clear();
    Object.assign(this, { at: null, source: null, asked: null, drawn: false, atOnce: true });
    this.root.hidden = true;
    this.root.replaceChildren();
    this.showField(null);
  }
}

/** @type {(name: string, text: string, act: () => void) => HTMLButtonElement} */
function plainButton(name, text, act) {
  const made = element("button", name, text);
  made.type = "button";
  made.onclick = act;
  return made;
}

// The model's input with the receptive field framed, and the same in words.
/** @type {(found: NumberFacts, viewer: {words: Words, data: SubjectFacts}) => HTMLElement} */
function seesFigure(found, { words, data }) {
  const figure = element("figure", "lg-sees");
  const photo = element("div", "lg-sees-photo");
  const image = element("img");
  Object.assign(image, { src: seenAddress(data.subject), alt: words.seen_alt });
  const { size } = found;
  if (Math.min(size.height, size.width) > 1) image.style.aspectRatio = `${size.width} / ${size.height}`; // reserves its place while it loads
  image.onload = () => { image.style.imageRendering = image.naturalWidth > image.clientWidth ? "auto" : ""; };
  photo.append(image, fieldFrame(found));
  const { top, left, bottom, right } = found.box;
  const part = { height: bottom - top, width: right - left, top, left, bottom: bottom - 1, right: right - 1 };
  const sees = size.height > 1 ? words.sees_part : words.sees_signal;
  const note = said(found, "note", words), noted = "reason" in found ? [note] : withMore(note, "numbers#which-pixels-does-a-number-see", words);
  const caption = element("figcaption");
  caption.append(...(bottom > top && !found.whole ? [filled(sees, part)] : noted));
  figure.append(photo, caption);
  return figure;
}

// A frame in fractions of the picture, which fits it at any size; hidden without a field.
/** @param {Field} field */
export function fieldFrame({ box: { top, left, bottom, right }, size: { height, width } }) {
  const frame = element("i", "lg-field");
  frame.hidden = bottom <= top;
  const share = (/** @type {number} */ length, /** @type {number} */ of) => `${(100 * length) / of}%`;
  Object.assign(frame.style, { top: share(top, height), left: share(left, width), height: share(bottom - top, height), width: share(right - left, width) });
  return frame;
}
