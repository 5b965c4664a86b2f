// The main statistics of maps, in words.

import { percent, readable } from "./mosaic.js";

/** @typedef {"minimum" | "maximum" | "mean" | "zeros"} Figure */

/** @type {(found: Record<Figure, Found>, words: Words) => string[]} */
export function figures({ minimum, maximum, mean, zeros }, words) {
  return [`${words.minimum} ${readable(minimum)}`, `${words.maximum} ${readable(maximum)}`, `${words.mean} ${readable(mean)}`, `${words.zeros} ${percent(zeros)}`];
}

// The statistics of one channel, from a column for each.
/** @type {(columns: Record<Figure, readonly Found[]>, channel: number, words: Words) => string[]} */
export function channelFigures({ minimum, maximum, mean, zeros }, channel, words) {
  return figures({ minimum: minimum[channel], maximum: maximum[channel], mean: mean[channel], zeros: zeros[channel] }, words);
}
