// The bloom of a first visit: picture, stages and answer appear one by one. Only styles move, so nothing waits for it;
// any action of the visitor ends it.

import { isFirstVisit } from "./first_visit.js";

const ALL_MS = 2000; // as in ribbon.css
const SKIPPING = ["keydown", "pointerdown", "wheel", "touchstart", "scroll"];

export class Bloom {
  /** @type {AbortController | null} */
  hearing = null;

  seen = !isFirstVisit;

  /** @param {HTMLElement} list - of the stages */
  constructor(list) {
    this.list = list;
  }

  // Once, when the pictures of the stages are here.
  begin() {
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (this.seen || still) return;
    this.seen = true;
    this.hearing = new AbortController();
    this.list.classList.add("lg-bloom");
    const { signal } = this.hearing;
    for (const name of SKIPPING) window.addEventListener(name, () => this.end(), { signal, capture: true, passive: true });
    this.ending = setTimeout(() => this.end(), ALL_MS);
  }

  end() {
    clearTimeout(this.ending);
    this.hearing?.abort();
    this.list.classList.remove("lg-bloom");
  }
}
