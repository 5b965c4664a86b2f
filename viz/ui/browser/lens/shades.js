// Colours of numbers: two-sided for deviations, one-sided for shares. Pure, so that Node tests it.

/** @typedef {readonly [number, number, number]} Rgb */

const BELOW = /** @type {Rgb} */ ([33, 102, 172]); // ColorBrewer's RdBu, which people with weak red or green tell apart
const ABOVE = /** @type {Rgb} */ ([178, 24, 43]);
const ABOVE_ON_DARK = /** @type {Rgb} */ ([239, 104, 84]);
const BELOW_ON_DARK = /** @type {Rgb} */ ([92, 165, 230]);
const PAPER = /** @type {Rgb} */ ([247, 247, 247]);
const NIGHT = /** @type {Rgb} */ ([24, 28, 34]);
const NOTHING = /** @type {Rgb} */ ([140, 140, 140]);

/** Exponent of the shades, below 1: faint numbers are seen, too. */
const BEND = 0.75;

/**
 * The colour of a deviation: white, or on dark pages black, at 0; red at `most`, blue at its negative.
 * @param {number | null} value
 * @param {number} most - above 0
 * @param {boolean} dark
 * @returns {Rgb}
 */
export function deviationShade(value, most, dark) {
  if (value === null || !Number.isFinite(value)) return NOTHING;
  const share = Math.min(1, Math.abs(value) / most) ** BEND;
  const end = value > 0 ? (dark ? ABOVE_ON_DARK : ABOVE) : dark ? BELOW_ON_DARK : BELOW;
  return mixed(dark ? NIGHT : PAPER, end, share);
}

/**
 * The colour of a share from 0 to 1: the page's at 0, the more blue the higher.
 * @param {number | null} value
 * @param {boolean} dark
 * @returns {Rgb}
 */
export function shareShade(value, dark) {
  if (value === null || !Number.isFinite(value)) return NOTHING;
  const share = Math.max(0, Math.min(1, value));
  return mixed(dark ? NIGHT : PAPER, dark ? BELOW_ON_DARK : BELOW, share);
}

/** @type {(from: Rgb, to: Rgb, share: number) => Rgb} */
function mixed(from, to, share) {
  const [red, green, blue] = from.map((each, place) => Math.round(each + (to[place] - each) * share));
  return [red, green, blue];
}

/** The largest deviation of a table, at least a little. @param {Iterable<readonly (number | null)[]>} rows */
export function mostOf(rows) {
  let most = 1e-6;
  for (const row of rows) {
    for (const value of row) if (value !== null) most = Math.max(most, Math.abs(value));
  }
  return most;
}

/**
 * The cell to which an arrow key leads in a table; null for other keys.
 * @param {string} key
 * @param {{row: number, column: number}} from
 * @param {{rows: number, columns: number}} size
 */
export function movedBy(key, { row, column }, { rows, columns }) {
  const page = Math.max(1, Math.round(rows / 10));
  /** @type {Record<string, readonly [number, number]>} */
  const steps = {
    ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], PageDown: [page, 0], PageUp: [-page, 0],
    Home: [-rows, -columns], End: [rows, columns],
  };
  const by = steps[key];
  if (!by) return null;
  return { row: Math.max(0, Math.min(rows - 1, row + by[0])), column: Math.max(0, Math.min(columns - 1, column + by[1])) };
}
