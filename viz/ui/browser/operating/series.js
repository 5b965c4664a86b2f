// Numbers of the operator's charts: rates from counts, axis marks, readable values.

/** @typedef {{name: string, values: readonly (?number)[]}} Series */

const KINDS_SHOWN = 5;

// Growth of a count within the last moments; a count that fell began anew.
/** @type {(moments: readonly Moment[], count: (moment: Moment) => number, back: number) => number[]} */
export function growth(moments, count, back) {
  return moments.map((moment, place) => {
    const first = moments[Math.max(0, place - back)];
    return Math.max(0, count(moment) - count(first));
  });
}

// The same per second.
/** @type {(moments: readonly Moment[], count: (moment: Moment) => number, back: number) => number[]} */
export function rate(moments, count, back) {
  return growth(moments, count, back).map((more, place) => {
    const seconds = moments[place].at - moments[Math.max(0, place - back)].at;
    return seconds > 0 ? more / seconds : 0;
  });
}

// The kinds of tasks that were answered most often during these moments, and all others together.
/** @type {(moments: readonly Moment[], back: number, others: string) => Series[]} */
export function answerSeries(moments, back, others) {
  const [first, last] = [moments[0], moments[moments.length - 1]];
  if (!first) return [];
  const grown = (/** @type {string} */ kind) => (last.answers[kind] ?? 0) - (first.answers[kind] ?? 0);
  const kinds = Object.keys(last.answers).filter((kind) => grown(kind) > 0).sort((one, other) => grown(other) - grown(one));
  const shown = kinds.slice(0, KINDS_SHOWN);
  const rest = kinds.slice(KINDS_SHOWN);
  const series = shown.map((kind) => ({ name: kind, values: rate(moments, (moment) => moment.answers[kind] ?? 0, back) }));
  if (!rest.length) return series;
  const together = (/** @type {Moment} */ moment) => rest.reduce((sum, kind) => sum + (moment.answers[kind] ?? 0), 0);
  return [...series, { name: others, values: rate(moments, together, back) }];
}

// Each process that was there during these moments, in the order of its name; null where it was not.
/** @type {(moments: readonly Moment[]) => Series[]} */
export function memorySeries(moments) {
  const names = [...new Set(moments.flatMap((moment) => Object.keys(moment.memory)))];
  names.sort((one, other) => Number(other === "page") - Number(one === "page") || one.localeCompare(other, "en", { numeric: true }));
  return names.map((name) => ({ name, values: moments.map((moment) => moment.memory[name] ?? null) }));
}

/** @type {(counts: Record<string, number>) => number} */
export function total(counts) {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

// Marks from 0 to the first one that no value exceeds: three or four steps of 1, 2 or 5.
/** @type {(most: number, least: number) => number[]} */
export function marks(most, least) {
  const highest = Math.max(most, least);
  const power = 10 ** Math.floor(Math.log10(highest / 4));
  const step = power * (/** @type {number} */ ([1, 2, 5, 10].find((each) => each * power * 4 >= highest * 0.999)));
  const steps = Math.ceil(highest / step - 0.001);
  return Array.from({ length: steps + 1 }, (_, place) => place * step);
}

// Marks of a logarithmic axis: powers of ten around all values, from 0.001 to `least` at the least.
/** @type {(values: readonly number[], least: number) => number[]} */
export function decades(values, least) {
  const above = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(0.001, ...above)) + 1e-9);
  const high = Math.ceil(Math.log10(Math.max(least, ...above)) - 1e-9);
  const first = Math.max(low, -4); // what took less counts as that
  return Array.from({ length: high - first + 1 }, (_, place) => 10 ** (first + place));
}

/** @type {(value: ?number) => string} */
export function bytesText(value) {
  if (value === null) return "–";
  if (value >= 1e9) return `${short(value / 1e9)} GB`;
  return value >= 1e6 ? `${Math.round(value / 1e6)} MB` : `${Math.round(value / 1e3)} kB`;
}

/** @type {(value: ?number) => string} */
export function secondsText(value) {
  if (value === null) return "–";
  return value >= 1 ? `${short(value)} s` : `${value >= 0.01 ? Math.round(value * 1000) : short(value * 1000)} ms`;
}

/** @type {(value: ?number) => string} */
export function countText(value) {
  return value === null ? "–" : Math.round(value).toLocaleString("en");
}

/** @type {(value: ?number) => string} */
export function rateText(value) {
  return value === null ? "–" : `${short(value)}/s`;
}

// Two digits are enough to see what changes.
/** @param {number} value */
function short(value) {
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return String(Number(value.toFixed(value >= 10 || value === 0 ? 0 : 1)));
}

/** @type {(seconds: number) => string} */
export function durationText(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

// The path of a line whose gaps stay gaps; a point between two gaps is a dot.
/** @type {(points: readonly (?[number, number])[]) => string} */
export function linePath(points) {
  let path = "";
  points.forEach((point, place) => {
    if (!point) return;
    const text = `${point[0].toFixed(1)} ${point[1].toFixed(1)}`;
    const before = points[place - 1];
    path += before ? `L${text}` : `M${text}`;
    if (!before && !points[place + 1]) path += "h0.1";
  });
  return path;
}
