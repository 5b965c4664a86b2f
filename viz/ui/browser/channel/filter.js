// The weights of the channel on screen, if its layer has any; fetched on demand.

import { aboutPage, aboutWhole } from "../maps/addresses.js";
import { kernelSize } from "../maps/kernels.js";
import { element, filled, readable } from "../maps/mosaic.js";
import { refused } from "../maps/said.js";
import { BUG } from "../page/asking.js";
import { revealOpened, unfoldedByLook } from "../page/reveal.js";

const WITH_FILTERS = /(Conv(Transpose)?[123]d|Linear)/;
const FILTER_MS = 200;

/** @typedef {{page: Page & {facts: LayerFacts}, channel: number, words: Words}} Viewed */

export class FilterDetails {
  /** @type {?Viewed} */
  viewed = null;

  about = "";

  /** @type {number | undefined} */
  waiting;

  /**
   * @param {HTMLElement} root
   * @param {StagePage} stage
   */
  constructor(root, stage) {
    this.root = element("details", "lg-filter");
    this.summary = element("summary");
    this.place = element("div");
    this.root.append(this.summary, this.place);
    this.root.hidden = true;
    root.append(this.root);
    this.root.addEventListener("toggle", () => this.askLater(0));
    this.end = unfoldedByLook(this.root, "filter", stage.store, false);
    revealOpened(this.root);
  }

  /** @param {Viewed} viewed */
  follow({ page, channel, words }) {
    const { facts } = page;
    const suits = WITH_FILTERS.test(facts.type) && facts.leaf.startsWith("output") && !facts.layer.includes("›");
    if (this.root.hidden === suits) this.root.hidden = !suits;
    const about = `${words.language_code} ${aboutPage(page, "")} ${channel}`;
    if (!suits || about === this.about) return;
    this.viewed = { page, channel, words };
    this.about = about;
    this.summary.textContent = words.filter;
    this.askLater(FILTER_MS);
  }

  /** @param {number} after */
  askLater(after) {
    clearTimeout(this.waiting);
    if (this.root.open && !this.root.hidden) this.waiting = setTimeout(() => this.ask(), after);
  }

  async ask() {
    if (!this.viewed) return;
    const { about, viewed: { page, channel, words } } = this;
    try {
      const answer = await fetch(aboutWhole(page, "filter.json", `channel=${channel}`));
      const found = await answer.json();
      if (about !== this.about) return;
      if (found.superseded || answer.status > BUG) this.askLater(2 * FILTER_MS);
      else this.draw(found, words);
    } catch {
      if (about !== this.about) return;
      this.place.replaceChildren(element("p", "", words.lost));
      this.askLater(2 * FILTER_MS);
    }
  }

  /** @type {(found: FilterFacts, words: Words) => void} */
  draw(found, words) {
    const { place } = this;
    if (found.error) return void place.replaceChildren(refused(found, words, ""));
    const { count } = found.kernels;
    const image = element("img");
    const scale = Math.max(1, Math.min(16, Math.floor((this.root.clientWidth - 4) / found.width)));
    image.src = `data:image/png;base64,${found.png}`;
    image.style.width = `${Math.min(found.width * scale, this.root.clientWidth)}px`;
    const facts = { count, size: kernelSize(found), first: found.first, last: found.first + count - 1, limit: readable(found.limit) };
    const text = filled(words.filter_facts, facts) + (found.bias === null ? "" : ` ${filled(words.filter_bias, { bias: readable(found.bias) })}`);
    image.alt = text;
    place.replaceChildren(image, element("p", "", text));
  }

  close() {
    this.about = "";
    clearTimeout(this.waiting);
    this.end();
  }
}
