// From one unit to another: looks only, so that undo, links and a class know it already.

import { FIRST, step } from "../look/look.js";

/**
 * The look at a unit; its colours and edits stay.
 * @param {Look} look
 * @param {UnitName} unit
 * @returns {Look}
 */
export function unitOf(look, { layer, call, channel }) {
  return Object.freeze({ ...layerOf(step(look, { type: "layer", layer, call })), call, view: "unit", channel });
}

/**
 * The look without what only some layouts have: units are channels of what a layer returns.
 * @param {Look} look
 * @returns {Look}
 */
export function layerOf(look) {
  const { leaf, kind, row, index } = FIRST;
  return Object.freeze({ ...look, leaf, kind, row, index });
}
