// Shapes and places in readable form; no line ends within a shape.

/** @param {readonly number[]} sizes */
export function sizesText(sizes) {
  return sizes.join("\u00a0×\u00a0") || "1";
}

// A first axis of length 1, a batch of one picture, is left out.
/** @param {readonly number[]} shape */
export function shapeText(shape) {
  return sizesText(shape[0] === 1 ? shape.slice(1) : shape);
}

// Place of a number: channel, row, column.
/** @type {(channel: number, at: {y: number, x: number}) => string} */
export function placeText(channel, { y, x }) {
  return `[${channel}, ${y}, ${x}]`;
}
