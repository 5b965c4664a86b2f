// The channel to show large as long as nobody has chosen one: a blank map would be a poor beginning.

// The channel whose map varies most; the first in the mosaic's order if that is not by number, or if none varies.
/** @type {(facts: Pick<Facts, "channels" | "geometry">) => number} */
export function liveliest({ channels, geometry }) {
  const [first] = geometry.order;
  if (first !== undefined) return first;
  let best = 0, most = 0;
  channels.variance.forEach((variance, channel) => {
    if (typeof variance === "number" && variance > most) [best, most] = [channel, variance];
  });
  return best;
}
