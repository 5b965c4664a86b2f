// A shape as people read it: a first axis of length 1, a batch of one picture, is left out.

/** @param {readonly number[]} shape */
export function shapeText(shape) {
  return (shape[0] === 1 ? shape.slice(1) : shape).join(" × ") || "1";
}
