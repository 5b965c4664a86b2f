// The first and the last index along both sides of the large map.

import { element } from "./mosaic.js";

export class Axes {
  constructor(stack) {
    [this.across, this.down] = ["lg-axis-across", "lg-axis-down"].map((name) => {
      const axis = element("div", `lg-axis ${name}`);
      axis.setAttribute("aria-hidden", "true");
      stack.append(axis);
      return axis;
    });
  }

  // A side that is too short for two numbers shows only the last one.
  draw(width, height, scale) {
    for (const [axis, length] of [[this.across, width], [this.down, height]]) {
      const ends = length > 1 && length * scale > 40 ? [0, length - 1] : [length - 1];
      axis.replaceChildren(...ends.map((index) => element("span", "", String(index))));
    }
  }
}
