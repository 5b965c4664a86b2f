// The form for edits of the channel on screen, with one button to remove it.

import { selectBox } from "../layer/options.js";
import { ON_GRADIENTS } from "../look/edits.js";
import { element, filled, find } from "../maps/mosaic.js";

/** @typedef {import("./edits.js").Said} Said */
/** @typedef {import("./edits.js").Target} Target */

/** The value whose gradient a side is. @type {Partial<Record<string, string>>} */
const VALUES = { gradient: "output", inputs_gradient: "inputs" };
const AMOUNTS = { scale: "0.5", noise: "1", clamp: "1" }; // to begin with

export class EditForm {
  kind = "zero";
  whole = false; // whether the whole layer is meant
  ofValue = false; // whether the value is meant while its gradient is shown
  donor = "";
  known = ""; // about what the form was built
  channel = 0;
  /** @type {Record<string, string>} */
  amounts = { ...AMOUNTS };

  /** @type {?Target} */
  target = null;

  /** @type {Words} */
  words = {};

  /** @type {readonly TitledPicture[]} */
  donors = [];

  /**
   * @param {HTMLElement} head
   * @param {{add: (said: Said) => void, study: () => void}} acts
   */
  constructor(head, { add, study }) {
    this.add = add;
    this.study = study;
    this.remove = element("button", "lg-remove");
    this.remove.type = "button";
    this.remove.onclick = () => this.toggle();
    this.more = element("details", "lg-edit");
    this.summary = element("summary");
    this.form = element("form");
    this.more.append(this.summary, this.form);
    this.tools = element("div", "lg-edit-tools");
    this.tools.append(this.remove, this.more);
    head.append(this.tools);
    this.more.addEventListener("toggle", () => { if (this.more.open) this.build(); });
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.apply(); });
  }

  /** @type {(target: ?Target, channel: number, removed: boolean, data: SubjectFacts) => void} */
  draw(target, channel, removed, { words, donors }) {
    Object.assign(this, { target, channel, words, donors });
    this.tools.hidden = target === null;
    if (target === null) return;
    const backward = target.side in VALUES;
    this.remove.textContent = removed ? words.put_back : backward ? words.remove_gradient : words.remove;
    this.remove.title = backward ? words.remove_gradient_title : words.remove_title;
    this.summary.textContent = words.edit;
    const known = JSON.stringify([target, channel, donors, words.language_code]);
    if (this.more.open && known !== this.known) this.build();
    this.known = known;
  }

  build() {
    const { words, target } = this;
    if (!target) return;
    if (!this.kinds().some(([name]) => name === this.kind)) this.kind = "zero";
    const kind = this.labelled(selectBox("", this.kinds(), this.kind, (chosen) => { this.kind = chosen; this.build(); this.focus(words.edit); }), words.edit);
    const row = element("div", "lg-edit-row");
    row.append(kind);
    if (this.kind in AMOUNTS) row.append(this.amountField());
    /** @type {[string, string][]} */
    const scopes = [["channel", filled(words.scope_channel, { channel: this.channel })], ["layer", words.scope_layer]];
    const scope = selectBox("", target.whole ? scopes.slice(1) : scopes, this.whole ? "layer" : "channel", (chosen) => { this.whole = chosen === "layer"; });
    this.labelled(scope, words.scope);
    const apply = element("button", "lg-apply", words.apply);
    const rank = element("button", "lg-rank", words.ablate);
    rank.type = "button";
    rank.onclick = () => { this.more.open = false; this.study(); };
    this.form.replaceChildren(...this.sideBox(target), row, ...(this.kind === "swap" ? [this.donorBox()] : []), scope, apply, rank);
  }

  kinds() {
    const { words } = this;
    const zero = this.side in VALUES ? words.kind_zero_gradient : words.kind_zero;
    const texts = { zero, scale: words.kind_scale, mean: words.kind_mean, noise: words.kind_noise, clamp: words.kind_clamp, swap: words.kind_swap };
    return Object.entries(texts).filter(([kind]) => !(this.side in VALUES) || ON_GRADIENTS.includes(kind));
  }

  /** @type {(box: HTMLElement, label: string) => HTMLElement} */
  labelled(box, label) {
    find(box, "select").setAttribute("aria-label", label);
    return box;
  }

  /** @param {string} label */
  focus(label) {
    find(this.form, `select[aria-label="${label}"]`).focus();
  }

  // While gradients are shown, an edit changes them; it can also change the value itself.
  get side() {
    const side = this.target?.side ?? "output";
    return (this.ofValue && VALUES[side]) || side;
  }

  /** @param {Target} target */
  sideBox({ side }) {
    const { words } = this;
    const value = VALUES[side];
    if (!value) return [];
    /** @type {[string, string][]} */
    const sides = [[side, words.side_gradient], [value, words.side_output]];
    return [this.labelled(selectBox("", sides, this.side, (chosen) => { this.ofValue = chosen === value; this.build(); this.focus(words.side); }), words.side)];
  }

  donorBox() {
    if (!this.donors.some(({ name }) => name === this.donor)) this.donor = this.donors[0].name;
    const donors = this.donors.map(({ name, title }) => /** @type {const} */ ([name, title]));
    return this.labelled(selectBox("", donors, this.donor, (chosen) => { this.donor = chosen; }), this.words.donor);
  }

  amountField() {
    const input = element("input");
    Object.assign(input, { type: "number", step: "any", required: true, value: this.amounts[this.kind] });
    input.setAttribute("aria-label", this.words.amount);
    input.addEventListener("input", () => { this.amounts[this.kind] = input.value; });
    return input;
  }

  apply() {
    if (!this.target) return;
    const detail = this.kind in AMOUNTS ? { amount: Number(this.amounts[this.kind]) } : this.kind === "swap" ? { donor: this.donor } : {};
    this.more.open = false;
    this.summary.focus();
    this.add({ ...this.place(this.target, this.whole), side: this.side, kind: this.kind, ...detail });
  }

  toggle() {
    if (this.target) this.add({ ...this.place(this.target, false), kind: "zero" });
  }

  // Place of an edit: the channel on screen, or all of them.
  /** @type {(target: Target, whole: boolean) => Said} */
  place({ layer, call, side, whole: always }, whole) {
    return { layer, call, side, channels: whole || always ? [] : [this.channel] };
  }
}
