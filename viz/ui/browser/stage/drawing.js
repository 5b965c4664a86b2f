// Options of drawing for all layers: colours, scale, order. Below the maps, so that the first screen ends there.

import { selectBox } from "../layer/options.js";
import { CHOICES, VIEWS } from "../look/fields.js";
import { gradient, isStretched, stretched } from "../maps/colours.js";
import { element, filled, find } from "../maps/mosaic.js";
import { onPage } from "../maps/scheme.js";
import { Combobox } from "../page/combobox.js";
import { helpLink, withHelp } from "../page/menu.js";
import { megabytes } from "./costs.js";

export class Drawing {
  drawn = ""; // which choices are on screen
  /** @type {?SubjectFacts} */
  data = null;

  /** Of the sign beside the colours. @type {?Words} */
  words = null;

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.place = element("div", "lg-option lg-colour-box");
    /** @type {Combobox<string>} */
    this.box = new Combobox(this.place, { part: "colormap", chosen: (chosen) => this.choose(chosen) });
    this.chosen = element("div", "lg-choices");
  }

  /** @param {Look} look */
  show(look) {
    const { data } = this.page;
    this.root.hidden = !VIEWS[look.view].maps;
    this.chosen.hidden = Boolean(VIEWS[look.view].single);
    const drawn = JSON.stringify([look.view === "compare", this.page.apart, onPage(), look.colormap, look.scale, look.order, look.with_order]);
    if (this.root.hidden || (drawn === this.drawn && data === this.data)) return;
    Object.assign(this, { drawn, data });
    const { activeElement } = document;
    const focused = activeElement instanceof HTMLElement && this.chosen.contains(activeElement) ? activeElement.dataset.part : null;
    this.colours(look, data);
    this.chosen.replaceChildren(this.scale(look, data), look.view === "compare" ? this.pairOrder(look, data) : this.order(look, data));
    if (focused) find(this.chosen, `select[data-part=${focused}]`).focus();
  }

  /**
   * @template {string} Value
   * @param {string} part
   * @param {string} label
   * @param {readonly (readonly [Value, string])[]} options
   * @param {Value} value
   * @param {(chosen: Value) => Action} action
   */
  select(part, label, options, value, action) {
    const box = selectBox(label, options, value, (chosen) => this.page.store.dispatch(action(chosen)));
    find(box, "select").dataset.part = part;
    return box;
  }

  // Other colours remain as stretched as those before.
  /** @param {string} chosen */
  choose(chosen) {
    const { store } = this.page;
    store.dispatch({ type: "colormap", colormap: stretched(chosen, isStretched(store.get().colormap)) });
  }

  // Beside each name are its colours; automatic ones are for both signs, or for one.
  /** @type {(look: Look, data: SubjectFacts) => void} */
  colours({ colormap }, { words, colormaps, colours, diverging }) {
    const both = colours[onPage() ? "coolwarm_on_dark" : "coolwarm"];
    const automatic = { value: "auto", label: words.colormap_auto, about: words.colormap_auto_about, swatch: halves(both, colours.viridis) };
    const options = colormaps.filter((name) => name in colours).map((name) => (
      { value: name, label: name, about: diverging.includes(name) ? words.colormap_both : words.colormap_one, swatch: gradient(colours[name]) }));
    this.box.show([automatic, ...options], stretched(colormap, false), { label: words.colormap, words });
    if (words === this.words) return;
    this.words = words;
    this.root.replaceChildren(withHelp(this.place, filled(words.more_about, { name: words.colormap }), words.colormap_rule, helpLink("colours#what-do-the-colours-mean", words.help_more)), this.chosen);
  }

  // A comparison has one scale for both sides, or for each if they have no difference; never one for each channel.
  /** @type {(look: Look, data: SubjectFacts) => HTMLElement} */
  scale(look, { words, costs }) {
    const both = look.view === "compare";
    const names = { layer: both ? pairScale(this.page, words) : words.scale_layer, channel: words.scale_channel, clipped: words.scale_clipped, model: words.scale_model };
    const options = CHOICES.scale.filter((scale) => !both || scale !== "channel").map((scale) => /** @type {const} */ ([scale, names[scale]]));
    const box = this.select("scale", words.scale, options, both && look.scale === "channel" ? "layer" : look.scale, (scale) => ({ type: "scale", scale }));
    return withHelp(box, filled(words.more_about, { name: words.scale }), filled(words.scale_help, { cost: megabytes(costs.all) }), helpLink("colours#which-scale-do-i-choose", words.help_more));
  }

  /** @type {(look: Look, data: SubjectFacts) => HTMLElement} */
  order(look, { words }) {
    return this.select("order", words.order, orders(words), look.order, (order) => ({ type: "order", order }));
  }

  // Without a difference, channels cannot be sorted by it: then they keep their own order.
  /** @type {(look: Look, data: SubjectFacts) => HTMLElement} */
  pairOrder(look, { words }) {
    const { apart } = this.page;
    /** @type {readonly (readonly [string, string])[]} */
    const options = apart ? orders(words) : [["", words.order_difference], ...orders(words)];
    const order = ["", "difference"].includes(look.with_order) ? "" : look.with_order;
    return this.select("order", words.order, options, order || (apart ? "index" : ""), (order) => ({ type: "other", other: { with_order: order } }));
  }
}

/** @type {(page: {apart: boolean}, words: Words) => string} */
function pairScale({ apart }, words) {
  return apart ? words.scale_own : words.scale_both;
}

/** @param {Words} words */
function orders(words) {
  return CHOICES.order.map((order) => /** @type {const} */ ([order, words[`order_${order}`]]));
}

// Two gradients beside each other.
/** @type {(one: readonly string[], other: readonly string[]) => string} */
function halves(one, other) {
  return `${gradient(one)} left / 50% 100% no-repeat, ${gradient(other)} right / 50% 100% no-repeat`;
}
