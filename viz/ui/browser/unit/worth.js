// The worth of a unit: changes of the best classes without it.

import { element, filled, percent, readable } from "../maps/mosaic.js";
import { refused } from "../maps/said.js";
import { answerOf } from "../page/asking.js";

export class WorthCard {
  about = "";
  closed = false;

  constructor() {
    this.root = element("section", "lg-unit-card lg-unit-worth");
    this.root.hidden = true;
  }

  /** @type {(address: Address<"ablation.json">, words: Words) => Promise<void>} */
  async show(address, words) {
    const about = `${address} ${words.language_code}`;
    if (about === this.about) return;
    this.about = about;
    this.root.setAttribute("aria-busy", "true");
    const found = await answerOf(address, () => this.about === about && !this.closed);
    if (!found) return;
    this.root.removeAttribute("aria-busy");
    this.root.hidden = false;
    const title = element("h3", "", words.unit_worth);
    this.root.setAttribute("aria-label", words.unit_worth);
    if (found.error) return void this.root.replaceChildren(title, refused(found, words, ""));
    const { classes, changes: { logits: [logits], probabilities: [shares] } } = found;
    this.root.replaceChildren(title, element("p", "lg-unit-said", words.unit_worth_said), rows(classes, logits, shares, words));
  }

  close() {
    this.closed = true;
  }
}

/** @type {(classes: readonly string[], logits: readonly number[], shares: readonly number[], words: Words) => HTMLElement} */
function rows(classes, logits, shares, words) {
  const most = Math.max(...logits.map(Math.abs), 1e-12);
  const list = element("ol", "lg-unit-classes");
  list.append(...classes.map((name, place) => {
    const item = element("li");
    const bar = element("span", "lg-unit-bar");
    item.dataset.sign = logits[place] < 0 ? "down" : "up";
    item.style.setProperty("--share", `${(100 * Math.abs(logits[place])) / most}%`);
    bar.append(element("span", "lg-unit-track"), element("span", "lg-unit-value", signed(short(logits[place]), logits[place])));
    item.title = filled(words.unit_worth_row, { name, score: signed(readable(logits[place]), logits[place]), share: signed(percent(shares[place]), shares[place]) });
    item.append(element("span", "lg-unit-class", name), bar);
    return item;
  }));
  return list;
}

// Three digits tell enough of a difference.
/** @param {number} number */
function short(number) {
  return readable(Number(number.toPrecision(3)));
}

/** @type {(text: string, number: number) => string} */
function signed(text, number) {
  return number > 0 ? `+${text}` : text;
}
