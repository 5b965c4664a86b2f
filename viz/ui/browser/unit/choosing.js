// Steps from one unit to another. They are only looks, so undo, links and a class know them already.

import { step, USUAL } from "../look/look.js";

/**
 * The look at a unit; its colours and edits stay.
 * @param {Look} look
 * @param {UnitName} unit
 * @returns {Look}
 */
export function unitOf(look, { layer, call, channel }) {
  const there = step(layerOf(look), { type: "layer", layer, call });
  return Object.freeze({ ...layerOf(step(there, { type: "channel", channel })), call, view: "unit" });
}

/**
 * The look without options of some layouts only: units are channels of a layer's returned value.
 * @param {Look} look
 * @returns {Look}
 */
export function layerOf(look) {
  return Object.freeze({ ...look, ...USUAL });
}
