// The neighbours on one side of a unit: maps, connecting weights, effects.

import { element, filled, percent } from "../maps/mosaic.js";
import { paragraph, withMore } from "../maps/said.js";
import { segment } from "../page/segments.js";
import { listed, pictureName, shortSteps } from "./names.js";

/** @typedef {"effect" | "weight"} By */

const SHOWN = 8;
const NAMES = { before: "lg-unit-card lg-unit-before", after: "lg-unit-card lg-unit-after" };

export class NeighboursCard {
  /** @type {By} */
  by = "effect";

  /** @type {?{unit: UnitFacts, side: Neighbours, words: Words, rows: readonly LayerRow[]}} */
  shown = null;

  /**
   * @param {"before" | "after"} where
   * @param {(unit: UnitName) => void} chosen
   */
  constructor(where, chosen) {
    this.where = where;
    this.chosen = chosen;
    this.root = element("section", NAMES[where]);
    this.root.setAttribute("aria-busy", "true");
  }

  /** @type {(unit: UnitFacts, side: Neighbours, words: Words, rows: readonly LayerRow[]) => void} */
  show(unit, side, words, rows) {
    this.shown = { unit, side, words, rows };
    this.draw();
  }

  draw() {
    if (!this.shown) return;
    const { side, words } = this.shown;
    const title = element("h3", "", this.where === "before" ? words.unit_before : words.unit_after);
    const focused = document.activeElement instanceof HTMLInputElement && this.root.contains(document.activeElement);
    const sentence = this.sentence(), isMeasured = side.told === "mixed" || side.told === "unknown";
    const told = isMeasured ? withMore(sentence, "numbers#what-do-the-percentages-on-it-mean", words) : [sentence];
    const parts = [title, paragraph(told, "lg-unit-said"), ...this.order(), this.list(), ...this.measure()];
    this.root.replaceChildren(...parts);
    this.root.setAttribute("aria-label", title.textContent ?? "");
    /** @type {?HTMLInputElement} */
    const chosen = focused ? this.root.querySelector("input:checked") : null;
    chosen?.focus({ preventScroll: true });
    if (!side.units.length) this.root.querySelector("ol")?.remove();
  }

  // The sentence about this side: its channels, and the source of the numbers.
  sentence() {
    if (!this.shown) return "";
    const { unit, side, words } = this.shown;
    const before = this.where === "before";
    if (side.told === "nothing") return before ? words.unit_before_nothing : words.unit_after_nothing;
    if (side.told === "unknown") return before ? words.unit_before_unknown : words.unit_after_unknown;
    const layers = listed(side.layers.map((layer) => layer || words.unit_picture));
    const values = { total: side.total, layers, type: unit.type };
    if (side.told === "mixed") return filled(before ? words.unit_before_mixed : words.unit_after_mixed, values);
    if (!before && side.units.every(({ effect }) => effect === 0)) return filled(words.unit_after_same, values);
    if (before && !unit.weights) return filled(words.unit_before_passed, values);
    return filled(before ? words.unit_before_said : words.unit_after_said, values);
  }

  // The choice of the order, if there are two measures.
  order() {
    if (!this.shown) return [];
    const { side, words } = this.shown;
    if (side.units.length < 2 || !side.units.some(({ weight }) => weight !== null)) return [];
    const group = element("div", "lg-segments lg-unit-order");
    group.setAttribute("role", "radiogroup");
    group.setAttribute("aria-label", words.order);
    const choices = /** @type {const} */ ([["effect", words.unit_by_effect], ["weight", words.unit_by_weight]]);
    for (const [by, text] of choices) {
      const choice = segment(`unit-order-${this.where}`, by, text, () => { this.by = by; this.draw(); });
      const radio = choice.querySelector("input");
      if (radio) radio.checked = this.ordered === by;
      group.append(choice);
    }
    return [group];
  }

  // What the percentages beside the units are shares of.
  measure() {
    if (!this.shown?.side.units.length) return [];
    const { words } = this.shown;
    const text = this.ordered === "weight" ? words.unit_by_weight_said : words.unit_by_effect_said;
    return [element("p", "lg-unit-said lg-unit-measure", text)];
  }

