// The layer's memory during the pass: at the hook, and at the event on screen. It shows which ways of keeping the value
// keep which of the two.

import { element, filled, percent } from "../maps/mosaic.js";
import { paragraph, refused, withMore } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { momentAt } from "./player.js";

const KEPT = "memory#what-would-a-reference-detach-or-clone-keep";
const MOST_WRITTEN = 12;
const SVG = "http://www.w3.org/2000/svg";

/**
 * The part of the timeline that the memory uses.
 * @typedef {Object} Around
 * @property {(layer: string) => void} choose
 * @property {(number: number) => void} chooseNumber - go to the hook with this number in the pass
 * @property {() => void} found - the moments are there
 */

export class Memory {
  /** @type {Words} */
  words = {};

  address = "";

  /** @type {?MemoryFacts} */
  facts = null;

  /** @type {?{verdict: HTMLElement, see: HTMLElement, bytes: HTMLElement, parts: SVGElement[], now: HTMLElement, fate: HTMLElement}} */
  drawn = null;

  number = 0; // of the hook on screen
  isLast = false;

  /**
   * @param {HTMLElement} root
   * @param {Around} around
   */
  constructor(root, around) {
    this.root = root;
    this.around = around;
  }

  /** @type {readonly MomentFacts[]} */
  get moments() {
    return this.facts?.moments ?? [];
  }

  /** @type {(address: Address<"memory.json">, about: {layer: string, words: Words}) => Promise<void>} */
  async show(address, { layer, words }) {
    if (this.address === address && this.words.memory_title === words.memory_title) return;
    Object.assign(this, { address, words, facts: null, drawn: null });
    this.root.replaceChildren(this.title(layer), element("p", "lg-memory-note", words.memory_loading));
    const found = await answerOf(address, () => this.address === address);
    if (!found) return;
    if (found.error) {
      this.root.replaceChildren(this.title(layer), refused(found, words, "lg-memory-note"));
      return;
    }
    this.facts = found;
    this.draw(found);
    this.around.found();
  }

  /** The sentence about the memory at the event on screen; empty while nothing is known. */
  get verdict() {
    if (!this.facts) return "";
    const { words, facts: { layer, moments } } = this;
    const moment = moments[this.moment];
    if (!moment) return filled(words.memory_before, { layer });
    const { writes, changed } = moment;
    const text = !writes ? words.memory_at : changed > 0 ? words.memory_overwritten_now : words.memory_rewritten_now;
    return filled(text, { writes, changed: percent(changed) });
  }

  get moment() {
    return momentAt(this.moments.map(({ number }) => number), this.number, this.isLast);
  }

  /** The timeline is at this hook of the pass. @type {(number: number, isLast: boolean) => void} */
  at(number, isLast) {
    Object.assign(this, { number, isLast });
    this.mark();
  }

  /** @param {string} layer */
  title(layer) {
    return element("h2", "", filled(this.words.memory_title, { layer }));
  }

  /** @param {MemoryFacts} found */
  draw(found) {
    const { words } = this;
    const verdict = element("p", "lg-memory-verdict");
    const see = this.seeing(found);
    const { bytes, parts } = this.bytes(found.moments[0].blocks.length);
    const row = element("div", "lg-memory-row");
    const fate = element("p");
    const then = this.picture(found.moments[0].png, words.memory_at_hook, found.kept.filter(({ shares }) => !shares), element("p", "", this.own(found)));
    const now = this.picture(found.moments[0].png, words.memory_now, found.kept.filter(({ shares }) => shares), fate);
    row.append(then, now);
    const order = element("p", "lg-memory-note", filled(words.memory_order, { size: bytesText(found.bytes) }));
    const channels = element("p", "lg-memory-note", filled(words.memory_channels, { channels: found.channels.join(", ") }));
    this.drawn = { verdict, see, bytes, parts, now, fate };
    this.root.replaceChildren(
      this.title(found.layer), verdict, bytes, order, row, this.ending(found),
      ...(found.shape.length > 2 ? [channels] : []), this.elsewhere(found),
    );
    this.mark();
  }

