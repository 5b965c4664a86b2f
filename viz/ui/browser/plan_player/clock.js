// The clock of a lesson: time spent in each step, in milliseconds. It is counted from points in time, so it goes on
// over a reload.

/** @typedef {{readonly at: number, readonly since: number, readonly spent: readonly number[]}} Clock - `at` is a step, from 0, on screen `since` */

/** @type {(steps: number, now: number) => Clock} */
export function begun(steps, now) {
  return { at: 0, since: now, spent: new Array(steps).fill(0) };
}

/** The clock on another step. @type {(clock: Clock, at: number, now: number) => Clock} */
export function turned(clock, at, now) {
  const spent = clock.spent.map((each, step) => (step === clock.at ? inStep(clock, now) : each));
  return { at, since: now, spent };
}

/** Time of the step on screen so far, in all. @type {(clock: Clock, now: number) => number} */
export function inStep({ at, since, spent }, now) {
  return spent[at] + Math.max(0, now - since);
}

/** @type {(clock: Clock, now: number) => number} */
export function inAll(clock, now) {
  return clock.spent.reduce((sum, each) => sum + each, 0) + Math.max(0, now - clock.since);
}

/** Minutes and seconds. @param {number} milliseconds */
export function spelt(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The clock that was kept, if it fits a lesson of so many steps. @type {(found: any, steps: number) => ?Clock} */
export function clockFrom(found, steps) {
  const { at, since, spent } = found ?? {};
  const fits = Number.isInteger(at) && at >= 0 && at < steps && Number.isFinite(since) && Array.isArray(spent) && spent.length === steps
    && spent.every((each) => Number.isFinite(each) && each >= 0);
  return fits ? { at, since, spent } : null;
}