  // What the list is sorted by: effects that are all zero say nothing.
  /** @returns {By} */
  get ordered() {
    const units = this.shown?.side.units ?? [];
    const same = units.every(({ effect }) => effect === 0);
    return (same || this.by === "weight") && units.some(({ weight }) => weight !== null) ? "weight" : "effect";
  }

  list() {
    const list = element("ol", "lg-unit-list");
    if (!this.shown) return list;
    const { units } = this.shown.side;
    list.classList.toggle("lg-unit-plain", units.every(({ kernel }) => !kernel));
    const by = this.ordered;
    const ranked = [...units].sort((one, other) => (other[by] ?? 0) - (one[by] ?? 0)).slice(0, SHOWN);
    const most = Math.max(...ranked.map((each) => each[by] ?? 0), 1e-12);
    list.append(...ranked.map((each) => this.item(each, by, most)));
    return list;
  }

  /** @type {(found: Neighbour, by: By, most: number) => HTMLElement} */
  item(found, by, most) {
    const item = element("li");
    if (!this.shown) return item;
    const { words, rows } = this.shown;
    const { unit } = found;
    const known = unit !== null && rows.some(({ name }) => name === unit.layer);
    const row = known ? element("button") : element("div");
    row.className = "lg-unit-row";
    if (row instanceof HTMLButtonElement && unit) {
      row.type = "button";
      row.dataset.unit = `${unit.layer} ${unit.channel}`;
      row.onclick = () => this.chosen(unit);
    }
    const share = found[by] ?? 0;
    row.dataset.sign = found.lifts < 0 ? "down" : "up";
    row.style.setProperty("--share", `${(100 * share) / most}%`);
    row.append(picture(found.png, "lg-unit-thumb"), picture(found.kernel, "lg-unit-kernel"), this.text(found, by, words));
    row.title = this.title(found, words);
    item.append(row);
    return item;
  }

  /** @type {(found: Neighbour, by: By, words: Words) => HTMLElement} */
  text(found, by, words) {
    const text = element("span", "lg-unit-text");
    const name = element("span", "lg-unit-name");
    name.append(...nameParts(found, words));
    const steps = shortSteps(found.steps, this.where === "before" ? found.unit?.layer ?? "" : this.shown?.unit.layer ?? "");
    if (steps) text.append(name, element("span", "lg-unit-steps", filled(words.unit_through, { steps })));
    else text.append(name);
    const sign = found.effect === 0 ? "" : found.lifts < 0 ? "−" : "+";
    const value = by === "weight" ? percent(found.weight) : `${sign}${percent(found.effect)}`;
    const bar = element("span", "lg-unit-bar");
    bar.append(element("span", "lg-unit-track"), element("span", "lg-unit-value", value));
    text.append(bar);
    return text;
  }

  // All facts of a neighbour in words, for a pointer and for screen readers.
  /** @type {(found: Neighbour, words: Words) => string} */
  title(found, words) {
    const effect = filled(found.lifts < 0 ? words.unit_effect_down : words.unit_effect_up, { effect: percent(found.effect) });
    const weight = found.weight === null ? "" : filled(words.unit_weight_of, { weight: percent(found.weight) });
    const added = found.others.map((each) => `${each.layer || words.unit_picture} · ${each.channel}`).join(", ");
    const others = added ? filled(words.unit_added, { units: added }) : "";
    const through = found.steps.length ? filled(words.unit_through, { steps: found.steps.join(", ") }) : "";
    return [effect, weight, through, others].filter(Boolean).join("\n");
  }
}

/** @type {(found: Neighbour, words: Words) => (Node | string)[]} */
function nameParts({ unit, place }, words) {
  if (!unit) return [filled(words.unit_input, { channel: place })];
  if (!unit.layer) return [pictureName(unit.channel, words)];
  return [layerName(unit.layer), " ", element("b", "", String(unit.channel))];
}

// A long name breaks after its dots.
/** @param {string} layer */
export function layerName(layer) {
  const name = element("span", "lg-unit-layer");
  name.append(...layer.split(/(?<=\.)/).flatMap((step) => [step, element("wbr")]));
  return name;
}

/** @type {(png: string, className: string) => HTMLElement} */
function picture(png, className) {
  if (!png) return element("span", className);
  const image = element("img", className);
  image.src = `data:image/png;base64,${png}`;
  image.alt = "";
  return image;
}
