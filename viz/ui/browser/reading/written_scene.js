// The scene of sums without a window: a line per product, or the formula.

import { element, filled } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { bracketed, panel, sumLine, written } from "./parts.js";
import { phasesOf, reached } from "./steps.js";
import { named, sumOf } from "./sums.js";

/** @typedef {import("./parts.js").Told} Told */
/** @typedef {import("./parts.js").Step} Step */

/** @typedef {import("./parts.js").Scene} Scene */
/** @implements {Scene} */
export class WrittenScene {
  columns = 7;

  /** @param {Told} told */
  constructor(told) {
    const { reading, words } = told;
    this.told = told;
    this.phases = phasesOf(reading);
    this.formula = element("p", "lg-reading-formula", said(reading, "formula", words));
    this.lines = element("div", "lg-reading-lines");
    this.total = sumLine("lg-reading-total", words.reading_total, "=");
    this.panels = [panel(words.reading_how, this.formula, this.lines)];
  }

  /** @type {(step: Step) => void} */
  show(step) {
    const { reading } = this.told;
    const cell = reading.cells[step.cell];
    const rows = this.rows(cell).map(([label, value, sign]) => {
      const line = sumLine("", label, sign);
      line.put(value);
      return line.root;
    });
    this.total.put(reached(this.phases, step, "total") ? sumOf(reading, cell).total : null);
    this.lines.replaceChildren(...rows, this.total.root);
  }

  /** The addends, line by line. @type {(cell: ReadCell) => [string, Exact, string][]} */
  rows(cell) {
    const { reading: { kind }, words } = this.told;
    const { terms, rest, numbers } = cell;
    if (kind === "addition") return numbers.map(({ value }, place) => [filled(words.sum_input, { place }), value, place ? "+" : ""]);
    if (kind !== "linear") return numbers.map(({ name, value }) => [name, value, ""]);
    /** @type {[string, Exact, string][]} */
    const lines = terms.place.map((_, place) => [`${written(terms.value[place])} × ${bracketed(terms.weight[place])}`, terms.product[place], place ? "+" : ""]);
    if (rest.count) lines.push([filled(words.sum_inputs, { count: rest.count }), rest.total, "+"]);
    const bias = named(cell, "bias");
    return bias === undefined ? lines : [...lines, [words.bias, bias, "+"]];
  }

  /** @param {Step} step */
  said({ cell }) {
    return this.told.reading.cells[cell].text;
  }

  result() {
    return this.total.value;
  }
}
