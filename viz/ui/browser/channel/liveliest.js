// The first channel to show large, before the visitor chooses one. A blank map would be a poor beginning.

// The channel whose map varies most; where none varies, as with single numbers, the largest, such as the best class;
// the first in the mosaic's order if that is not by number.
/** @type {(facts: Pick<LayerFacts, "channels" | "geometry">) => number} */
export function liveliest({ channels: { variance, mean }, geometry }) {
  const [first] = geometry.order;
  if (first !== undefined) return first;
  return placeOfMost(variance, 0) ?? placeOfMost(mean, -Infinity) ?? 0;
}

// The first place of the largest number above a limit; undefined if there is none. NaN and infinities come as words.
/** @type {(numbers: readonly (number | string | null)[], limit: number) => number | undefined} */
function placeOfMost(numbers, limit) {
  let best, most = limit;
  numbers.forEach((number, place) => {
    if (typeof number === "number" && number > most) [best, most] = [place, number];
  });
  return best;
}
