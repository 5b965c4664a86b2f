// Geometry of the frame on the picture. The model is given a square of the picture, and sees a part of that: `inner`,
// in shares of the square's side. The frame is what it sees. All numbers are pixels of the whole picture.

/** @typedef {{left: number, top: number, side: number}} Square - what the model is given */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box - what it sees of that */
/** @typedef {"nw" | "ne" | "sw" | "se"} Corner */

const LEAST = 16; // pixels of the smallest square: fewer show nothing

/** @type {(values: readonly number[]) => Box} */
export function boxOf([left, top, right, bottom]) {
  return { left, top, right, bottom };
}

/**
 * The part of a square that the model sees.
 * @type {(square: Square, inner: Box) => Box}
 */
export function seenOf({ left, top, side }, inner) {
  return { left: left + side * inner.left, top: top + side * inner.top, right: left + side * inner.right, bottom: top + side * inner.bottom };
}

/**
 * The square of which the model sees this, as far as the picture has it.
 * @type {(seen: Box, inner: Box, size: {width: number, height: number}) => Square}
 */
export function squareOf(seen, inner, size) {
  const side = (seen.right - seen.left) / (inner.right - inner.left);
  return within({ left: seen.left - side * inner.left, top: seen.top - side * inner.top, side }, size);
}

/**
 * A square in the picture: no smaller than one can see, no larger than fits, and pushed in where it sticks out.
 * @type {(square: Square, size: {width: number, height: number}) => Square}
 */
export function within({ left, top, side }, { width, height }) {
  const most = Math.min(width, height);
  const kept = Math.min(most, Math.max(Math.min(LEAST, most), side));
  return { left: between(left, width - kept), top: between(top, height - kept), side: kept };
}

/**
 * The square once a corner of the frame has been dragged so far; the opposite corner stays where it is.
 * @type {(square: Square, corner: Corner, by: {x: number, y: number}, inner: Box, size: {width: number, height: number}) => Square}
 */
export function resized(square, corner, by, inner, size) {
  const [down, across] = [corner[0] === "s" ? 1 : -1, corner[1] === "e" ? 1 : -1];
  const [wide, high] = [inner.right - inner.left, inner.bottom - inner.top];
  const longer = ((across * by.x) / wide + (down * by.y) / high) / 2;
  const seen = seenOf(square, inner);
  const { side } = within({ ...square, side: square.side + longer }, size);
  const left = across > 0 ? seen.left - side * inner.left : seen.right - side * inner.right;
  const top = down > 0 ? seen.top - side * inner.top : seen.bottom - side * inner.bottom;
  return within({ left, top, side }, size);
}

/**
 * The square with another side, around the same middle.
 * @type {(square: Square, factor: number, size: {width: number, height: number}) => Square}
 */
export function scaled({ left, top, side }, factor, size) {
  const { side: next } = within({ left, top, side: side * factor }, size);
  return within({ left: left + (side - next) / 2, top: top + (side - next) / 2, side: next }, size);
}

/**
 * The square as an address says it: whole pixels, in the picture.
 * @type {(square: Square, size: {width: number, height: number}) => string}
 */
export function cropOf({ left, top, side }, { width, height }) {
  const whole = Math.min(Math.round(side), width, height);
  return [between(Math.round(left), width - whole), between(Math.round(top), height - whole), whole, whole].join(",");
}

/** @type {(value: number, most: number) => number} */
function between(value, most) {
  return Math.max(0, Math.min(value, most));
}
