// One choice of several that touch in a row: a radio button with its label.

import { element } from "../maps/mosaic.js";

/**
 * @param {string} name - of the group
 * @param {string | number} value
 * @param {string} text
 * @param {() => void} chosen
 */
export function segment(name, value, text, chosen) {
  const label = element("label");
  const radio = element("input");
  Object.assign(radio, { type: "radio", name, value: String(value), onchange: chosen });
  label.append(radio, element("span", "", text));
  return label;
}
