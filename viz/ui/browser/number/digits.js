// Digits of single numbers: four of them, or all on demand.

import { readable } from "../maps/mosaic.js";
import { exact } from "./number_grids.js";

let all = false; // for this visit

export function showsAll() {
  return all;
}

/** @param {boolean} wanted */
export function showAll(wanted) {
  all = wanted;
}

/** @param {Exact} value */
export function digits(value) {
  return all ? exact(value) : readable(value);
}
