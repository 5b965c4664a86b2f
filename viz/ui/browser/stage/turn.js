// The place in the models' queue, shown in longer waits. They are those of more than half a second.

import { addressOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";

export const SOON_MS = 500;
const AGAIN_MS = 1000;

/**
 * The requests under way, and the server's word on the queue: since when each request waits, by its number, and how
 * many others go before.
 * @typedef {{readonly since: Readonly<Record<number, number>>, readonly ahead: ?number}} Waiting
 */
/**
 * @typedef {{type: "asked", request: number, now: number} | {type: "answered", request: number}
 *   | {type: "told", ahead: ?number}} Happening
 */

/** @type {Waiting} */
export const NOTHING = Object.freeze({ since: Object.freeze({}), ahead: null });

// The next state. What was said of the queue is forgotten once nothing is waited for.
/** @type {(waiting: Waiting, happening: Happening) => Waiting} */
export function step(waiting, happening) {
  if (happening.type === "asked") return { ...waiting, since: { ...waiting.since, [happening.request]: happening.now } };
  if (happening.type === "told") return isWaiting(waiting) ? { ...waiting, ahead: happening.ahead } : waiting;
  const { [happening.request]: _, ...since } = waiting.since;
  return Object.keys(since).length ? { ...waiting, since } : NOTHING;
}

// Check whether a request has waited long enough to ask the server for one's place.
/** @type {(waiting: Waiting, now: number) => boolean} */
export function isLong({ since }, now) {
  return Object.values(since).some((when) => now - when >= SOON_MS);
}

// Number of requests ahead, if that is to be shown; else 0.
/** @type {(waiting: Waiting, now: number) => number} */
export function shown(waiting, now) {
  return isLong(waiting, now) ? waiting.ahead ?? 0 : 0;
}

/** @param {Waiting} waiting */
function isWaiting({ since }) {
  return Object.keys(since).length > 0;
}

// The sentence on the stage. It lies above other parts, so that nothing moves when it comes and goes.
export class Turn {
  waiting = NOTHING;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {HTMLElement} parent
   * @param {StagePage} page
   */
  constructor(parent, page) {
    this.page = page;
    this.root = element("p", "lg-turn");
    this.root.setAttribute("role", "status");
    parent.append(this.root);
    this.hearing = new AbortController();
    const { signal } = this.hearing;
    window.addEventListener("layerglass:asked", ({ detail }) => this.happened({ type: "asked", request: detail, now: performance.now() }), { signal });
    window.addEventListener("layerglass:answered", ({ detail }) => this.happened({ type: "answered", request: detail }), { signal });
  }

  /** @param {Happening} happening */
  happened(happening) {
    this.waiting = step(this.waiting, happening);
    this.draw();
    if (!isWaiting(this.waiting)) clearTimeout(this.timer);
    else if (happening.type === "asked" && Object.keys(this.waiting.since).length === 1) this.later(SOON_MS);
  }

  /** @param {number} milliseconds */
  later(milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), milliseconds);
  }

  async ask() {
    if (isLong(this.waiting, performance.now())) {
      try {
        const answer = await fetch(addressOf(this.page.data.subject, "place.json"));
        if (answer.ok) this.happened({ type: "told", ahead: (await answer.json()).ahead });
      } catch { /* the connection is gone for a moment */ }
    }
    if (isWaiting(this.waiting) && !this.hearing.signal.aborted) this.later(AGAIN_MS);
  }

  draw() {
    const count = shown(this.waiting, performance.now());
    const text = count ? filled(this.page.data.words.before_you, { count }) : "";
    if (this.root.textContent !== text) this.root.textContent = text;
  }

  close() {
    this.hearing.abort();
    clearTimeout(this.timer);
    this.root.remove();
  }
}
