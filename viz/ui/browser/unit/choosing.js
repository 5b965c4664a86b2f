// Steps from one unit to another. They are only looks, so undo, links and a class know them already.

import { step, USUAL } from "../look/look.js";

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
 * The look without options of some layouts only: units are channels of a layer's returned value.
 * @param {Look} look
 * @returns {Look}
 */
export function layerOf(look) {
  return Object.freeze({ ...look, ...USUAL });
}
