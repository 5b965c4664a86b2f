// The edits in force, listed above the maps, each with its undo. After, before and difference can be shown.

import { added, CLEARED, editOf, editsFrom, editsText, isRemoved, undone } from "../look/edits.js";
import { CHOICES } from "../look/fields.js";
import { addressOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { said as inWords } from "../maps/said.js";
import { answerOf } from "../page/asking.js";

/** @typedef {import("../look/edits.js").Edit} Edit */
/** @typedef {Partial<Edit> & {layer: string}} Said */
/** @typedef {Pick<Edit, "layer" | "call" | "side"> & {whole: boolean}} Target - `whole`: no channel can be told from others */

const GRADIENTS = { output: "gradient", inputs: "inputs_gradient" };

export class EditList {
  asked = ""; // about which edits, in which language
  drawn = "";
  gradient = false; // whether gradients are shown
  /** @type {Look["show"]} */
  shown = "after";

  /** @type {Words} */
  words = {};

  /** The edits on screen in words. @type {readonly EditText[]} */
  edits = [];

  /** The same as plain values. @type {readonly Edit[]} */
  listed = [];

  /** The edits that change the maps on screen. @type {readonly EditText[]} */
  inForce = [];

  /** The edit that is being added. @type {Promise<void>} */
  adding = Promise.resolve();

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   * @param {() => void} told - called when the edits' words have come
   */
  constructor(root, page, told) {
    this.root = root;
    this.page = page;
    this.told = told;
  }

  // Take the look; the names of its edits are asked of the server.
  /** @type {(look: Look, words: Words, gradient: boolean) => void} */
  show(look, words, gradient) {
    const about = `${look.edit} ${words.language_code} ${this.page.data.subject}`;
    Object.assign(this, { shown: look.show, gradient, words });
    if (about === this.asked) return void this.draw();
    this.asked = about;
    if (!look.edit) return void this.take([], "");
    return void this.ask(look.edit, () => this.asked === about).then((found) => { if (found?.edits) this.take(found.edits, look.edit); });
  }

  /** @type {(edits: readonly EditText[], text: string) => void} */
  take(edits, text) {
    Object.assign(this, { edits, listed: editsFrom(text) ?? [], drawn: "" });
    this.draw();
    this.told();
  }

  // The edits that are on screen, as plain values.
  get said() {
    return editsFrom(this.page.store.get().edit) ?? [];
  }

  // Ask the server about an edits' text: each in words, or the reason for a refusal. Null once overtaken.
  /** @type {(edit: string, wanted: () => boolean) => Promise<?EditsFacts>} */
  ask(edit, wanted) {
    const { subject, words } = this.page.data;
    const query = new URLSearchParams({ edit, lang: words.language_code }).toString();
    return answerOf(addressOf(subject, "edits.json", query), wanted);
  }

  // Add an edit if the model allows it; a refusal is a sentence, and changes nothing. One after the other: the second
  // of two quick ones is added to what the first has made.
  /** @param {Said} said */
  add(said) {
    this.adding = this.adding.then(() => this.addNow(said));
  }

  /** @param {Said} said */
  async addNow(said) {
    const { store } = this.page;
    const { edit } = store.get();
    const asked = editOf(said);
    if (!asked) return;
    const text = editsText(added(editsFrom(edit) ?? [], asked));
    /** @type {?Answer} */
    const found = text ? await this.ask(text, () => store.get().edit === edit) : {};
    if (!found) return;
    if (found.error) this.page.say(filled(this.words.edit_refused, { error: inWords(found, "error", this.words) }), found.document);
    else store.dispatch({ type: "edits", edits: text });
  }

  // While values are shown, edits of gradients change nothing, so there is nothing to choose.
  draw() {
    const { edits, words, gradient } = this;
    const drawn = `${gradient} ${this.shown} ${this.asked}`;
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.inForce = edits.filter(({ backward }) => gradient || !backward);
    this.root.hidden = !edits.length;
    if (!edits.length) return this.root.replaceChildren();
    const list = element("ul", "lg-edit-list");
    list.append(element("li", "lg-edited", words.edited_list), ...edits.map((edit, place) => this.item(edit, place, words)));
    if (edits.length > 1) list.append(this.clearing(words));
    this.root.replaceChildren(list, ...(this.inForce.length ? [this.shows(words, gradient)] : []));
  }

  /** @type {(edit: EditText, place: number, words: Words) => HTMLElement} */
  item(edit, place, words) {
    const { label } = edit;
    const item = element("li", "", label);
    if (!this.inForce.includes(edit)) item.append(element("small", "", ` (${words.edit_idle})`));
    const undo = element("button", "lg-undo", "×");
    undo.type = "button";
    undo.title = words.undo;
    undo.setAttribute("aria-label", `${words.undo}: ${label}`);
    undo.onclick = () => this.keep(undone(this.said, this.listed[place])); // the list is as old as its words
    item.append(undo);
    return item;
  }

  // The button disappears with its edit, so the keyboard's focus moves to the maps; otherwise it would be lost.
  /** @param {readonly Edit[]} edits */
  keep(edits) {
    /** @type {?HTMLElement} */
    const viewer = this.root.closest(".lg-viewer");
    viewer?.focus({ preventScroll: true });
    this.page.store.dispatch({ type: "edits", edits: editsText(edits) });
  }

  /** @param {Words} words */
  clearing(words) {
    const item = element("li", "lg-undo-all");
    const button = element("button", "", words.undo_all);
    button.type = "button";
    button.onclick = () => this.keep(CLEARED);
    item.append(button);
    return item;
  }

  // Choices of what to show. Both side by side is the comparison, which shows values but no gradients.
  /** @type {(words: Words, gradient: boolean) => HTMLElement} */
  shows(words, gradient) {
    const shows = element("div", "lg-shows");
    shows.append(this.choice(words));
    if (gradient) return shows;
    const both = element("button", "lg-beside", words.show_beside);
    both.type = "button";
    both.title = words.show_beside_title;
    both.onclick = () => this.lookBeside();
    shows.append(both);
    return shows;
  }

  /** @param {Words} words */
  choice(words) {
    const group = element("div", "lg-show");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", words.show_label);
    const texts = { after: words.show_after, before: words.show_before, difference: words.show_difference };
    group.append(...CHOICES.show.map((show) => {
      const button = element("button", "", texts[show]);
      button.type = "button";
      button.dataset.show = show;
      button.setAttribute("aria-pressed", String(show === this.shown));
      button.onclick = () => this.page.store.dispatch({ type: "show", show });
      return button;
    }));
    return group;
  }

  // With and without the edits, side by side: the comparison of the screen's maps with themselves.
  lookBeside() {
    const same = { with_sample: "same", with_model: "same", with_weights: "same", with_layer: "same", with_call: "", with_edits: "none" };
    this.page.store.dispatch({ type: "other", other: same, view: "compare" });
  }

  // Notes for the provenance strip.
  /** @type {(words: Words) => string[]} */
  facts(words) {
    if (!this.inForce.length) return [];
    if (this.shown === "before") return [words.is_before];
    return this.shown === "difference" ? [words.edited, words.is_difference] : [words.edited];
  }

  /** @type {(target: Target, channel: number) => boolean} */
  removed(target, channel) {
    return isRemoved(this.said, target, channel);
  }
}

// Target of an edit of the maps on screen; null if the view cannot tell which channels are meant.
/** @type {(viewer: {page: ?DrawnPage, layer: string, gradient: boolean}) => ?Target} */
export function editTarget(viewer) {
  const { facts } = viewer.page ?? {};
  if (!facts) return null;
  const side = facts.leaf.startsWith("inputs") ? "inputs" : "output";
  const firsts = facts.leaves.filter((leaf) => leaf.startsWith(side));
  if (firsts.length && firsts[0] !== facts.leaf && firsts[0] !== side) return null;
  if (facts.kinds.length && facts.kind !== facts.kinds[0]) return null;
  const whole = ["signals", "bar", "table", "scalar"].includes(facts.kind);
  return { layer: viewer.layer, call: facts.calls > 1 ? facts.call : null, side: viewer.gradient ? GRADIENTS[side] : side, whole };
}
