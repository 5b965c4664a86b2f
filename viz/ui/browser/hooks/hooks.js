// The timeline of one pass: every hook in firing order, stepped through, with the maps of the step beside it.

import { USUAL } from "../layer/options.js";
import { addressOf, drawnQuery, queryOf } from "../maps/addresses.js";
import { filled } from "../maps/mosaic.js";
import { fetchPage, Pages } from "../maps/pages.js";
import { Room } from "../maps/room.js";
import { said } from "../maps/said.js";
import { answerOf, ASK_AGAIN_MS } from "../page/asking.js";
import { HOOKS } from "./hook_kinds.js";
import { Memory } from "./memory.js";
import {
  awaitEventMaps, buildTimeline, drawEvent, drawEventMaps, drawList, drawStrip, markPlace, nameParts,
} from "./timeline.js";

const REST_BEFORE_MAPS_MS = 120;

export class Timeline {
  pages = new Pages(fetchPage);
  space = new Room();
  subject = "";
  asked = ""; // the address of what is on screen
  drawn = ""; // how its maps are drawn
  closed = false;
  /** @type {Words} */
  words = {};

  /** None until they are here. @type {readonly HookEvent[]} */
  events = [];

  /** @type {readonly HookBar[]} */
  bars = [];

  counts = { left_out: 0, total: 0, folded: 0 };
  begins = 0; // the place at which the layer has its value
  place = 0; // the event on screen
  back = false; // whether there is a way back
  /** @type {?number} */
  vain = null; // a step that a link asks for and that does not exist

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  resting;

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.look = page.store.get();
    this.parts = buildTimeline(root);
    this.memory = new Memory(this.parts.memory, (layer) => this.choose(layer));
    this.parts.previous.onclick = () => this.step(-1);
    this.parts.next.onclick = () => this.step(1);
    this.parts.choose.onclick = () => this.choose(this.events[this.place].layer);
  }

  /** @param {string} layer */
  choose(layer) {
    this.page.store.dispatch({ type: "layer", layer });
  }

  /** @param {Look} look */
  show(look) {
    const { subject, words } = this.page.data;
    const spoken = this.words !== words;
    Object.assign(this, { look, words, subject });
    this.parts.root.dataset.subject = subject;
    if (spoken) nameParts(this.parts, words);
    const asked = addressOf(subject, "timeline.json", queryOf(look, ["layer", "call", "edit", "target"]), "back=1");
    const drawn = queryOf(look, ["colormap", "scale", "order"]);
    if (asked !== this.asked) this.load(asked);
    else if (spoken || drawn !== this.drawn) this.draw();
    else this.goTo(look.step);
    this.drawn = drawn;
    this.memory.show(addressOf(subject, "memory.json", queryOf(look, ["layer", "call", "edit"])), { layer: look.layer, words });
  }

  /** @param {Address<"timeline.json">} asked */
  async load(asked) {
    const { parts } = this;
    this.asked = asked;
    parts.root.setAttribute("aria-busy", "true");
    if (!this.events.length) parts.note.textContent = this.words.hooks_loading;
    const found = await answerOf(asked, () => this.asked === asked && !this.closed);
    if (!found) return;
    const { layer, call, step } = this.look;
    parts.root.removeAttribute("aria-busy");
    parts.stage.hidden = Boolean(found.error);
    parts.note.textContent = found.error ? said(found, "error", this.words) : "";
    this.events = [];
    if (found.error) return;
    const { events, bars } = found;
    const begins = events.findIndex((event) => event.layer === layer && event.call === call && event.kind === "forward hook");
    Object.assign(this, { events, bars, counts: found, begins: Math.max(0, begins), back: events.some(({ kind }) => HOOKS[kind].back) });
    this.vain = step !== null && step > events.length ? step : null;
    this.place = this.placeOf(step);
    this.draw();
  }

  // The place of a step that is counted from 1; without one, that at which the layer has its value.
  /** @param {?number} step */
  placeOf(step) {
    return step ? Math.min(step, this.events.length) - 1 : this.begins;
  }

  /** @param {?number} step */
  goTo(step) {
    const place = this.placeOf(step);
    if (place !== this.place) this.go(place);
  }

  // What is shown; before it, until the visitor goes on, the step that the address asked for and that does not exist.
  drawNote() {
    const { words, vain, events, counts: { left_out: left, total, folded } } = this;
    this.parts.note.textContent = [
      vain && filled(words.in_vain, { name: "step", value: vain, instead: events.length }),
      this.back ? words.hooks_intro : words.hooks_forward_only,
      left && filled(words.hooks_left_out, { left, total, folded }),
    ].filter(Boolean).join(" ");
  }

  draw() {
    if (!this.events.length) return;
    this.drawNote();
    drawStrip(this);
    drawList(this);
    this.go(this.place, this.vain);
  }

  /** @param {number} by */
  step(by) {
    this.choosePlace(this.place + by);
  }

  // What keys do here.
  get keyed() {
    return this;
  }

  /** @param {number} by */
  toEnd(by) {
    this.choosePlace(by < 0 ? 0 : this.events.length - 1);
  }

  /** @param {number} place */
  choosePlace(place) {
    if (this.events[place]) this.page.store.dispatch({ type: "step", step: place + 1 });
  }

  /** @type {(place: number, vain?: ?number) => void} */
  go(place, vain = null) {
    const { parts, events, words } = this;
    if (place < 0 || place >= events.length) return;
    const noted = vain === this.vain;
    Object.assign(this, { place, vain });
    if (!noted) this.drawNote();
    parts.previous.disabled = place === 0;
    parts.next.disabled = place === events.length - 1;
    parts.count.textContent = filled(words.hooks_step, { step: place + 1, steps: events.length });
    markPlace(this);
    drawEvent(this, events[place]);
    parts.choose.hidden = events[place].layer === this.look.layer;
    const ready = this.pages.ready(this.address(events[place]));
    clearTimeout(this.resting);
    if (ready) return drawEventMaps(this, ready);
    awaitEventMaps(this);
    this.resting = setTimeout(() => this.fetchMaps(events[place]), REST_BEFORE_MAPS_MS);
    return undefined;
  }

  // The space that a step's maps may take.
  room() {
    return { width: this.parts.maps.clientWidth || 320, height: Math.max(220, window.innerHeight - 460) };
  }

  // What to fetch for a step's maps.
  /** @param {HookEvent} event */
  address(event) {
    const hook = HOOKS[event.kind];
    /** @type {Look} */
    const look = { ...this.look, view: "layer", layer: event.layer, call: event.call, ...USUAL, leaf: hook.leaf };
    const back = hook.back ? ["back=1", queryOf(look, ["target"])] : [];
    const query = [drawnQuery(look), this.space.measured(this.room()).query(), ...back].filter(Boolean).join("&");
    return { subject: this.subject, query };
  }

  // Once the visitor stays at a step: fetch its maps, then those of the next one.
  /** @param {HookEvent} event */
  async fetchMaps(event) {
    const { asked, events, place } = this;
    const here = () => this.events[this.place] === event && this.asked === asked && !this.closed;
    try {
      const page = await this.pages.open(this.address(event));
      if (!here()) return;
      drawEventMaps(this, page);
      if (events[place + 1]) this.pages.open(this.address(events[place + 1]), true).catch(() => {});
    } catch {
      setTimeout(() => { if (here()) this.fetchMaps(event); }, ASK_AGAIN_MS);
    }
  }

  close() {
    this.closed = true;
    clearTimeout(this.resting);
  }
}
