// The scene of an activation: a number falls onto the curve, and becomes its output.

import { element, filled } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { along, axis, moveTo, ticks } from "./axis.js";
import { bracketed, panel, sumLine, written } from "./parts.js";
import { svgPart } from "./squares.js";
import { phasesOf, reached } from "./steps.js";
import { asNumber, named } from "./sums.js";

const [WIDE, HIGH, EDGE] = [440, 300, 30]; // of the drawing, and of its margin

/** @typedef {import("./parts.js").Told} Told */
/** @typedef {import("./parts.js").Step} Step */
/** @typedef {import("./parts.js").Scene} Scene */

/** @implements {Scene} */
export class CurveScene {
  columns = 13;
  fall = svgPart("line", { class: "lg-reading-fall" });
  side = svgPart("line", { class: "lg-reading-fall" });
  dot = svgPart("circle", { r: 9, class: "lg-reading-dot" });

  /** @param {Told & {reading: Reading & {curve: Curve}}} told */
  constructor(told) {
    const { reading, words } = told;
    const { curve } = reading;
    this.told = told;
    this.phases = phasesOf(reading);
    const y = curve.y.map(asNumber).filter(Number.isFinite);
    const [low, high] = [Math.min(...y, 0), Math.max(...y, 0)];
    this.across = { low: asNumber(curve.x[0]), high: asNumber(curve.x[curve.x.length - 1]), from: EDGE, length: WIDE - 2 * EDGE };
    this.up = { low, high: high > low ? high : low + 1, from: HIGH - 30, length: -(HIGH - 50) };
    this.drawing = this.draw(curve);
    this.input = sumLine("", words.reading_in);
    this.output = sumLine("lg-reading-total", words.reading_out, "=");
    const lines = element("div", "lg-reading-lines");
    lines.append(this.input.root, this.output.root);
    this.panels = [panel(said(reading, "formula", words), this.drawing), panel(words.reading_one, lines)];
  }

  /** @param {Curve} curve */
  draw(curve) {
    const { across, up } = this;
    const root = svgPart("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "lg-reading-plot", role: "img", "aria-label": this.told.words.reading_curve });
    const zero = along(up, 0), middle = along(across, 0);
    root.append(axis(across, zero), this.upright(middle));
    const points = curve.x.map((x, place) => `${along(across, asNumber(x)).toFixed(1)} ${along(up, asNumber(curve.y[place])).toFixed(1)}`);
    root.append(svgPart("path", { d: `M${points.join("L")}`, class: "lg-reading-curve" }));
    root.append(this.fall, this.side, this.dot);
    return root;
  }

  /** The upright axis. @param {number} x */
  upright(x) {
    const root = svgPart("g", { class: "lg-axis-line lg-axis-upright" });
    root.append(svgPart("line", { x1: x, x2: x, y1: along(this.up, this.up.low), y2: along(this.up, this.up.high) }));
    for (const tick of ticks(this.up.low, this.up.high, 4)) {
      if (tick) root.append(svgPart("text", { x: x - 8, y: along(this.up, tick) }, written(tick)));
    }
    return root;
  }

  /** @type {(step: Step, time: number) => void} */
  show(step, time) {
    const cell = this.told.reading.cells[step.cell];
    const x = along(this.across, named(cell, "x") ?? NaN), y = along(this.up, asNumber(cell.total));
    const zero = along(this.up, 0), middle = along(this.across, 0);
    const there = (/** @type {import("./steps.js").Phase} */ phase) => reached(this.phases, step, phase);
    this.drawing.style.setProperty("--time", `${Math.min(600, time)}ms`);
    if (step.phase === "total" && time) this.dot.animate([x, x, middle].map((at, place) => ({ transform: `translate(${at}px, ${place ? y : zero}px)` })), { duration: Math.min(800, time), easing: "ease-in-out" });
    moveTo(this.dot, there("total") ? middle : x, there("curve") ? y : zero);
    line(this.fall, x, zero, x, there("curve") ? y : zero);
    line(this.side, x, y, there("total") ? middle : x, y);
    this.input.put(named(cell, "x") ?? null);
    this.output.put(there("total") ? cell.total : null);
  }

  /** @param {Step} step */
  said({ cell: place, phase }) {
    const cell = this.told.reading.cells[place];
    const { words } = this.told;
    const at = { row: cell.y, column: cell.x, value: written(named(cell, "x") ?? NaN), total: bracketed(cell.total) };
    return filled(phase === "input" ? words.reading_at_input : phase === "curve" ? words.reading_at_curve : words.reading_at_out, at);
  }

  result() {
    return this.output.value;
  }
}

/** @type {(part: SVGElement, x1: number, y1: number, x2: number, y2: number) => void} */
function line(part, x1, y1, x2, y2) {
  for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) part.setAttribute(name, String(value));
}
