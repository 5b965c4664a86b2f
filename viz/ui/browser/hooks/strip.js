// Two strips of the pass as a film: all of it, and a close part.

import { element, filled, percent } from "../maps/mosaic.js";
import { rem } from "../page/text_size.js";
import { HOOKS } from "./hook_kinds.js";
import { placeFrom } from "./player.js";

const LETTER = 0.4; // rem of a letter in the small strip
const LEAST_UNIT = 3.625; // rem of an event in the large one: its short name can be read
const MOST_LANES = 4; // of the small strip; what lies deeper is in the large one
const FAR = 1.5; // how many widths the film moves at once rather than slides

/**
 * The part of the timeline that the strips use.
 * @typedef {Object} Film
 * @property {readonly HookEvent[]} events
 * @property {readonly HookBar[]} bars
 * @property {number} place
 * @property {Words} words
 * @property {readonly MomentFacts[]} moments - of the layer's memory
 * @property {(place: number) => void} scrub
 * @property {(place: number) => void} choosePlace
 */

export class Strips {
  /** @type {HTMLElement[]} */
  bars = [];

  /** @type {HTMLElement[]} */
  cells = [];

  cursor = element("i");
  view = element("div", "lg-near-view");
  head = element("i", "lg-near-head");
  unit = rem(LEAST_UNIT);

  /**
   * @param {HTMLElement} small
   * @param {HTMLElement} near
   * @param {Film} film
   */
  constructor(small, near, film) {
    this.small = small;
    this.near = near;
    this.film = film;
    this.listenToHand();
  }

  // Dragged along the small strip, or clicked there.
  listenToHand() {
    const { small, film } = this;
    /** @param {PointerEvent} event */
    const placeAt = ({ clientX }) => {
      const { left, width } = small.getBoundingClientRect();
      const count = film.events.length;
      return Math.max(0, Math.min(count - 1, Math.floor(((clientX - left) / width) * count)));
    };
    small.onpointerdown = (event) => {
      if (event.button) return;
      small.setPointerCapture(event.pointerId);
      film.scrub(placeAt(event));
    };
    small.onpointermove = (event) => { if (small.hasPointerCapture(event.pointerId)) film.scrub(placeAt(event)); };
    small.onpointerup = (event) => film.choosePlace(placeAt(event));
    small.onpointercancel = () => film.choosePlace(film.place);
  }

  draw() {
    this.drawSmall();
    this.drawNear();
  }

  drawSmall() {
    const { small, film: { events, bars, words } } = this;
    const share = 100 / events.length;
    const width = (small.clientWidth || 320) / rem(1);
    const lanes = element("div", "lg-strip-lanes");
    const deepest = Math.min(MOST_LANES - 1, Math.max(0, ...bars.map(({ depth }) => depth)));
    lanes.style.setProperty("--lanes", String(deepest));
    lanes.append(...bars.filter(({ depth }) => depth < MOST_LANES).map(({ layer, backward, first, last, depth }) => {
      const name = lastPart(layer);
      const long = (last - first + 1) / events.length;
      const bar = element("span", backward ? "lg-bar-back" : "", depth || long * width < name.length * LETTER + 0.25 ? "" : name);
      Object.assign(bar.style, { left: `${first * share}%`, width: `${long * 100}%` });
      bar.style.setProperty("--depth", String(depth));
      return bar;
    }));
    this.cursor.style.width = `max(3px, ${share}%)`;
    const heads = element("div", "lg-strip-heads");
    /** @type {[string, number][]} */
    const halves = [[words.hooks_forward, 0], [words.hooks_backward, events.findIndex(({ kind }) => HOOKS[kind].back)]];
    heads.append(...halves.filter(([, at]) => at >= 0).map(([text, at]) => placed(element("em", "", text), at * share, "%")));
    small.replaceChildren(heads, lanes, this.memory((place) => place * share, "%"), this.cursor);
  }

  drawNear() {
    const { near, film: timeline } = this;
    const { events, bars, words } = timeline;
    this.unit = Math.max(rem(LEAST_UNIT), (near.clientWidth || 320) / events.length);
    const { unit } = this;
    const film = element("div", "lg-near-film");
    film.style.width = `${unit * events.length}px`;
    film.style.setProperty("--lanes", String(1 + Math.max(0, ...bars.map(({ depth }) => depth))));
    this.bars = bars.map(({ layer, backward, first, last, depth }) => {
      const bar = element("span", backward ? "lg-bar-back" : "");
      bar.append(element("b", "", lastPart(layer)));
      bar.title = layer;
      Object.assign(bar.style, { left: `${first * unit}px`, width: `${(last - first + 1) * unit}px` });
      bar.style.setProperty("--depth", String(depth));
      bar.onclick = () => timeline.choosePlace(first);
      return bar;
    });
    this.cells = events.map(({ kind, layer }, place) => {
      const cell = element("span", HOOKS[kind].back ? "lg-cell lg-bar-back" : "lg-cell", HOOKS[kind].short(words));
      cell.title = `${HOOKS[kind].name(words)} ${layer}`;
      cell.onclick = () => timeline.choosePlace(place);
      cell.style.width = `${unit}px`;
      return placed(cell, place * unit, "px");
    });
    this.head.style.width = `${unit}px`;
    film.append(...this.bars, ...this.cells, this.memory((place) => place * unit, "px", true));
    this.view.replaceChildren(film);
    near.replaceChildren(this.view, this.head);
  }

  // The layer's memory from its hook on, in another colour once something has written over it.
  /** @type {(at: (place: number) => number, unit: string, named?: boolean) => HTMLElement} */
  memory(at, unit, named = false) {
    const { events, moments, words } = this.film;
    const lane = element("div", "lg-memory-lane");
    const numbers = events.map(({ number }) => number);
    const places = moments.map(({ number }) => placeFrom(numbers, number));
    lane.append(...moments.map(({ changed, writes }, moment) => {
      const ends = places[moment + 1] ?? events.length;
      const part = element("span", writes ? "lg-overwritten" : "");
      const text = writes ? words.memory_lane_changed : words.memory_lane;
      if (named) part.append(element("b", "", filled(text, { changed: percent(changed) })));
      part.style.width = `${at(ends) - at(places[moment])}${unit}`;
      return placed(part, at(places[moment]), unit);
    }));
    return lane;
  }

  /** The event on screen in both strips; the film slides only if `slides`. @param {boolean} slides */
  mark(slides) {
    const { view, unit, film: { place, events, bars } } = this;
    this.cursor.style.left = `${(100 * place) / events.length}%`;
    bars.forEach(({ first, last }, at) => this.bars[at].classList.toggle("lg-on", first <= place && place <= last));
    this.cells.forEach((cell, at) => cell.classList.toggle("lg-on", at === place));
    // The film slides below a mark that stands still, except where it begins and ends.
    const most = Math.max(0, unit * events.length - view.clientWidth);
    const left = Math.max(0, Math.min(most, (place + 0.5) * unit - view.clientWidth / 2));
    const isNear = Math.abs(left - view.scrollLeft) < FAR * view.clientWidth;
    this.head.style.left = `${place * unit - left}px`;
    view.scrollTo({ left, behavior: slides && isNear ? "smooth" : "auto" });
  }
}

/** @type {(made: HTMLElement, left: number, unit: string) => HTMLElement} */
function placed(made, left, unit) {
  made.style.left = `${left}${unit}`;
  return made;
}

/** @param {string} layer */
function lastPart(layer) {
  return layer.split(".").at(-1) ?? layer;
}
