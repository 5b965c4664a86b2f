// The base class of the views that flip through layers: one layer, and the comparison. Subclasses draw.

import { filled, placeOf } from "../maps/mosaic.js";
import { headingCounted, Room } from "../maps/room.js";
import { Kind } from "./kind.js";
import { drawHeading } from "./parts.js";
import { stopAfter } from "./way.js";

const SETTLED_MS = 200; // after the last change of size

/** @typedef {import("../maps/pages.js").Asked} Asked */
/** @typedef {import("./parts.js").HeadParts & {root: HTMLElement, status: HTMLElement}} FlipParts */

/**
 * @template {FlipParts} Parts
 * @template Fetched - what is drawn
 */
export class Flips {
  spoken = false; // whether the words have changed, or whether shapes are hidden
  hidden = ""; // what a question hides
  closed = false;
  shown = false; // whether there was a look before

  /** @type {(() => void)[]} */
  stops = [];

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  settling;

  space = new Room(); // for maps, as the server is told
  headings = { usual: 0, presented: 0 }; // rem: what stands above the maps of most layers; the same in a presentation

  channel = 0; // on screen; the look's if there is such a channel

  /**
   * @param {StagePage} page
   * @param {Parts} parts
   */
  constructor(page, parts) {
    this.stage = page;
    this.parts = parts;
    this.look = page.store.get();
    this.data = page.data;
    this.words = page.data.words;
    this.rows = page.rows;
    this.layer = this.look.layer;
    this.call = this.look.call;
    this.index = -1; // of the layer among the rows
    this.kind = new Kind(parts);
    parts.previous.onclick = () => this.step(-1);
    parts.next.onclick = () => this.step(1);
  }

  // Actions of the keys, once there is something on screen.
  /** @returns {import("./keys.js").Keyed | undefined} */
  get keyed() {
    return this.shown ? this : undefined;
  }

  get presentation() {
    return this.stage.presentation;
  }

  // In a presentation: the channel large beside the maps, or the maps alone.
  /** @param {boolean} wanted */
  withChannel(wanted) {
    if (!this.presentation.withChannel(wanted)) return;
    this.resized();
    this.redrawChannel();
  }

  // Subclasses: draw the look; `before` is the one that was drawn last.
  /** @type {(look: Look, before: Look | undefined) => void} */
  follow() {}

  // Subclasses: draw the fetched maps.
  /** @type {(fetched: Fetched) => void} */
  draw() {}

  // True if the maps on screen are those of the layer that the page names.
  isNamed() {
    return false;
  }

  /** @type {(by: number) => void} */
  stepChannel() {}

  resized() {}

  // Subclasses: the room for maps in screen pixels, below a heading of some height; by default of the one on screen.
  /** @type {(heading?: number) => {width: number, height: number}} */
  room() {
    return { width: 0, height: 0 };
  }

  headingHeight() {
    return 0;
  }

  // True if sizes and settings are hidden.
  get veiled() {
    return this.hidden === "sizes";
  }

  measureSpace() {
    const { usual, presented } = this.headings;
    this.space.measured(this.room(headingCounted(this.headingHeight(), this.presentation.on ? presented : usual)));
  }

  redrawChannel() {}

  // Draw the look of the page's subject.
  /** @param {Look} look */
  show(look) {
    const { data, rows } = this.stage;
    const before = this.shown ? this.look : undefined;
    const { layer, call } = look;
    const index = rows.findIndex(({ name }) => name === layer);
    if (index < 0) return; // the page settles on another layer
    this.spoken ||= this.shown && (this.data.words !== data.words || this.hidden !== this.stage.hidden);
    this.hidden = this.stage.hidden;
    Object.assign(this, { data, rows, words: data.words, look, layer, call, index, shown: true });
    this.parts.root.dataset.subject = data.subject;
    drawHeading(this);
    if (before && before.present !== look.present) this.resized();
    this.follow(look, before);
  }

  // Put a choice of the visitor into the look; the view follows it.
  /** @param {Action} action */
  choose(action) {
    this.stage.store.dispatch(action);
  }

  // Follow the window's size until `close`.
  /** @param {HTMLElement} parent */
  listen(parent) {
    const resized = () => { if (this.shown) this.resized(); };
    const resizing = new ResizeObserver(resized);
    resizing.observe(parent);
    const page = parent.closest("[data-testid=stMainBlockContainer]");
    if (page) resizing.observe(page); // what stands above takes room, too
    window.addEventListener("resize", resized);
    this.stops = [
      () => resizing.disconnect(),
      () => window.removeEventListener("resize", resized),
      () => clearTimeout(this.settling),
    ];
  }

  // Act once no size has changed for a while; until then the element has `data-settling`.
  /** @param {() => void} act */
  onceSettled(act) {
    const { root } = this.parts;
    root.dataset.settling = "";
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      delete root.dataset.settling;
      act();
    }, SETTLED_MS);
  }

  close() {
    this.closed = true;
    this.stops.forEach((stop) => stop());
  }

  // The reason not to draw a layer unasked, which is its cost; null if it may be drawn.
  waits(row = this.rows[this.index]) {
    return this.stage.costs?.waits(row) ?? null;
  }

  /** @param {number} by */
  step(by) {
    this.go(this.stop(by));
  }

  // The call that is so many steps on, in the order in which the model runs.
  /** @param {number} by */
  stop(by) {
    return stopAfter(this.stage.way, this.rows, this, by);
  }

  /** @param {number} by */
  toEnd(by) {
    this.go(this.stage.way.at(by < 0 ? 0 : -1));
  }

  /** @param {import("./way.js").Stop<LayerRow> | undefined} stop */
  go(stop) {
    if (stop) this.choose({ type: "layer", layer: stop.row.name, call: stop.call });
  }

  // Change a channel only once the maps of the named layer are there: until then, those on screen are another
  // layer's, and the visitor has not seen what would change.
  /** @param {() => void} act */
  onceNamed(act) {
    if (this.isNamed()) act();
    else this.parts.status.textContent = filled(this.words.maps_coming, { layer: this.layer });
  }

  // The channel `by` tiles further on, in the order in which a mosaic shows them.
  /** @type {(geometry: Geometry, by: number) => number} */
  channelAfter(geometry, by) {
    const place = (placeOf(geometry, this.channel) + by + geometry.channels) % geometry.channels;
    return geometry.order.length ? geometry.order[place] : place;
  }

  // Top of an element, in pixels from the page's top, however far the page is scrolled.
  /** @param {HTMLElement} part */
  topOf(part) {
    const scroller = part.closest("[data-testid=stMain]") ?? document.documentElement;
    return part.getBoundingClientRect().top + scroller.scrollTop;
  }

  // Ask until the server answers, less often each time; `draw` gets the answer.
  /** @type {(pages: {open: (asked: Asked) => Promise<Fetched>}, asked: Asked, current: () => boolean, patience?: number) => Promise<void>} */
  async fetchAndDraw(pages, asked, current, patience = 400) {
    const wanted = () => !this.closed && current();
    this.parts.root.setAttribute("aria-busy", "true");
    try {
      const page = await pages.open(asked);
      if (wanted()) this.draw(page);
    } catch {
      if (!wanted()) return;
      this.parts.status.textContent = this.words.lost;
      setTimeout(() => { if (wanted()) this.fetchAndDraw(pages, asked, current, Math.min(8000, patience * 2)); }, patience);
    }
  }
}
