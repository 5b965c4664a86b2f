// The scene of attention and softmax: scores grow into shares, which mix the values.

import { element, filled, perCent } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { bracketed, panel, sumLine, written } from "./parts.js";
import { svgPart } from "./squares.js";
import { phasesOf, reached } from "./steps.js";
import { asNumber, named, shares, sumOf } from "./sums.js";

const BARS = 10; // keys that have a bar of their own
const LINES = 8; // keys to which a line leads
const [ROW, WIDE, BEGIN, FULL] = [26, 360, 70, 200]; // of the bars

/** @typedef {import("./parts.js").Told} Told */
/** @typedef {import("./parts.js").Step} Step */
/** @typedef {import("./parts.js").Scene} Scene */

/** @implements {Scene} */
export class KeysScene {
  columns = 12;

  /** @param {Told} told */
  constructor(told) {
    const { reading, words } = told;
    this.told = told;
    this.phases = phasesOf(reading);
    this.drawing = svgPart("svg", { viewBox: `0 0 ${WIDE} ${(BARS + 1) * ROW + 6}`, class: "lg-reading-plot lg-reading-keys", role: "img", "aria-label": words.reading_keys });
    this.lines = element("div", "lg-reading-lines");
    this.total = sumLine("lg-reading-total", words.reading_total, "=");
    this.grid = gridOf(reading);
    this.places = this.grid && element("div", "lg-reading-places");
    this.panels = [
      ...(this.places ? [panel(words.reading_looks, this.places)] : []),
      panel(words.reading_keys, this.drawing), panel(said(reading, "formula", words), this.lines),
    ];
    if (this.places) this.columns += 6;
  }

  /** @type {(step: Step, time: number) => void} */
  show(step, time) {
    const cell = this.told.reading.cells[step.cell];
    if (!cell.keys) return this.write(step, cell);
    this.drawBars(step, cell.keys, time);
    this.drawPlaces(step, cell.keys);
    return this.write(step, cell);
  }

  // The keys with the largest shares, and the one whose share the number is.
  /** @param {Keys} keys */
  most({ key, ...keys }) {
    const found = shares(keys);
    const order = found.map((_, place) => place).sort((one, other) => found[other] - found[one]).slice(0, BARS);
    if (key !== null && !order.includes(key)) order[BARS - 1] = key;
    return { found, order };
  }

  /** @type {(step: Step, keys: Keys, time: number) => void} */
  drawBars(step, keys, time) {
    const { words } = this.told;
    const { found, order } = this.most(keys);
    const scores = keys.scores.map(asNumber), known = scores.filter(Number.isFinite);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    const shared = reached(this.phases, step, this.phases.includes("shares") ? "shares" : "total");
    const there = reached(this.phases, step, "scores");
    const largest = Math.max(...found);
    const rows = order.flatMap((key, place) => {
      const y = place * ROW + 4;
      const length = !there ? 0 : shared ? (FULL * found[key]) / (largest || 1) : high > low ? (FULL * (scores[key] - low)) / (high - low) : FULL;
      const bar = svgPart("rect", { x: BEGIN, y, width: Math.max(1.5, length || 0), height: ROW - 7, class: key === keys.key ? "lg-reading-key lg-reading-own" : "lg-reading-key" });
      if (time) bar.animate([{ transform: "scaleX(0.15)" }, { transform: "none" }], { duration: Math.min(500, time), easing: "ease-out" });
      return [
        svgPart("text", { x: BEGIN - 8, y: y + (ROW - 7) / 2, class: "lg-reading-end" }, filled(keys.query === null ? words.reading_entry : words.reading_key, { key })), bar,
        svgPart("text", { x: BEGIN + Math.max(0, length || 0) + 6, y: y + (ROW - 7) / 2 }, !there ? "" : shared ? percent(found[key]) : written(keys.scores[key])),
      ];
    });
    const rest = found.length - order.length;
    const left = found.reduce((sum, share, key) => (order.includes(key) ? sum : sum + share), 0);
    if (rest) rows.push(svgPart("text", { x: BEGIN, y: BARS * ROW + 14 }, shared ? filled(words.reading_other_keys, { count: rest, share: percent(left) }) : filled(words.reading_more_keys, { count: rest })));
    this.drawing.replaceChildren(...rows);
  }

  // Draw the keys' places on the picture, with lines from the one that asks.
  /** @type {(step: Step, keys: Keys) => void} */
  drawPlaces(step, keys) {
    const { grid, places, told: { seen } } = this;
    if (!grid || !places || keys.query === null) return;
    const { found, order } = this.most(keys);
    const { front, width, height } = grid;
    const largest = Math.max(...found.slice(front));
    const root = svgPart("svg", { viewBox: `0 0 ${width} ${height}`, class: "lg-reading-grid", role: "img", "aria-label": this.told.words.reading_looks });
    root.append(svgPart("image", { href: seen, width, height, preserveAspectRatio: "none" }));
    const shared = reached(this.phases, step, this.phases.includes("shares") ? "shares" : "total");
    const at = (/** @type {number} */ key) => ({ x: (key - front) % width, y: Math.floor((key - front) / width) });
    if (shared) found.slice(front).forEach((share, place) => root.append(svgPart("rect", { ...at(front + place), width: 1, height: 1, class: "lg-reading-share", "fill-opacity": (0.85 * share) / (largest || 1) })));
    const from = keys.query >= front ? at(keys.query) : null;
    const met = order.slice(0, LINES).filter((key) => key >= front && key !== keys.query);
    for (const key of from && reached(this.phases, step, "scores") ? met : []) {
      const to = at(key);
      root.append(svgPart("line", { x1: (from?.x ?? 0) + 0.5, y1: (from?.y ?? 0) + 0.5, x2: to.x + 0.5, y2: to.y + 0.5, class: "lg-reading-ray", "stroke-width": shared ? 0.06 + (0.3 * found[key]) / (largest || 1) : 0.06 }));
    }
    if (from) root.append(svgPart("rect", { ...from, width: 1, height: 1, class: "lg-reading-query" }));
    places.replaceChildren(root);
  }

