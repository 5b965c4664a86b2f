// The axes of the large map: the first and the last index of each side.

import { element } from "./mosaic.js";

export class Axes {
  /** @param {HTMLElement} stack */
  constructor(stack) {
    this.across = axisIn(stack, "lg-axis-across");
    this.down = axisIn(stack, "lg-axis-down");
  }

  // A side that is too short for two numbers shows only the last one.
  /** @type {(width: number, height: number, scale: number) => void} */
  draw(width, height, scale) {
    for (const [axis, length] of /** @type {const} */ ([[this.across, width], [this.down, height]])) {
      const ends = length > 1 && length * scale > 40 ? [0, length - 1] : [length - 1];
      axis.replaceChildren(...ends.map((index) => element("span", "", String(index))));
    }
  }
}

/** @type {(stack: HTMLElement, name: string) => HTMLElement} */
function axisIn(stack, name) {
  const axis = element("div", `lg-axis ${name}`);
  axis.setAttribute("aria-hidden", "true");
  stack.append(axis);
  return axis;
}
