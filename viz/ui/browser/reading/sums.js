// The page's own sums for one number of a reading.

/** The parts on the way to one number: products, their sum, the total. @typedef {{products: readonly number[], sum: number, total: number}} Sum */

/** One number of a formula by its name. @type {(cell: ReadCell, name: string) => number | undefined} */
export function named({ numbers }, name) {
  const found = numbers.find((each) => each.name === name);
  return found && asNumber(found.value);
}

/** JSON has no name for these, so they come as text. @param {Exact | null} value */
export function asNumber(value) {
  if (typeof value === "number") return value;
  return value === "∞" ? Infinity : value === "−∞" ? -Infinity : NaN;
}

/** The numbers under the window of a cell, row by row; null where padding counts for nothing. @type {(reading: Reading, cell: ReadCell) => readonly (Exact | null)[]} */
export function seen({ region }, { window }) {
  if (!region || !window) return [];
  return window.rows.flatMap((row) => window.columns.map((column) => region.values[(row - region.top) * region.columns + column - region.left]));
}

/** The weights that lie on them; none for a pooling. @type {(reading: Reading, cell: ReadCell) => readonly Exact[]} */
export function kernelOf({ kernels }, { window }) {
  return window === null || window.kernel === null ? [] : kernels[window.kernel];
}

/** Where the product stands that counts most, whatever its sign. @type {(products: readonly number[]) => number} */
export function furthestFromZero(products) {
  return products.reduce((best, product, at) => (Math.abs(product) > Math.abs(products[best]) ? at : best), 0);
}

/** What one number is made of, added up here. @type {(reading: Reading, cell: ReadCell) => Sum} */
export function sumOf(reading, cell) {
  const made = SUMS[reading.kind];
  return made?.(reading, cell) ?? { products: [], sum: NaN, total: asNumber(cell.total) };
}

/** @type {Readonly<Record<string, (reading: Reading, cell: ReadCell) => Sum | null>>} */
const SUMS = {
  convolution: windowSum,
  resizing: windowSum,
  pooling: pooled,
  normalisation: normalised,
  softmax: (reading, cell) => {
    if (!cell.keys || cell.keys.key === null) return null;
    const share = shares(cell.keys)[cell.keys.key];
    const total = reading.formula.startsWith("log") ? Math.log(share) : share;
    return { products: [], sum: share, total };
  },
  attention: mixed,
  linear: (_, cell) => {
    const products = cell.terms.product.map(asNumber);
    const sum = plus(products);
    return { products, sum, total: sum + asNumber(cell.rest.total) + (named(cell, "bias") ?? 0) };
  },
  addition: (_, cell) => {
    const products = cell.numbers.map(({ value }) => asNumber(value));
    const sum = plus(products);
    return { products, sum, total: sum };
  },
  scale: (_, cell) => {
    const sum = (named(cell, "x") ?? NaN) * (named(cell, "weight") ?? 1);
    return { products: [sum], sum, total: sum + (named(cell, "bias") ?? 0) };
  },
};

/** @type {(reading: Reading, cell: ReadCell) => Sum | null} */
function windowSum(reading, cell) {
  const weights = kernelOf(reading, cell);
  if (!cell.window || !weights.length) return null;
  const products = seen(reading, cell).map((value, place) => asNumber(value) * asNumber(weights[place]));
  const sum = plus(products);
  return { products, sum, total: sum + asNumber(cell.window.others) + (named(cell, "bias") ?? 0) };
}

/** @type {(reading: Reading, cell: ReadCell) => Sum | null} */
function pooled(reading, cell) {
  const values = seen(reading, cell).filter((value) => value !== null).map(asNumber);
  const divisor = named(cell, "divisor");
  if (!values.length || named(cell, "power") !== undefined) return null;
  if (divisor !== undefined) return { products: values, sum: plus(values), total: plus(values) / divisor };
  if (cell.window?.winner === null) return null;
  const most = values.some(Number.isNaN) ? NaN : Math.max(...values);
  return { products: values, sum: most, total: most };
}

/** The steps of a normalisation: what is left without the mean, that divided, and with weight and bias. @type {(cell: ReadCell) => ?{centred: number, deviation: number, whitened: number, made: number}} */
export function normalSteps(cell) {
  const [x, variance, square] = [named(cell, "x"), named(cell, "variance"), named(cell, "mean square")];
  if (x === undefined || (variance ?? square) === undefined) return null;
  const centred = x - (named(cell, "mean") ?? 0);
  const deviation = Math.sqrt((variance ?? square ?? NaN) + (named(cell, "eps") ?? 0));
  const whitened = deviation ? centred / deviation : NaN;
  return { centred, deviation, whitened, made: whitened * (named(cell, "weight") ?? 1) + (named(cell, "bias") ?? 0) };
}

/** @type {(_: Reading, cell: ReadCell) => Sum | null} */
function normalised({ formula }, cell) {
  const found = normalSteps(cell);
  if (!found || formula.includes(", then ")) return null; // an activation in the same layer follows
  return { products: [], sum: found.whitened, total: found.made };
}

/** @type {(_: Reading, cell: ReadCell) => Sum | null} */
function mixed(_, cell) {
  const { keys } = cell;
  if (!keys) return null;
  const found = shares(keys);
  if (keys.key !== null) return { products: [], sum: found[keys.key], total: found[keys.key] };
  const products = found.map((share, place) => (share ? share * asNumber(keys.values[place]) : 0));
  const sum = plus(products);
  return { products, sum, total: sum * asNumber(keys.weight) + asNumber(keys.rest) + (named(cell, "bias") ?? 0) };
}

/** The softmax of the scores. @type {(keys: Pick<Keys, "scores">) => number[]} */
export function shares({ scores }) {
  const known = scores.map(asNumber);
  const most = Math.max(...known);
  const powers = known.map((score) => Math.exp(score - most));
  const whole = plus(powers);
  return powers.map((power) => power / whole);
}

/** @type {(numbers: readonly number[]) => number} */
function plus(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}
