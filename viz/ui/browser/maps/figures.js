// The numbers that say most about maps, in words.

import { percent, readable } from "./mosaic.js";

/** @type {(found: {minimum: Found, maximum: Found, mean: Found, zeros: Found}, words: Words) => string[]} */
export function figures({ minimum, maximum, mean, zeros }, words) {
  return [`${words.minimum} ${readable(minimum)}`, `${words.maximum} ${readable(maximum)}`, `${words.mean} ${readable(mean)}`, `${words.zeros} ${percent(zeros)}`];
}
