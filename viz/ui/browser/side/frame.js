// The frame on the picture: the part that the model saw. Dragged, resized at a corner or moved by keys, it chooses the
// part of the picture that the model is given.

import { element, filled } from "../maps/mosaic.js";
import { boxOf, cropOf, resized, scaled, seenOf, squareOf, within } from "./framing.js";

/** @typedef {import("./framing.js").Square} Square */
/** @typedef {import("./framing.js").Corner} Corner */

const CORNERS = /** @type {const} */ (["nw", "ne", "sw", "se"]);
const STEP = 1 / 40; // of the picture's short side, for an arrow key
const LARGER = 1.1;
const [MOUSE, FINGER] = [14, 22]; // pixels of the screen, inwards from a corner
const REST_MS = 500; // keys that follow each other are one choice
/** @type {Readonly<Record<string, readonly [number, number]>>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** @type {Readonly<Record<string, number>>} */
const SIZES = { "+": LARGER, "=": LARGER, "-": 1 / LARGER, "−": 1 / LARGER, _: 1 / LARGER };

// The corner that a pointer has hold of, which a finger covers; however small the frame is, its middle moves it.
/** @type {(event: PointerEvent, frame: DOMRect) => ?Corner} */
function cornerAt({ clientX, clientY, pointerType }, { left, top, right, bottom, width, height }) {
  const reach = Math.min(pointerType === "mouse" ? MOUSE : FINGER, 0.3 * Math.min(width, height));
  const down = clientY - top < reach ? "n" : bottom - clientY < reach ? "s" : "";
  const across = clientX - left < reach ? "w" : right - clientX < reach ? "e" : "";
  return down && across ? /** @type {Corner} */ (`${down}${across}`) : null;
}

export class Frame {
  /** @type {?FrameFacts} */
  facts = null;

  /** @type {Words} */
  words = {};

  /** The moved frame, until the page shows it. @type {?Square} */
  moved = null;

  /** @type {?{x: number, y: number, from: Square, corner: ?Corner}} */
  held = null;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  resting;

  /**
   * @param {HTMLElement} picture - around the whole picture
   * @param {(crop: string) => void} chosen - called with the part, as an address says it; empty for everything
   */
  constructor(picture, chosen) {
    this.picture = picture;
    this.chosen = chosen;
    this.root = element("div", "lg-crop");
    for (const corner of CORNERS) {
      const handle = element("i", "lg-corner");
      handle.dataset.corner = corner;
      this.root.append(handle);
    }
    picture.append(this.root);
    this.listen();
  }

  // The frame where the subject has it; a frame that is being moved stays.
  /** @type {(facts: ?FrameFacts, words: Words) => void} */
  show(facts, words) {
    const same = JSON.stringify(facts) === JSON.stringify(this.facts);
    Object.assign(this, { facts, words });
    if (!same) this.moved = this.held = null;
    if (!same) clearTimeout(this.resting);
    if (facts) {
      this.root.tabIndex = 0;
      this.root.setAttribute("role", "application"); // its arrow keys are its own
    } else for (const name of ["tabindex", "role", "aria-label", "title", "style"]) this.root.removeAttribute(name);
    this.draw();
  }

  draw() {
    const { facts, words, root, moved } = this;
    root.classList.toggle("lg-moving", moved !== null);
    if (!facts) return;
    const { width, height } = facts;
    const { left, top, right, bottom } = moved ? seenOf(moved, boxOf(facts.inner)) : boxOf(facts.seen);
    const shares = { left: left / width, top: top / height, width: (right - left) / width, height: (bottom - top) / height };
    for (const [name, share] of Object.entries(shares)) root.style.setProperty(name, `${100 * share}%`);
    const whole = { left, top, wide: right - left, high: bottom - top, width, height };
    const said = Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, Math.round(value)]));
    root.setAttribute("aria-label", filled(words.frame_label, said));
    root.title = String(words.frame_help);
  }

  // The frame's square, which can be moved.
  get square() {
    const { facts, moved } = this;
    if (!facts) return null;
    return moved ?? squareOf(boxOf(facts.seen), boxOf(facts.inner), facts);
  }

  /** @param {Square} square */
  move(square) {
    this.moved = square;
    this.draw();
  }

  // Tell the page; a frame that has not been moved is no choice.
  settle() {
    clearTimeout(this.resting);
    const { facts, moved } = this;
    this.held = null;
    if (!facts || !moved) return;
    const crop = cropOf(moved, facts);
    const before = squareOf(boxOf(facts.seen), boxOf(facts.inner), facts);
    if (crop === (facts.crop || cropOf(before, facts))) this.leave();
    else this.chosen(crop);
  }

  // Back to where the subject has it.
  leave() {
    this.moved = this.held = null;
    this.draw();
  }

  reset() {
    clearTimeout(this.resting);
    if (this.facts?.crop) this.chosen("");
    else this.leave();
  }

  listen() {
    const { root } = this;
    root.addEventListener("pointerdown", (event) => this.take(event));
    root.addEventListener("pointermove", (event) => this.drag(event));
    root.addEventListener("pointerup", () => { if (this.held) this.settle(); });
    root.addEventListener("pointercancel", () => this.leave());
    root.addEventListener("dblclick", () => this.reset());
    root.addEventListener("keydown", (event) => this.press(event));
    root.addEventListener("blur", () => { if (!this.held) this.settle(); });
  }

  /** @param {PointerEvent} event */
  take(event) {
    const from = this.square;
    if (!from || event.button !== 0) return;
    this.held = { x: event.clientX, y: event.clientY, from, corner: cornerAt(event, this.root.getBoundingClientRect()) };
    this.root.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  drag({ clientX, clientY }) {
    const { held, facts } = this;
    if (!held || !facts) return;
    const scale = facts.width / this.picture.clientWidth;
    const [x, y] = [(clientX - held.x) * scale, (clientY - held.y) * scale];
    const { from, corner } = held;
    if (corner) this.move(resized(from, corner, { x, y }, boxOf(facts.inner), facts));
    else this.move(within({ ...from, left: from.left + x, top: from.top + y }, facts));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { facts, square } = this;
    const { key } = event;
    if (!facts || !square || event.altKey || event.ctrlKey || event.metaKey) return;
    if (key === "Escape" && this.moved) this.leave();
    else if (key === "Home") this.reset();
    else if (key === "Enter" && this.moved) this.settle();
    else if (ARROWS[key]) {
      const [x, y] = ARROWS[key].map((way) => way * (event.shiftKey ? 1 : Math.min(facts.width, facts.height) * STEP));
      this.move(within({ ...square, left: square.left + x, top: square.top + y }, facts));
    } else if (SIZES[key]) this.move(scaled(square, SIZES[key], facts));
    else return;
    event.preventDefault();
    event.stopPropagation();
    clearTimeout(this.resting);
    if (this.moved) this.resting = setTimeout(() => this.settle(), REST_MS);
  }

  close() {
    clearTimeout(this.resting);
  }
}
