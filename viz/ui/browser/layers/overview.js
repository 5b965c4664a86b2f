// The view of all layers: a grid of cards; a click opens a layer.

import { homeChoice } from "../layer/home.js";
import { LiveCards } from "../live/live_cards.js";
import { addressOf, allDrawnQuery } from "../maps/addresses.js";
import { element, filled, readable } from "../maps/mosaic.js";
import { refusal, said } from "../maps/said.js";
import { onPage } from "../maps/scheme.js";
import { shapeText } from "../maps/shape.js";
import { answerOf } from "../page/asking.js";

export class Overview {
  about = ""; // what is on screen, or asked for
  closed = false;

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.root = element("section", "lg-overview");
    root.append(this.root);
    this.live = new LiveCards(this.root, () => this.load(page.store.get()));
  }

  /** @param {Look} look */
  show(look) {
    const { subject, words } = this.page.data;
    const query = onThisPage(look);
    const about = `${subject} ${query} ${words.language_code} ${this.page.veiled}`;
    if (about === this.about) return;
    if (!this.about) this.root.textContent = words.overview_loading;
    this.about = about;
    this.root.dataset.subject = subject;
    this.live.follow(subject, query);
    this.load(look);
  }

  // Keep the old pictures on screen until the new ones are there.
  /** @param {Look} look */
  async load(look) {
    const { about, page: { data: { subject, words } } } = this;
    const query = allDrawnQuery(look); // as it is printed
    this.root.setAttribute("aria-busy", "true");
    const found = await answerOf(addressOf(subject, "overview.json", onThisPage(look)), () => this.about === about && !this.closed);
    if (!found) return;
    this.root.removeAttribute("aria-busy");
    if (!("map" in found)) return this.root.replaceChildren(...refusal(found, words));
    const exports = element("p", "lg-overview-exports");
    exports.append(`${words.download}: `, ...["png", "svg", "pdf"].map((form) => exportLink(addressOf(subject, `overview.${form}`, query), form)));
    exports.append(homeChoice(subject, look, found.map(({ layer }) => layer), words));
    if (found.length) exports.append(...overviewScale(found[0], words));
    const grid = element("div", "lg-overview-grid");
    const choose = (/** @type {string} */ layer) => this.page.store.dispatch({ type: "layer", layer, view: "layer" });
    grid.append(...found.map((thumb, place) => card({ ...thumb, problem: said(thumb, "problem", words) }, place, choose, this.page)));
    this.root.replaceChildren(exports, grid);
  }

  // Actions of the keys.
  get keyed() {
    return this;
  }

  // Go to the card of another layer, first from that of the layer in the look.
  /** @param {number} by */
  step(by) {
    const { cards } = this;
    const here = cards.findIndex((each) => each === document.activeElement);
    const from = cards.findIndex(({ dataset }) => dataset.layer === this.page.store.get().layer);
    cards[here < 0 ? Math.max(0, from) : here + by]?.focus();
  }

  /** @param {number} by */
  toEnd(by) {
    this.cards.at(by < 0 ? 0 : -1)?.focus();
  }

  get cards() {
    return /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll(".lg-overview-grid button")]);
  }

  close() {
    this.closed = true;
    this.live.close();
  }
}

// The fields of a query that decide how the pictures on the page are drawn.
/** @param {Look} look */
function onThisPage(look) {
  return [allDrawnQuery(look), onPage()].filter(Boolean).join("&");
}

// The meaning of the colours, if all pictures share one scale.
/** @type {(thumb: Thumb, words: Words) => HTMLElement[]} */
function overviewScale({ low, high }, words) {
  if (low === null || high === null) return [];
  return [element("span", "lg-overview-scale", filled(words.scale_overview_note, { low: readable(low), high: readable(high) }))];
}

/** @type {(href: string, form: string) => HTMLElement} */
function exportLink(href, form) {
  const link = element("a", "", form.toUpperCase());
  Object.assign(link, { href, download: "" });
  return link;
}

// A long name breaks after its dots.
/** @param {string} layer */
function nameOf(layer) {
  const name = element("span", "lg-card-name");
  name.append(...layer.split(/(?<=\.)/).flatMap((step) => [step, element("wbr")]));
  return name;
}

/** @type {(thumb: Thumb, place: number, chosen: (layer: string) => void, page: StagePage) => HTMLElement} */
function card({ layer, type, shape, png, problem, magnitudes }, place, chosen, { veiled, data: { words } }) {
  const button = element("button");
  button.type = "button";
  button.dataset.layer = layer;
  button.onclick = () => chosen(layer);
  const size = [veiled ? "" : shapeText(shape), magnitudes ? words.magnitudes : ""].filter(Boolean).join(", ");
  const what = [type, size].filter(Boolean).join(", ");
  button.title = `${place + 1}. ${layer}: ${problem || what}`;
  if (png) {
    const image = element("img");
    image.src = `data:image/png;base64,${png}`;
    image.alt = `${layer}, ${what}`;
    button.append(image);
  }
  const about = element("span", "lg-card-about", problem);
  if (!problem) about.append(element("span", "", type), " ", element("span", "", size));
  button.append(nameOf(layer), about);
  return button;
}
