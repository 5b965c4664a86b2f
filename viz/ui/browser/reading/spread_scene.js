// The scene of a normalisation: numbers move from their old spread to the new.

import { element, filled } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { along, axis, moveTo } from "./axis.js";
import { bracketed, panel, sumLine, written } from "./parts.js";
import { svgPart } from "./squares.js";
import { phasesOf, reached } from "./steps.js";
import { named, normalSteps, sumOf } from "./sums.js";

const [WIDE, HIGH, EDGE, BARS] = [440, 326, 24, 104]; // of the drawing, its margin, and the height of bars
const BEFORE = 128, AFTER = 300; // where the two axes are

/** @typedef {import("./parts.js").Told} Told */
/** @typedef {import("./parts.js").Step} Step */
/** @typedef {import("./parts.js").Scene} Scene */

/** @implements {Scene} */
export class SpreadScene {
  columns = 13;
  shown = -1; // which spread
  /** @type {?import("./axis.js").Scale} */
  before = null;

  /** @type {?import("./axis.js").Scale} */
  after = null;

  /** @param {Told} told */
  constructor(told) {
    const { reading, words } = told;
    this.told = told;
    this.phases = phasesOf(reading);
    this.drawing = svgPart("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "lg-reading-plot", role: "img", "aria-label": words.reading_spread });
    this.dot = svgPart("circle", { r: 9, class: "lg-reading-dot" });
    this.lines = element("div", "lg-reading-lines");
    this.total = sumLine("lg-reading-total", words.reading_total, "=");
    this.panels = [panel(words.reading_spread, this.drawing), panel(said(reading, "formula", words), this.lines)];
  }

  /** @type {(step: Step, time: number) => void} */
  show(step, time) {
    const { reading } = this.told;
    const cell = reading.cells[step.cell];
    const found = normalSteps(cell);
    if (cell.spread === null || !found) return this.write(step, cell);
    if (cell.spread !== this.shown) this.drawSpread(reading.spreads[cell.spread]);
    this.shown = cell.spread;
    this.drawing.style.setProperty("--time", `${Math.min(900, time)}ms`);
    this.drawing.style.setProperty("--most", time ? "1" : "0");
    const there = (/** @type {import("./steps.js").Phase} */ phase) => reached(this.phases, step, phase);
    this.drawing.classList.toggle("lg-reading-moved", there("total"));
    this.markDeviation(cell, found.deviation, there("mean"), there("deviation"));
    const { before, after } = this;
    if (before && after) moveTo(this.dot, there("total") ? along(after, sumOf(reading, cell).total) : along(before, named(cell, "x") ?? NaN), there("total") ? AFTER : BEFORE);
    return this.write(step, cell);
  }

  /** @param {Spread} spread */
  drawSpread({ before, after }) {
    /** @type {(bins: Bins) => import("./axis.js").Scale} */
    const scale = ({ low, high }) => ({ low, high, from: EDGE, length: WIDE - 2 * EDGE });
    Object.assign(this, { before: scale(before), after: scale(after) });
    this.drawing.replaceChildren(...bars(before, BEFORE, "lg-reading-before"), ...moving(before, after), axis(scale(before), BEFORE), axis(scale(after), AFTER));
    this.mean = svgPart("line", { class: "lg-reading-mean", y1: BEFORE - BARS, y2: BEFORE + 4 });
    this.band = svgPart("rect", { class: "lg-reading-band", y: BEFORE - BARS, height: BARS });
    this.drawing.append(this.band, this.mean, this.dot);
  }

  // The mean as a line, and one deviation on either side of it as a band.
  /** @type {(cell: ReadCell, deviation: number, mean: boolean, band: boolean) => void} */
  markDeviation(cell, deviation, mean, band) {
    const middle = named(cell, "mean") ?? 0;
    if (!this.before || !this.mean || !this.band) return;
    const x = along(this.before, middle), from = along(this.before, middle - deviation), to = along(this.before, middle + deviation);
    for (const end of ["x1", "x2"]) this.mean.setAttribute(end, String(x));
    this.mean.style.display = mean ? "" : "none";
    this.band.setAttribute("x", String(from));
    this.band.setAttribute("width", String(to - from));
    this.band.style.display = band ? "" : "none";
  }

  // The formula step by step.
  /** @type {(step: Step, cell: ReadCell) => void} */
  write(step, cell) {
    const { reading, words } = this.told;
    const found = normalSteps(cell);
    const rows = [[words.reading_in, named(cell, "x") ?? null, "", "input"]];
    if (found) {
      if (named(cell, "mean") !== undefined) rows.push([filled(words.reading_less_mean, { mean: bracketed(named(cell, "mean") ?? 0) }), found.centred, "", "mean"]);
      rows.push([filled(words.reading_by_deviation, { deviation: written(found.deviation) }), found.whitened, "", "deviation"]);
      if (named(cell, "weight") !== undefined) rows.push([filled(words.reading_with_weight, { weight: bracketed(named(cell, "weight") ?? 1), bias: bracketed(named(cell, "bias") ?? 0) }), found.made, "", "total"]);
    }
    const lines = rows.map(([label, value, sign, phase]) => {
      const line = sumLine("", String(label), String(sign));
      line.put(reached(this.phases, step, /** @type {import("./steps.js").Phase} */ (phase)) ? /** @type {?number} */ (value) : null);
      return line.root;
    });
    this.total.put(reached(this.phases, step, "total") ? sumOf(reading, cell).total : null);
    this.lines.replaceChildren(...lines, this.total.root);
  }

  /** @param {Step} step */
  said({ cell: place, phase }) {
    const { reading, words } = this.told;
    const cell = reading.cells[place];
    const found = normalSteps(cell);
    if (!found) return cell.text;
    const values = {
      row: cell.y, column: cell.x, value: written(named(cell, "x") ?? NaN), mean: bracketed(named(cell, "mean") ?? 0), centred: written(found.centred),
      deviation: written(found.deviation), whitened: written(found.whitened), weight: bracketed(named(cell, "weight") ?? 1), bias: bracketed(named(cell, "bias") ?? 0), total: written(sumOf(reading, cell).total),
    };
    const texts = { input: words.reading_at_input, mean: words.reading_at_mean_taken, deviation: words.reading_at_deviation, total: words.reading_at_weighted };
    return filled(/** @type {Record<string, string>} */ (texts)[phase], values);
  }

  result() {
    return this.total.value;
  }
}

/** @type {(bins: Bins, y: number, name: string) => SVGElement[]} */
function bars({ counts }, y, name) {
  return counts.map((count, place) => svgPart("rect", { class: name, ...bar(counts, count, place, y) }));
}

// Bars that stand where the numbers were, and move to where they are.
/** @type {(before: Bins, after: Bins) => SVGElement[]} */
function moving(before, after) {
  return before.counts.map((count, place) => {
    const from = bar(before.counts, count, place, BEFORE), to = bar(after.counts, after.counts[place] ?? 0, place, AFTER);
    const made = svgPart("rect", { class: "lg-reading-after", ...to });
    made.style.setProperty("--from", `translateY(${from.y + from.height - to.y - to.height}px)`);
    made.style.setProperty("--tall", String(to.height ? from.height / to.height : 1));
    made.style.transformOrigin = `${to.x}px ${to.y + to.height}px`;
    return made;
  });
}

/** @type {(counts: readonly number[], count: number, place: number, y: number) => {x: number, y: number, width: number, height: number}} */
function bar(counts, count, place, y) {
  const width = (WIDE - 2 * EDGE) / counts.length;
  const height = (BARS * count) / Math.max(1, ...counts);
  return { x: EDGE + place * width + 0.5, y: y - height, width: Math.max(1, width - 1), height };
}