  // Redraw the parts that differ from event to event.
  mark() {
    if (!this.drawn || !this.facts) return;
    const { words, facts: { moments }, drawn: { verdict, see, bytes, parts, now, fate } } = this;
    const moment = moments[this.moment];
    const changed = moment?.changed ?? 0;
    verdict.replaceChildren(this.verdict, " ", see);
    see.hidden = this.moment > 0;
    this.root.classList.toggle("lg-memory-before", !moment);
    this.root.classList.toggle("lg-memory-changed", changed > 0);
    bytes.setAttribute("aria-label", this.verdict);
    parts.forEach((part, place) => { part.style.fillOpacity = String(moment?.blocks[place] ?? 0); });
    now.classList.toggle("lg-wrong", changed > 0);
    const image = /** @type {HTMLImageElement} */ (now.querySelector("img"));
    const png = `data:image/png;base64,${(moment ?? moments[0]).png}`;
    if (image.src !== png) image.src = png;
    image.alt = `${words.memory_now}: ${this.verdict}`;
    fate.textContent = filled(changed > 0 ? words.memory_shared_wrong : words.memory_shared_right, { wrong: percent(changed) });
  }

  // The whole memory in its order, each part as far coloured as it has been written over.
  /** @param {number} count */
  bytes(count) {
    const bytes = element("div", "lg-bytes");
    bytes.setAttribute("role", "img");
    const picture = document.createElementNS(SVG, "svg");
    picture.setAttribute("viewBox", `0 0 ${count} 1`);
    picture.setAttribute("preserveAspectRatio", "none");
    const parts = Array.from({ length: count }, (_, place) => {
      const part = document.createElementNS(SVG, "rect");
      for (const [name, value] of Object.entries({ x: place, y: 0, width: 1.05, height: 1 })) part.setAttribute(name, String(value));
      return part;
    });
    picture.append(...parts);
    bytes.append(picture);
    return { bytes, parts };
  }

  // The way to the event at which it is first written over; nothing where that never is.
  /** @param {MemoryFacts} found */
  seeing({ moments }) {
    const [, first] = moments;
    if (!first) return element("span");
    const see = element("button", "", this.words.memory_see);
    see.type = "button";
    see.onclick = () => this.around.chooseNumber(first.number);
    return see;
  }

  // The verdict after the pass.
  /** @param {MemoryFacts} found */
  ending({ writes, changed }) {
    const { words } = this;
    const text = changed > 0 ? words.memory_overwritten : writes > 0 ? words.memory_rewritten : words.memory_untouched;
    const told = filled(text, { writes, changed: percent(changed) });
    return paragraph(changed > 0 ? withMore(told, KEPT, words) : [told], "lg-memory-end");
  }

  // A few other layers of this model where the same can be seen.
  /** @param {MemoryFacts} found */
  elsewhere({ written }) {
    const { words } = this;
    if (!written.length) return paragraph(withMore(words.memory_nowhere, KEPT, words), "lg-memory-note");
    const list = element("p", "lg-written", filled(words.memory_written, { count: written.length }));
    list.append(...written.slice(0, MOST_WRITTEN).map((layer) => {
      const button = element("button", "", layer);
      button.type = "button";
      button.onclick = () => this.around.choose(layer);
      return button;
    }));
    if (written.length > MOST_WRITTEN) list.append(filled(words.memory_more, { count: written.length - MOST_WRITTEN }));
    return list;
  }

  /** @param {KeptFacts["way"]} name */
  way(name) {
    const { words } = this;
    return { reference: words.memory_reference, detach: words.memory_detach, cpu: words.memory_cpu, clone: words.memory_clone }[name];
  }

  // The text about the copies.
  /** @param {MemoryFacts} found */
  own({ kept }) {
    const copy = kept.find(({ shares }) => !shares);
    return filled(this.words.memory_own, { copied: bytesText(copy?.copied ?? 0) });
  }

  // A picture, and the lines of code that keep its values.
  /** @type {(png: string, title: string, kept: readonly KeptFacts[], fate: HTMLElement) => HTMLElement} */
  picture(png, title, kept, fate) {
    const figure = element("figure");
    const image = element("img");
    image.onload = () => { if (image.naturalWidth > image.clientWidth) image.style.imageRendering = "auto"; }; // smoothed, so that no value is left out
    image.src = `data:image/png;base64,${png}`;
    image.alt = title;
    const ways = element("div", "lg-ways");
    ways.append(...kept.map(({ way }) => element("code", "lg-way", this.way(way))));
    figure.append(element("figcaption", "", title), image, ways, fate);
    return figure;
  }
}

/** @param {number} bytes */
function bytesText(bytes) {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toPrecision(3)} MB`;
}
