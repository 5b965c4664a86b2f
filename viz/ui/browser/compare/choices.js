// The row of select boxes for the other side: picture, model, weights, layer, call, edits.

import { selectBox } from "../layer/options.js";
import { addressOf } from "../maps/addresses.js";
import { element, filled, find } from "../maps/mosaic.js";
import { answerOf } from "../page/asking.js";
import { Combobox } from "../page/combobox.js";

/** @typedef {keyof import("../look/look.js").Other} Name */
/** @typedef {{value: string, label: string, about?: string}} Option */

const SAME = "same";
// Fields that go back to the page's own after a choice, because they mean nothing beside it.
/** @type {Partial<Record<Name, Partial<import("../look/look.js").Other>>>} */
const RESET = {
  with_model: { with_layer: "", with_call: "", with_edits: "" },
  with_layer: { with_call: "" },
};
const COMBOS = /** @type {const} */ (["with_sample", "with_model", "with_layer"]);
const BOXES = /** @type {const} */ (["with_sample", "with_model", "with_weights", "with_layer", "with_call", "with_edits"]);

export class Choices {
  /** @type {readonly Option[]} */
  models = [];

  /** The selected values on screen. @type {Partial<Record<Name, string>>} */
  drawn = {};

  /** @type {Partial<Record<Name, {text: string, options: readonly Option[]}>>} */
  options = {};

  /** @type {Words[string] | undefined} */
  asked; // the language in which the models were asked for

  closed = false;

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.caption = element("span", "lg-other-caption");
    /** @type {Record<string, HTMLElement>} */
    this.places = Object.fromEntries(BOXES.map((name) => [name, element("div", `lg-other-box lg-other-${name}`)]));
    this.combos = Object.fromEntries(COMBOS.map((name) => [name, this.combo(name)]));
    root.append(this.caption, ...BOXES.map((name) => this.places[name]));
    this.places.with_sample.after(element("div", "lg-other-box lg-other-own")); // Streamlit's box is shown there
  }

  /** @param {Name} name */
  combo(name) {
    return new Combobox(this.places[name], { part: name, chosen: (value) => this.choose(name, value) });
  }

  /** @type {(name: Name, value: string) => void} */
  choose(name, value) {
    const said = value === SAME && name !== "with_sample" ? "" : value; // without a word, the page chooses the picture
    this.page.store.dispatch({ type: "other", other: { [name]: said, ...RESET[name] } });
  }

  // `found` is what the server says about the other side, if it has said anything yet; `instead` is the layer that it
  // shows for want of the same one.
  /** @type {(found: ?OtherFacts, instead: string) => void} */
  show(found, instead) {
    const { words } = this.page.data;
    this.caption.textContent = words.against;
    this.root.hidden = !found?.choices;
    if (!found?.choices) return; // nothing has been said yet, or why nothing can be
    this.fetchModels();
    const { choices, chosen } = found;
    this.drawCombo("with_sample", choices.with_sample.map(({ name, label }) => ({ value: name, label })), chosen.with_sample, words.other_sample);
    const models = this.models.length ? this.models : [chosen.with_model].filter((name) => name !== SAME).map((name) => ({ value: name, label: name }));
    this.drawCombo("with_model", [{ value: SAME, label: words.same_model }, ...models], chosen.with_model, words.with_model);
    this.drawCombo("with_layer", [{ value: SAME, label: instead ? filled(words.instead_layer, { layer: instead }) : words.same_layer }, ...this.layers(found)], chosen.with_layer ?? SAME, words.with_layer);
    this.drawSelect("with_weights", choices.with_weights, chosen.with_weights, words.with_weights);
    this.drawSelect("with_call", choices.with_call, chosen.with_call, words.with_call);
    this.drawSelect("with_edits", choices.with_edits, chosen.with_edits, words.with_edits);
  }

  // The other model's layers; operations only if they are shown, or one is chosen.
  /** @type {(found: OtherFacts) => Option[]} */
  layers({ rows = [], chosen }) {
    const shown = rows.filter(({ operation, name }) => !operation || this.page.operations || name === chosen.with_layer);
    return shown.map(({ name, type, shape, reason }) => ({ value: name, label: name, about: reason ? type : `${type} ${shape}` }));
  }

  // A box with an open list keeps its options as long as they are the same.
  /** @type {(name: Name, options: readonly Option[], value: string, label: string) => void} */
  drawCombo(name, options, value, label) {
    const text = JSON.stringify(options);
    const same = this.options[name]?.text === text ? this.options[name] : { text, options };
    this.options[name] = same;
    this.combos[name].show(same.options, value, { label, words: this.page.data.words, labelled: false });
  }

  /** @type {(name: Name, options: readonly OtherOption[] | undefined, value: string, label: string) => void} */
  drawSelect(name, options, value, label) {
    const text = JSON.stringify([options, value, label]);
    if (this.drawn[name] === text) return;
    this.drawn[name] = text;
    const place = this.places[name];
    const focused = place.contains(document.activeElement);
    place.replaceChildren();
    place.hidden = !options;
    if (!options) return;
    const box = selectBox("", options.map((each) => /** @type {const} */ ([each.name, each.label])), value, (chosen) => this.choose(name, chosen));
    const select = find(box, "select");
    select.setAttribute("aria-label", label);
    select.dataset.part = name;
    place.append(box);
    if (focused) select.focus();
  }

  // More than a thousand may come; they are asked for once in each language.
  async fetchModels() {
    const { subject, words } = this.page.data;
    if (this.asked === words.language_code) return;
    this.asked = words.language_code;
    const found = await answerOf(addressOf(subject, "models.json", `lang=${this.asked}`), () => !this.closed);
    if (!found || !("map" in found)) return; // the model on screen is offered all the same
    this.models = found.map(({ name, needs }) => ({ value: name, label: name, about: needs }));
    this.page.tell();
  }

  close() {
    this.closed = true;
  }
}
