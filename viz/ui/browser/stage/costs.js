// Costs in memory, and the question before a costly view.

import { VIEWS } from "../look/fields.js";
import { element, filled } from "../maps/mosaic.js";
import { refused } from "../maps/said.js";

const LIMITS = "limits#how-much-memory-may-it-all-take";
const MEGABYTE = 1_000_000;

/** @typedef {{label: string, action: Action}} Offer - something cheaper, and what it is called */
/** @typedef {readonly [what: string, cost: number, text: string, offer?: Offer]} Asked */
/** @typedef {{about: string, ofLayer: boolean, draw: () => HTMLElement}} Question */

/**
 * The page, or a side of a comparison.
 * @typedef {Pick<StagePage, "data" | "rows" | "rowOf" | "tell"> & {store: Pick<StagePage["store"], "dispatch">}} Asking
 */

export class Costs {
  /** @type {Set<string>} */
  agreed = new Set(); // for as long as the page is open

  /** @param {Asking} page */
  constructor(page) {
    this.page = page;
  }

  // The question to ask before the look can be shown; null if it may be shown at once.
  /** @type {(look: Look) => ?Question} */
  question(look) {
    const { costs, words } = this.page.data;
    const { maps, passes, single, weighs } = VIEWS[look.view];
    if (!maps) return null;
    /** @type {Offer} */
    const alone = { label: filled(words.cost_alone, { name: look.layer }), action: { type: "view", view: "layer" } };
    /** @type {(Asked | false)[]} */
    const asked = [
      look.scale === "model" && !single && ["scale", costs.all, words.cost_scale, { label: words.cost_layer_scale, action: { type: "scale", scale: "layer" } }],
      passes ? [look.view, costs[passes], words[`cost_${look.view}`], alone] : false,
      Boolean(weighs) && this.ofLayer(look),
    ];
    const open = asked.find((each) => each && !this.isAgreed(each[0], each[1]));
    return open ? this.asking(open, look.view === "layer" && open[0] === look.layer) : null;
  }

  /** @type {(look: Look) => Asked | false} */
  ofLayer({ layer }) {
    const row = this.page.rowOf(layer);
    if (!row || this.isAgreed(layer, row.cost)) return false;
    const near = this.nearest(row);
    const { words } = this.page.data;
    if (!near) return [layer, row.cost, words.cost_layer];
    const label = filled(words.cost_instead, { name: near.name, cost: megabytes(near.cost) });
    return [layer, row.cost, words.cost_layer, { label, action: { type: "layer", layer: near.name } }];
  }

  /** @type {(what: string, cost: number) => boolean} */
  isAgreed(what, cost) {
    const { ask, refuse } = this.page.data.costs;
    return cost <= ask || (cost <= refuse && this.agreed.has(`${what} of ${this.page.data.model}`));
  }

  // The reason not to fetch a layer ahead, which is its cost; null if it may be fetched.
  /** @param {LayerRow} row */
  waits({ name, cost }) {
    return this.isAgreed(name, cost) ? null : filled(this.page.data.words.cost_waiting, { cost: megabytes(cost) });
  }

  // The closest layer that ran and takes little memory.
  /** @type {(row: LayerRow) => LayerRow | undefined} */
  nearest(row) {
    const { rows } = this.page;
    const place = rows.indexOf(row);
    const cheap = rows.filter((each) => each.calls && this.isAgreed(each.name, each.cost));
    return cheap.sort((one, other) => Math.abs(rows.indexOf(one) - place) - Math.abs(rows.indexOf(other) - place))[0];
  }

  /** @type {(asked: Asked, ofLayer: boolean) => Question} */
  asking([what, cost, text, offer], ofLayer) {
    const { data: { costs, words, model } } = this.page;
    const said = filled(text, { cost: megabytes(cost), free: megabytes(costs.free), model, layer: what });
    const tooLarge = cost > costs.refuse;
    const sentence = tooLarge ? filled(words.cost_too_large, { sentence: said, most: megabytes(costs.refuse) }) : said;
    return { about: `${what} ${model} ${words.language_code} ${tooLarge}`, ofLayer, draw: () => this.draw(what, sentence, offer, tooLarge) };
  }

  /** @type {(what: string, sentence: string, offer: Offer | undefined, tooLarge: boolean) => HTMLElement} */
  draw(what, sentence, offer, tooLarge) {
    const { words, model } = this.page.data;
    const root = costRoot(sentence, words);
    if (offer) root.append(answer("cost_instead", offer.label, () => this.page.store.dispatch(offer.action)));
    if (!tooLarge) root.append(answer("cost_go_on", words.cost_go_on, () => { this.agreed.add(`${what} of ${model}`); this.page.tell(); }));
    return root;
  }
}

// The question itself; its answers follow.
/** @type {(sentence: string, words: Words) => HTMLElement} */
export function costRoot(sentence, words) {
  const root = element("div", "lg-cost");
  root.setAttribute("role", "alert");
  root.append(refused({ error: sentence, document: LIMITS }, words, ""));
  return root;
}

/** @type {(part: string, text: string, act: () => void) => HTMLElement} */
function answer(part, text, act) {
  const button = element("button", part === "cost_instead" ? "lg-primary" : "", text);
  button.type = "button";
  button.dataset.part = part;
  button.onclick = act;
  return button;
}

// Bytes as whole megabytes: 1,234.
/** @param {number} size */
export function megabytes(size) {
  return Math.max(1, Math.round(size / MEGABYTE)).toLocaleString("en");
}
