// The steps of a reading: several phases for the first numbers, one for the others.

/** @typedef {"window" | "products" | "sum" | "mean" | "deviation" | "input" | "curve" | "query" | "scores" | "shares" | "mix" | "total"} Phase */
/** A step: which of the reading's numbers, and how far it has come. @typedef {{cell: number, phase: Phase}} Step */

const DETAILED = 2; // numbers that come in phases
const FEW = 4; // if there are no more numbers, all of them do

/** Phases of one number of a reading, in their order. @type {(reading: Reading) => readonly Phase[]} */
export function phasesOf({ kind, region, kernels, curve, spreads, cells }) {
  if (region) return kernels.length ? ["window", "products", "sum", "total"] : ["window", "total"];
  if (spreads.length) return ["input", "mean", "deviation", "total"];
  if (curve) return ["input", "curve", "total"];
  if (cells.some(({ keys }) => keys)) return kind === "softmax" ? ["scores", "total"] : ["query", "scores", "shares", "mix", "total"];
  return ["products", "total"];
}

/** All steps; the number that the visitor has chosen comes in phases, too. @type {(reading: Reading, chosen?: number) => readonly Step[]} */
export function stepsOf(reading, chosen = -1) {
  const phases = phasesOf(reading);
  const detailed = reading.cells.length > FEW ? DETAILED : FEW;
  return reading.cells.flatMap((_, cell) => (cell < detailed || cell === chosen ? phases : phases.slice(-1)).map((phase) => ({ cell, phase })));
}

/** The step at which a number is there. @type {(steps: readonly Step[], cell: number) => number} */
export function stepOf(steps, cell) {
  return steps.findLastIndex((step) => step.cell === cell);
}

/** The first step of a number, from which it can be played. @type {(steps: readonly Step[], cell: number) => number} */
export function beginOf(steps, cell) {
  return steps.findIndex((step) => step.cell === cell);
}

/** Check whether a step has come as far as a phase, or further. @type {(phases: readonly Phase[], step: Step, phase: Phase) => boolean} */
export function reached(phases, step, phase) {
  return phases.indexOf(step.phase) >= phases.indexOf(phase);
}

/** The number whose window has its middle nearest to a place of the input. @type {(cells: readonly ReadCell[], row: number, column: number) => number} */
export function nearest(cells, row, column) {
  const far = cells.map(({ window }) => (window ? (middle(window.rows) - row) ** 2 + (middle(window.columns) - column) ** 2 : Infinity));
  return far.indexOf(Math.min(...far));
}

/** @param {readonly number[]} places */
function middle(places) {
  return (places[0] + places[places.length - 1]) / 2;
}
