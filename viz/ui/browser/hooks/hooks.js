// The timeline of one pass: every hook in firing order, with code, maps, and memory. It can be played.

import { USUAL } from "../look/look.js";
import { addressOf, drawnQuery, queryOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { fetchPage } from "../maps/layer_file.js";
import { Pages } from "../maps/pages.js";
import { Room } from "../maps/room.js";
import { refusal, withMore } from "../maps/said.js";
import { onPage } from "../maps/scheme.js";
import { answerOf, ASK_AGAIN_MS } from "../page/asking.js";
import { drawCode } from "./code.js";
import { HOOKS } from "./hook_kinds.js";
import { Memory } from "./memory.js";
import { begin, isAtEnd, paced, pause, placeFrom, seek, stay, tick, toggle } from "./player.js";
import { keptSpeed, PlayerBar } from "./player_bar.js";
import { Strips } from "./strip.js";
import {
  awaitEventMaps, buildTimeline, calledLayer, drawEvent, drawEventMaps, drawList, markPlace, nameParts,
} from "./timeline.js";

const REST_BEFORE_MAPS_MS = 120;
const BESIDE_MAPS = 600; // pixels of the window that are not for the maps

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

  /** Those of all events' code. @type {readonly string[]} */
  lines = [];

  player = paced(begin(0, 0), keptSpeed()); // what plays is not in the look before it rests
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  ticking;

  counts = { left_out: 0, total: 0, folded: 0 };
  begins = 0; // the place at which the layer has its value
  back = false; // whether there is a way back
  /** @type {?number} */
  vain = null; // a step that a link asks for and that does not exist

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  resting;
  isFetching = false;
  skips = false; // whether the maps of the event on screen wait for those of another
  leaving = new AbortController();
  play = { toggle: () => this.turn(toggle(this.player)) };

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.look = page.store.get();
    this.parts = buildTimeline(root);
    this.bar = new PlayerBar(this.parts.player, {
      toggle: this.play.toggle, step: (by) => this.step(by), scrub: (place) => this.scrub(place),
      choosePlace: (place) => this.choosePlace(place), pace: (speed) => this.turn(paced(this.player, speed)),
    });
    this.strips = new Strips(this.parts.strip, this.parts.near, this);
    this.memory = new Memory(this.parts.memory, {
      choose: (layer) => this.choose(layer), chooseNumber: (number) => this.choosePlace(this.placeOfNumber(number)), found: () => this.drawStrips(),
    });
    this.parts.choose.onclick = () => this.choose(this.events[this.place].layer);
    const { signal } = this.leaving;
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.turn(pause(this.player)); }, { signal });
    window.addEventListener("resize", () => this.drawStrips(), { signal });
  }

  get place() {
    return this.player.place;
  }

  get moments() {
    return this.memory.moments;
  }

  /** @param {string} layer */
  choose(layer) {
    this.page.store.dispatch({ type: "layer", layer });
  }

  /** @param {Look} look */
  show(look) {
    const { subject, words } = this.page.data;
    const spoken = this.words !== words;
    const moved = look.step !== this.look.step;
    Object.assign(this, { look, words, subject });
    this.parts.root.dataset.subject = subject;
    if (spoken) {
      nameParts(this.parts, words);
      this.bar.name(words);
    }
    const asked = addressOf(subject, "timeline.json", queryOf(look, ["layer", "call", "edit", "target"]), "back=1");
    const drawn = queryOf(look, ["colormap", "scale", "order", "present"]);
    if (asked !== this.asked) this.load(asked);
    else if (spoken || drawn !== this.drawn) this.draw();
    else if (moved) this.goTo(look.step);
    this.drawn = drawn;
    const value = [queryOf(look, ["layer", "call", "edit"]), onPage()].filter(Boolean).join("&");
    this.memory.show(addressOf(subject, "memory.json", value), { layer: look.layer, words });
  }

  /** @param {Address<"timeline.json">} asked */
  async load(asked) {
    const { parts } = this;
    this.asked = asked;
    this.halt();
    parts.root.setAttribute("aria-busy", "true");
    if (!this.events.length) parts.note.textContent = this.words.hooks_loading;
    const found = await answerOf(asked, () => this.asked === asked && !this.closed);
    if (!found) return;
    const { layer, call, step } = this.look;
    parts.root.removeAttribute("aria-busy");
    parts.root.classList.toggle("lg-hooks-empty", Boolean(found.error)); // memory has an answer of its own
    parts.note.replaceChildren(...found.error ? refusal(found, this.words) : []);
    this.events = [];
    if (found.error) return;
    const { events, bars, lines } = found;
    const begins = events.findIndex((event) => event.layer === layer && event.call === call && event.kind === "forward hook");
    Object.assign(this, { events, bars, lines, counts: found, begins: Math.max(0, begins), back: events.some(({ kind }) => HOOKS[kind].back) });
    this.vain = step !== null && step > events.length ? step : null;
    this.player = begin(events.length, this.placeOf(step), this.player.speed);
    this.draw();
  }

  // The place of a step that is counted from 1; without one, that at which the layer has its value.
  /** @param {?number} step */
  placeOf(step) {
    return step ? Math.min(step, this.events.length) - 1 : this.begins;
  }

  /** The place of the first event that is not before a hook of the pass. @param {number} number */
  placeOfNumber(number) {
    return placeFrom(this.events.map((event) => event.number), number);
  }

  /** @param {?number} step */
  goTo(step) {
    const place = this.placeOf(step);
    if (place !== this.place) this.turn(seek(this.player, place), false);
  }

  // Draw the introduction; before it, until the visitor goes on, the step that the address asked for and that does not
  // exist.
  drawNote() {
    const { words, vain, events, parts, counts: { left_out: left, total, folded } } = this;
    const said = vain && filled(words.in_vain, { name: "step", value: vain, instead: events.length });
    const intro = element("span", "lg-hooks-intro"), none = withMore(words.hooks_forward_only, "why-this-class#and-of-a-detector-a-segmentation-a-regression", words);
    intro.append(...this.back ? [words.hooks_intro] : none, " ", element("span", "lg-hooks-keys", words.hooks_keys));
    parts.note.replaceChildren(said ? `${said} ` : "", intro);
    parts.left.textContent = left ? filled(words.hooks_left_out, { left, total, folded }) : "";
  }

  draw() {
    if (!this.events.length) return;
    this.drawNote();
    drawList(this);
    this.drawStrips();
    this.go(this.vain);
  }

  drawStrips() {
    if (!this.events.length) return;
    this.strips.draw();
    this.strips.mark(false);
  }

  // Another state of the player: what plays goes on by itself, and rests in the look once it stands still.
  /** @type {(next: import("./player.js").Player, settles?: boolean) => void} */
  turn(next, settles = true) {
    const before = this.player;
    this.player = next;
    clearTimeout(this.ticking);
    if (!this.events.length) return;
    if (next.playing) this.ticking = setTimeout(() => this.turn(tick(this.player)), stay(next));
    if (next.place !== before.place) this.go();
    else this.showBar();
    if (!before.playing || next.playing) return;
    if (settles) this.page.store.settle({ type: "step", step: next.place + 1 });
    this.say();
  }

  // It stands still, and nothing of it gets into the look.
  halt() {
    clearTimeout(this.ticking);
    this.player = pause(this.player);
  }

  // Pass over a place, as with a slider that is dragged; it does not enter the look.
  /** @param {number} place */
  scrub(place) {
    this.turn(seek(this.player, place), false);
  }

  /** @param {number} by */
  step(by) {
    this.choosePlace(this.place + by);
  }

  // Actions of the keys.
  get keyed() {
    return this;
  }

  /** @param {number} by */
  toEnd(by) {
    this.choosePlace(by < 0 ? 0 : this.events.length - 1);
  }

  /** @param {number} place */
  choosePlace(place) {
    if (!this.events[place]) return;
    this.halt();
    this.page.store.dispatch({ type: "step", step: place + 1 });
    this.turn(seek(this.player, place));
    this.say();
  }

  /** @param {?number} vain */
  go(vain = null) {
    const { parts, events, place, words } = this;
    const event = events[place];
    if (vain !== this.vain) {
      this.vain = vain;
      this.drawNote();
    }
    this.showBar();
    markPlace(this);
    this.strips.mark(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    drawEvent(this, event);
    drawCode(parts.code, event, this.lines, words);
    this.memory.at(event.number, isAtEnd(this.player));
    parts.choose.hidden = event.layer === this.look.layer;
    const ready = this.pages.ready(this.address(event));
    clearTimeout(this.resting);
    if (ready) {
      drawEventMaps(this, ready);
      this.prefetch(place);
    } else {
      awaitEventMaps(this);
      this.resting = setTimeout(() => this.fetchMaps(event), REST_BEFORE_MAPS_MS);
    }
  }

  showBar() {
    const { events, place, words } = this;
    const { kind } = events[place];
    this.bar.show(this.player, filled(words.hooks_at, { step: place + 1, steps: events.length, hook: HOOKS[kind].name(words), layer: calledLayer(events[place], words) }));
  }

  // Tell a screen reader of an event on which somebody rests.
  say() {
    const { parts, events, place, words, memory } = this;
    const event = events[place];
    const what = `${HOOKS[event.kind].name(words)}. ${filled(HOOKS[event.kind].about(words), { layer: calledLayer(event, words) })}`;
    parts.said.textContent = [what, memory.verdict].filter(Boolean).join(" ");
  }

  // The space that a step's maps may take.
  room() {
    const zoom = Number(getComputedStyle(this.parts.root).zoom) || 1; // of a presentation
    return { width: this.parts.maps.clientWidth || 320, height: Math.max(150, window.innerHeight / zoom - BESIDE_MAPS) };
  }

  // The request for a step's maps.
  /** @param {HookEvent} event */
  address(event) {
    const hook = HOOKS[event.kind];
    /** @type {Look} */
    const look = { ...this.look, view: "layer", layer: event.layer, call: event.call, ...USUAL, leaf: hook.leaf };
    const back = hook.back ? ["back=1", queryOf(look, ["target"])] : [];
    const query = [drawnQuery(look), this.space.measured(this.room()).query(), ...back].filter(Boolean).join("&");
    return { subject: this.subject, query };
  }

  // Once the visitor stays at a step: fetch its maps, then those of the next one. What plays asks for one at a time,
  // however fast it is, and then for those of the event that is on screen by that time.
  /** @param {HookEvent} event */
  async fetchMaps(event) {
    this.skips = this.isFetching && this.player.playing;
    if (this.skips) return;
    const { asked } = this;
    const here = () => this.events[this.place] === event && this.asked === asked && !this.closed;
    this.isFetching = true;
    try {
      const page = await this.pages.open(this.address(event));
      this.isFetching = false;
      if (here()) {
        drawEventMaps(this, page);
        this.prefetch(this.place);
      } else if (this.skips && !this.closed && this.events[this.place]) this.fetchMaps(this.events[this.place]);
    } catch {
      this.isFetching = false;
      setTimeout(() => { if (!this.closed && (here() || this.skips) && this.events[this.place]) this.fetchMaps(this.events[this.place]); }, ASK_AGAIN_MS);
    }
  }

  // The maps of the event after this one.
  /** @param {number} place */
  prefetch(place) {
    const next = this.events[place + 1];
    if (next && !this.isFetching) this.pages.open(this.address(next), true).catch(() => {});
  }

  close() {
    this.closed = true;
    this.halt();
    this.leaving.abort();
    clearTimeout(this.resting);
  }
}
