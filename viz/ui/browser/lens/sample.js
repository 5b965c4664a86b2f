// Limits of a sample's numbers: chance, and too few pictures. Pure.

/** @type {(value: Found, sample: ?LensSample) => boolean} */
export function isByChance(value, sample) {
  return sample !== null && value !== null && value <= sample.chance;
}

/** A class's score, on either side of zero. @type {(score: Found, chance: number) => boolean} */
export function isPreference(score, chance) {
  return score !== null && Math.abs(score) > chance;
}

/** @type {(sample: ?LensSample) => sample is LensSample} */
export function isTooSmall(sample) {
  return sample !== null && sample.pictures < sample.needed;
}