  /** @type {(step: Step, cell: ReadCell) => void} */
  write(step, cell) {
    const { words } = this.told;
    const { keys } = cell;
    const rows = keys && keys.values.length ? this.mixRows(cell, keys) : keys ? this.shareRows(keys) : [];
    const there = reached(this.phases, step, this.phases.includes("mix") ? "mix" : "total");
    const lines = rows.map(([label, value, sign]) => {
      const line = sumLine("", label, sign);
      line.put(there ? value : null);
      return line.root;
    });
    this.total.put(reached(this.phases, step, "total") ? sumOf(this.told.reading, cell).total : null, words.reading_total);
    this.lines.replaceChildren(...lines, this.total.root);
  }

  // The shares times what their keys say; then the weight, the rest and the bias.
  /** @type {(cell: ReadCell, keys: Keys) => [string, number, string][]} */
  mixRows(cell, keys) {
    const { words, reading } = this.told;
    const { found, order } = this.most(keys);
    const shown = order.slice(0, 4);
    const product = (/** @type {number} */ key) => found[key] * asNumber(keys.values[key]);
    const { sum } = sumOf(reading, cell);
    /** @type {[string, number, string][]} */
    const rows = shown.map((key, place) => [`${percent(found[key])} × ${bracketed(keys.values[key])}`, product(key), place ? "+" : ""]);
    if (found.length > shown.length) rows.push([filled(words.reading_rest_keys, { count: found.length - shown.length }), sum - shown.reduce((whole, key) => whole + product(key), 0), "+"]);
    if (asNumber(keys.weight) === 1 && !asNumber(keys.rest)) return rows;
    const bias = named(cell, "bias");
    rows.push([words.reading_mix, sum, "="], [filled(words.reading_mix_weight, { weight: bracketed(keys.weight) }), sum * asNumber(keys.weight), ""], [words.reading_mix_rest, asNumber(keys.rest), "+"]);
    return bias === undefined ? rows : [...rows, [words.bias, bias, "+"]];
  }

  /** @type {(keys: Keys) => [string, number, string][]} */
  shareRows(keys) {
    const { words } = this.told;
    if (keys.key === null) return [];
    const scores = keys.scores.map(asNumber), largest = Math.max(...scores);
    const power = Math.exp(scores[keys.key] - largest);
    const whole = scores.reduce((sum, score) => sum + Math.exp(score - largest), 0);
    return [[words.reading_in, scores[keys.key], ""], [`exp(${written(scores[keys.key])} − ${bracketed(largest)})`, power, ""], [filled(words.reading_all_powers, { count: scores.length }), whole, "÷"]];
  }

  /** @param {Step} step */
  said({ cell: place, phase }) {
    const { words, reading } = this.told;
    const cell = reading.cells[place];
    const { keys } = cell;
    if (!keys) return cell.text;
    const { found, order } = this.most(keys);
    const values = {
      query: keys.query ?? 0, head: keys.head, key: order[0], count: found.length, score: written(keys.scores[order[0]]), share: percent(found[order[0]]), sum: written(sumOf(reading, cell).sum),
      row: cell.y, column: cell.x, total: written(sumOf(reading, cell).total), own: keys.key ?? 0,
    };
    const last = keys.key === null ? words.reading_at_mixed : keys.query === null ? words.reading_at_entry : words.reading_at_share;
    const texts = { query: words.reading_at_query, scores: words.reading_at_scores, shares: words.reading_at_shares, mix: words.reading_at_mix, total: last };
    return filled(/** @type {Record<string, string>} */ (texts)[phase], values);
  }

  result() {
    return this.total.value;
  }
}

// The grid of places that the keys are, if the map on screen shows the tokens at their places.
/** @type {(reading: Reading) => ?{front: number, height: number, width: number}} */
function gridOf({ cells, height, width }) {
  const keys = cells[0].keys;
  const front = (keys?.scores.length ?? 0) - height * width;
  if (height < 2 || width < 2 || front < 0 || front > height * width) return null;
  const fits = (/** @type {ReadCell} */ cell) => (cell.keys?.key ?? cell.keys?.query) === front + cell.y * width + cell.x;
  return cells.every(fits) ? { front, height, width } : null;
}

/** @param {number} share */
function percent(share) {
  return perCent((100 * share).toPrecision(share < 0.0995 ? 2 : 3));
}
